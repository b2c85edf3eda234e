import MartletProtobuf
import MartletValues

/// A SELECT as bytes.
///
/// Always true: clauses are written in the order of the SQL, so that parameters are numbered as they are read.
extension SelectParts {
  /// Writes it with the clauses of its default scopes. Most tables have none, and nothing is copied then.
  func writeWithScopes(to writer: inout TreeWriter) {
    let own = clausesOfScope
    guard own != nil || !hasNamesOnly else { return write(to: &writer) }
    var parts = self
    parts.addScope(own)
    parts.settleAll()
    parts.write(to: &writer)
  }

  func write(to writer: inout TreeWriter) {
    writer.checkNames(predicates + having + joins.compactMap(\.on), of: source)
    writer.within(source, joins) { writer in
      writer.message(GrammarFields.Statement.select) {
        $0.flag(GrammarFields.Select.distinct, distinct)
        $0.resultColumns(GrammarFields.Select.columns, columns)
        if let source { $0.source(GrammarFields.Select.from, source) }
        $0.joins(GrammarFields.Select.joins, joins)
        $0.predicates(GrammarFields.Select.where, allPredicates)
        $0.grouping(GrammarFields.Select.groupBy, group)
        $0.predicates(GrammarFields.Select.having, having)
        for named in $0.distinctWindows(windows) {
          $0.message(GrammarFields.Select.windows) {
            $0.text(GrammarFields.NamedWindow.name, named.name)
            $0.window(GrammarFields.NamedWindow.window, named.window)
          }
        }
        $0.rowOrdering(GrammarFields.Select.orderBy, order)
        if let limit { $0.expression(GrammarFields.Select.limit, limit) }
        if let offset { $0.expression(GrammarFields.Select.offset, offset) }
      }
    }
  }
}

extension TreeWriter {
  /// Windows, each name once. Of two with one name SQLite takes the last without a word, so two that differ are
  /// refused; a scope that is read twice brings the same ones.
  fileprivate mutating func distinctWindows(
    _ windows: [(name: String, window: Window)]
  ) -> [(name: String, window: Window)] {
    guard windows.count > 1 else { return windows }
    var distinct: [(name: String, window: Window)] = []
    for named in windows {
      // SQLite does not distinguish a letter from its capital.
      let name = named.name.lowercased()
      guard let other = distinct.first(where: { $0.name.lowercased() == name }) else {
        distinct.append(named)
        continue
      }
      if WindowIdentity(other.window) != WindowIdentity(named.window) {
        values.fail(
          QueryBindingFailure(
            "Two different windows are called \(other.name), of which SQL would take one. "
              + "Give each a name of its own."))
      }
    }
    return distinct
  }
}

/// Equal for two windows that are the same.
private struct WindowIdentity: Equatable {
  var bytes: [UInt8]
  var values: [Value]

  init(_ window: Window) {
    var writer = TreeWriter()
    writer.window(GrammarFields.NamedWindow.window, window)
    bytes = writer.bytes
    values = writer.values.parameters
  }
}
