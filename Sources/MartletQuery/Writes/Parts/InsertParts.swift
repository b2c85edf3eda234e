import MartletProtobuf
import MartletValues

/// An INSERT without its types.
///
/// Always true: many rows of plain values are one parameter.
struct InsertParts: StatementTree {
  enum Source: Sendable {
    case rows([[QueryFragment]])
    case query(StatementFragment)
    case defaults
  }

  var or: ConflictResolution?
  var table: SourceFragment
  var columns: [String]
  var source: Source
  var upserts: [UpsertPart] = []
  var returning: [QueryFragment] = []

  /// A query made of `none` inserts nothing, not even an aggregate's row. A schema cannot write an empty list of rows.
  func hasNoEffect(inlinesValues: Bool) -> Bool {
    switch source {
    case .query(let query): query.tree.isNone
    case .rows(let rows): inlinesValues && rows.isEmpty
    case .defaults: false
    }
  }

  /// That of its rows, or around its query.
  var depth: Int32 {
    switch source {
    case .query(let query): StatementFragment.depth(around: CollectionOfOne(query))
    case .rows(let rows): rows.reduce(0) { max($0, $1.depth) }
    case .defaults: 0
    }
  }

  var isNone: Bool { hasNoEffect(inlinesValues: false) }
  var writes: Bool { true }

  /// The rows as one value; nil if they are few, or one of them holds an expression.
  func batch(of rows: [[QueryFragment]]) -> (RowBatch, QueryBindingFailure?)? {
    guard rows.count > QueryLimits.valuesRowsMax || rows.isEmpty else { return nil }
    return QueryFragment.batch(of: rows, width: columns.count)
  }
}

extension InsertParts {
  func write(to writer: inout TreeWriter) {
    if hasNoEffect(inlinesValues: !writer.values.hasLists) { return SelectParts.nothing.write(to: &writer) }
    writer.message(GrammarFields.Statement.insert) {
      if let or { $0.word(GrammarFields.Insert.or, or.tree) }
      $0.table(GrammarFields.Insert.into, table)
      $0.text(GrammarFields.Insert.alias, table.alias ?? "")
      for column in columns { $0.presentText(GrammarFields.Insert.columns, column) }
      switch source {
      case .defaults: $0.present(GrammarFields.Insert.defaultValues, 1)
      case .query(let query): $0.statement(GrammarFields.Insert.query, query)
      case .rows(let rows):
        if $0.values.hasLists, let (batch, failure) = batch(of: rows) {
          $0.parameter(GrammarFields.Insert.rows, $0.values.bind(rows: batch, failure))
        } else {
          $0.message(GrammarFields.Insert.values) { $0.rows(GrammarFields.Values.rows, rows) }
        }
      }
      for upsert in upserts { $0.message(GrammarFields.Insert.upserts) { upsert.write(to: &$0) } }
      $0.resultColumns(GrammarFields.Insert.returning, table.returned(returning))
    }
  }
}
