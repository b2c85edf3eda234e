/// The parts of clauses written by hand: result columns, orderings, assignments, conflict clauses, windows.
///
/// Always true: nothing is checked here; validation says what is wrong with a tree, and where.
extension ASTResultColumn {
  /// `"a" AS "alias"`
  public static func expression(_ expression: ASTExpression, as alias: String = "") -> ASTResultColumn {
    var node = ASTResultColumn()
    node.expression = expression
    node.alias = alias
    return node
  }

  /// `*`, or `"table".*`
  public static func all(of table: String = "") -> ASTResultColumn {
    var node = ASTResultColumn()
    node.all.table = table
    return node
  }
}

extension ASTOrderingTerm {
  /// `"a" DESC NULLS LAST`
  public static func by(
    _ expression: ASTExpression, _ direction: ASTOrderingTerm.Direction = .unspecified,
    nulls: ASTOrderingTerm.Nulls = .unspecified
  ) -> ASTOrderingTerm {
    var node = ASTOrderingTerm()
    node.expression = expression
    node.direction = direction
    node.nulls = nulls
    return node
  }
}

extension ASTAssignment {
  /// `"a" = 1`
  public static func set(_ column: String, _ value: ASTExpression) -> ASTAssignment {
    set([column], value)
  }

  /// `("a", "b") = (SELECT …)`
  public static func set(_ columns: [String], _ value: ASTExpression) -> ASTAssignment {
    var node = ASTAssignment()
    node.columns = columns
    node.value = value
    return node
  }
}

extension ASTIndexedColumn {
  /// `"a" COLLATE "NOCASE" DESC`
  public static func column(
    _ name: String, collation: String = "", _ direction: ASTOrderingTerm.Direction = .unspecified
  ) -> ASTIndexedColumn {
    var node = ASTIndexedColumn()
    node.expression = .column(name)
    node.collation = collation
    node.direction = direction
    return node
  }
}

extension ASTUpsert {
  /// `ON CONFLICT ("id") DO UPDATE SET …`; without assignments `DO NOTHING`, without columns for any conflict.
  public static func on(
    _ columns: [String] = [], set assignments: [ASTAssignment] = [], where condition: ASTExpression? = nil
  ) -> ASTUpsert {
    var node = ASTUpsert()
    node.target = columns.map { .column($0) }
    node.assignments = assignments
    if let condition { node.where = condition }
    return node
  }
}

extension ASTCommonTable {
  /// `"name" ("a", "b") AS (SELECT …)`
  public static func named(_ name: String, columns: [String] = [], as query: ASTStatement) -> ASTCommonTable {
    var node = ASTCommonTable()
    node.name = name
    node.columns = columns
    node.query = query
    return node
  }
}

extension ASTWindow {
  /// `(PARTITION BY "a" ORDER BY "b")`
  public static func over(
    partitionBy: [ASTExpression] = [], orderBy: [ASTOrderingTerm] = [], frame: ASTFrame? = nil
  ) -> ASTWindow {
    var node = ASTWindow()
    node.partitionBy = partitionBy
    node.orderBy = orderBy
    if let frame { node.frame = frame }
    return node
  }
}

extension ASTFrame {
  /// `ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`
  public static func between(
    _ unit: ASTFrame.Unit = .rows, _ start: ASTFrameBound, _ end: ASTFrameBound,
    _ exclusion: ASTFrame.Exclusion = .unspecified
  ) -> ASTFrame {
    var node = ASTFrame()
    node.unit = unit
    node.start = start
    node.end = end
    node.exclusion = exclusion
    return node
  }
}

extension ASTFrameBound {
  /// `UNBOUNDED PRECEDING`, `CURRENT ROW`, `1 PRECEDING`
  public static func at(_ kind: ASTFrameBound.Kind, _ offset: ASTExpression? = nil) -> ASTFrameBound {
    var node = ASTFrameBound()
    node.kind = kind
    if let offset { node.offset = offset }
    return node
  }
}
