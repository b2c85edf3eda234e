import MartletAST
public import MartletValues

/// Fragments that are put together by hand, and what a database would be given of them.
///
/// Always true: a fragment stays what it was made of; only the texts of raw SQL are text.
extension QueryFragment {
  /// Pieces of raw SQL; an expression is one of them. Every column of a table is a result column only, and in raw SQL
  /// its text says where it stands.
  var parts: [RawPart] {
    switch node {
    case .raw(let parts): parts
    case .star(let table, _): [.identifier(table), .sql(".*")]
    default: [.expression(self)]
    }
  }

  /// A name in quotation marks.
  public init(quote name: String) { self.init(.raw([.identifier(name)])) }

  /// There is nothing in it.
  public var isEmpty: Bool { if case .raw(let parts) = node { parts.isEmpty } else { false } }

  /// Puts another one behind it.
  public mutating func append(_ other: QueryFragment) { self = self + other }

  /// One behind the other, with nothing between them.
  public static func + (left: QueryFragment, right: QueryFragment) -> QueryFragment {
    left.isEmpty ? right : right.isEmpty ? left : QueryFragment(.raw(left.parts + right.parts))
  }

  /// Puts another one behind it.
  public static func += (left: inout QueryFragment, right: QueryFragment) { left.append(right) }

  /// The SQL, with a name of the caller's for each value, and the values: `prepare { "$\($0)" }`. Each value of a list
  /// is one.
  ///
  /// This is for people and for other databases; what Martlet executes is the tree.
  public func prepare(_ template: (Int) -> String) -> (sql: String, bindings: [Value]) {
    var tree: any StatementTree = RawStatement(parts: parts)
    if case .statement(let statement)? = parts.first, parts.count == 1 { tree = statement.tree }
    var writer = TreeWriter(StatementValues(expandsLists: true))
    tree.write(to: &writer)
    let sql: String
    do { sql = try StatementRenderer.newest.render(ASTStatement.read(writer.bytes)).sql } catch {
      return ("-- \(error)", [])
    }
    return (sql.replacingParameters(template), writer.values.parameters)
  }
}

extension Sequence where Element == QueryFragment {
  /// All of them, with the separator between each two.
  public func joined(separator: QueryFragment = QueryFragment()) -> QueryFragment {
    var result = QueryFragment()
    for (index, fragment) in enumerated() {
      if index > 0 { result.append(separator) }
      result.append(fragment)
    }
    return result
  }
}

extension QueryFragment: CustomStringConvertible, CustomDebugStringConvertible {
  /// The SQL with its values in place of its parameters.
  public var description: String { SerializedStatement(RawStatement(parts: parts), inliningValues: true).rendered }

  public var debugDescription: String { description }
}

extension Statement {
  /// The statement as a piece of SQL, to look at or to use in a larger one.
  public var query: QueryFragment { QueryFragment(.raw([.statement(statementFragment)])) }
}

extension StatementFragment {
  /// A statement of raw SQL: what a type of the program's that is a `Statement` is made of.
  public init(_ query: QueryFragment) {
    switch query.node {
    case .raw(let parts): self.init(RawStatement(parts: parts))
    case .subquery(let statement): self = statement
    default: self.init(RawStatement(parts: [.expression(query)]))
    }
  }
}

extension String {
  /// With other names for its parameters, `?1`. Text that looks like one within a text, a name or a comment stays.
  fileprivate func replacingParameters(_ template: (Int) -> String) -> String {
    let ends = ["'": "'", "\"": "\"", "`": "`", "[": "]", "--": "\n", "/*": "*/"]
    var result = String.UnicodeScalarView()
    // By scalars: a quote with an accent behind it is a quote to SQLite, and so is a line's end behind a return.
    var rest = unicodeScalars[...]
    while let scalar = rest.first {
      if let (start, end) = ends.first(where: { rest.starts(with: $0.key.unicodeScalars) }) {
        let content = rest.dropFirst(start.unicodeScalars.count)
        let last = content.firstRange(of: end.unicodeScalars)?.upperBound ?? rest.endIndex
        result += rest[..<last]
        rest = rest[last...]
      } else if scalar == "?" {
        let digits = rest.dropFirst().prefix { ("0"..."9").contains($0) }
        result += (Int(String(digits)).map(template) ?? "?").unicodeScalars
        rest = rest[digits.endIndex...]
      } else {
        result.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }
}
