/// Raw SQL with values, columns, tables and statements between its texts, as string interpolation spells it.
///
/// Always true: only texts of the literal itself and of `raw:` become SQL; everything else is a node of the tree.
extension QueryFragment: ExpressibleByStringInterpolation {
  /// Raw SQL that the program itself holds.
  public init(stringLiteral value: String) { self.init(value) }

  /// Raw SQL with expressions, values and names between its texts.
  public init(stringInterpolation: StringInterpolation) { self.init(.raw(stringInterpolation.parts)) }

  /// What `\(...)` of raw SQL may hold; a plain `String` is a value and is bound.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [RawPart] = []

    /// Room for the pieces.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// SQL as it is written in the program.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.sql(literal)) }
    }

    /// SQL as it is. Never a user's text.
    public mutating func appendInterpolation(raw sql: String) { appendLiteral(sql) }

    /// A number, or whatever describes itself as SQL.
    public mutating func appendInterpolation(raw value: some LosslessStringConvertible) {
      appendLiteral(value.description)
    }

    /// A quoted name.
    public mutating func appendInterpolation(quote name: String) { parts.append(.identifier(name)) }

    /// A value that the statement binds.
    public mutating func appendInterpolation<Value: QueryBindable>(bind value: Value) {
      parts.append(.expression(value.queryFragment))
    }

    /// A value that the statement binds, in a representation of choice: `\(bind: date, as:
    /// Date.UnixTimeRepresentation.self)`.
    public mutating func appendInterpolation<Value: QueryBindable>(
      bind value: Value.QueryOutput, as type: Value.Type
    ) {
      parts.append(.expression(Value(queryOutput: value).queryFragment))
    }

    /// An expression; a plain value is bound. Several columns are written with commas between them.
    public mutating func appendInterpolation(_ expression: some QueryExpression) {
      append(expression.columnFragments)
    }

    /// A statement in its place; parentheses around it are the SQL's to write.
    public mutating func appendInterpolation(_ statement: some Statement) {
      // Raw SQL and computed expressions count as statements only if they stand alone.
      if case .subquery(let inner) = statement.queryFragment.node {
        parts.append(.statement(inner))
      } else {
        append(statement.columnFragments)
      }
    }

    /// A table's name.
    public mutating func appendInterpolation<T: Table>(_ table: T.Type) {
      if T.tableAlias == nil, let schema = T.schemaName {
        parts.append(.identifier(schema))
        parts.append(.sql("."))
      }
      parts.append(.identifier(T.tableAlias ?? T.tableName))
    }

    /// Another fragment; pieces of raw SQL join this one's.
    public mutating func appendInterpolation(_ fragment: QueryFragment) {
      switch fragment.node {
      case .raw, .star: parts += fragment.parts
      default: parts.append(.expression(fragment))
      }
    }

    private mutating func append(_ columns: [QueryFragment]) {
      for (index, column) in columns.enumerated() {
        if index > 0 { parts.append(.sql(", ")) }
        appendInterpolation(column)
      }
    }
  }
}
