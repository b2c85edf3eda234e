/// Sources of rows and joins written by hand.
///
/// Always true: nothing is checked here; validation says what is wrong with a tree, and where.
extension ASTTableSource {
  /// `"items" AS "i"`
  public static func table(_ name: String, as alias: String = "", schema: String = "") -> ASTTableSource {
    make(alias) { $0.table = .named(name, schema: schema) }
  }

  /// `(SELECT …) AS "i"`
  public static func subquery(_ query: ASTStatement, as alias: String = "") -> ASTTableSource {
    make(alias) { $0.subquery = query }
  }

  /// `json_each("items"."tags") AS "tag"`
  public static func function(_ name: String, _ arguments: [ASTExpression], as alias: String = "") -> ASTTableSource {
    make(alias) {
      $0.function.name = name
      $0.function.arguments = arguments
    }
  }

  /// `("a" JOIN "b" …)`
  public static func joined(_ from: ASTTableSource, _ joins: [ASTJoin], as alias: String = "") -> ASTTableSource {
    make(alias) {
      $0.joined.from = from
      $0.joined.joins = joins
    }
  }

  /// `"martlet_rows"(?1) AS "r"`: a list parameter as a table with columns `c0`, `c1`, and so on.
  public static func rows(_ parameter: UInt32, columns: UInt32, as alias: String = "") -> ASTTableSource {
    make(alias) { $0.rows = .list(parameter, columns: columns) }
  }

  private static func make(_ alias: String, _ change: (inout ASTTableSource) -> Void) -> ASTTableSource {
    var node = ASTTableSource()
    change(&node)
    node.alias = alias
    return node
  }
}

extension ASTTable {
  /// `"schema"."name"`
  public static func named(_ name: String, schema: String = "") -> ASTTable {
    var node = ASTTable()
    node.name = name
    node.schema = schema
    return node
  }
}

extension ASTJoin {
  /// `JOIN "b" ON …`, `LEFT JOIN "b"`
  public static func join(
    _ kind: ASTJoin.Kind = .inner, _ source: ASTTableSource, on condition: ASTExpression? = nil, using: [String] = []
  ) -> ASTJoin {
    var node = ASTJoin()
    node.kind = kind
    node.source = source
    if let condition { node.on = condition }
    node.using = using
    return node
  }
}
