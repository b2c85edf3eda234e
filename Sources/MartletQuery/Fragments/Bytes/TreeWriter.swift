import MartletAST
import MartletProtobuf

/// The serialized tree of a statement, written straight from its fragments.
///
/// Always true: its bytes are those of the same tree, serialized, so that both name one shape.
struct TreeWriter: FieldWriter {
  var output = WireArray()
  var values: StatementValues
  /// The tables without another name of the statements around this place.
  private var enclosing: [String] = []

  var bytes: [UInt8] { output.bytes }

  init(inliningValues: Bool = false) { self.init(StatementValues(areInlined: inliningValues)) }

  init(_ values: StatementValues) {
    self.values = values
    output.bytes.reserveCapacity(1024)
  }

  /// An enumeration's value.
  @inline(__always)
  mutating func word(_ field: UInt32, _ value: some RawRepresentable<Int>) {
    number(field, UInt64(bitPattern: Int64(value.rawValue)))
  }

  /// A message that was serialized by other means.
  mutating func append(_ serialized: [UInt8]) { output.write(serialized) }

  /// Writes a part of a schema, whose values are literals, because SQLite keeps the text of views, triggers, defaults
  /// and constraints.
  mutating func inlining<Result>(_ body: (inout TreeWriter) -> Result) -> Result {
    let outer = values.areInlined
    values.areInlined = true
    defer { values.areInlined = outer }
    return body(&self)
  }

  /// Returns what a body writes, and removes it from the output.
  mutating func part(_ body: (inout TreeWriter) -> Void) -> [UInt8] {
    let start = output.writtenCount
    body(&self)
    defer { output.bytes.removeSubrange(start...) }
    return Array(output.bytes[start...])
  }

  // MARK: Tables around a place

  /// Writes a part of a statement that reads or writes a source, and what is joined to it.
  mutating func within(_ source: SourceFragment?, _ joins: [JoinPart] = [], _ body: (inout TreeWriter) -> Void) {
    let count = enclosing.count
    if let source { enclose(source) }
    for join in joins { enclose(join.source) }
    body(&self)
    enclosing.removeLast(enclosing.count - count)
  }

  private mutating func enclose(_ source: SourceFragment) {
    if source.alias == nil, source.subquery == nil { enclosing.append(source.name) }
  }

  /// Refuses conditions of a query within another query of the same table that compare a column with itself. One side
  /// was meant as the outer query's column, but SQL takes both for the inner query's.
  mutating func checkNames(_ conditions: @autoclosure () -> [QueryFragment], of source: SourceFragment?) {
    guard let source, source.alias == nil, enclosing.contains(source.name) else { return }
    guard conditions().contains(where: { $0.comparesWithItself(source.name) }) else { return }
    values.fail(
      QueryBindingFailure(
        "A query of \(source.name) within another one of it compares a column with itself, because both are called the "
          + "same. Give the inner one a name of its own: Reminder.as(Other.self)."))
  }

  // MARK: Statements

  mutating func statement(_ field: UInt32, _ statement: StatementFragment) {
    message(field) { statement.tree.write(to: &$0) }
  }
}

extension QueryFragment {
  /// True if it compares a column of the table with itself, outside of subqueries.
  fileprivate func comparesWithItself(_ table: String) -> Bool {
    guard case .operation(let symbol, let operands) = node else { return false }
    switch symbol {
    case .and, .or, .not: return operands.contains { $0.comparesWithItself(table) }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot:
      return operands.count == 2 && operands[0].isSameColumn(as: operands[1], of: table)
    default: return false
    }
  }

  /// True if both are the same column of the table, or groups that share one.
  private func isSameColumn(as other: QueryFragment, of table: String) -> Bool {
    switch (node, other.node) {
    case (.column(let schema, let holder, let name, _), .column(let otherSchema, let otherHolder, let otherName, _)):
      return holder == table && (schema, holder, name) == (otherSchema, otherHolder, otherName)
    case (.tuple(let members), .tuple(let others)):
      return members.count == others.count
        && zip(members, others).contains { member, other in member.isSameColumn(as: other, of: table) }
    default: return false
    }
  }
}
