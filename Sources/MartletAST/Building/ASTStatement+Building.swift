/// Statements written by hand: each function makes one node and hands it to a closure that fills it.
///
/// Always true: nothing is checked here; validation says what is wrong with a tree, and where.
extension ASTStatement {
  /// `SELECT "items"."id" FROM "items" WHERE …`
  ///
  ///     let query = ASTStatement.select {
  ///       $0.columns = [.expression(.column("items", "id"))]
  ///       $0.from = .table("items")
  ///       $0.where = .call(.equal, .column("items", "id"), .parameter(1))
  ///     }
  public static func select(_ change: (inout ASTSelect) -> Void) -> ASTStatement {
    var node = ASTStatement()
    change(&node.select)
    return node
  }

  /// `SELECT … UNION ALL SELECT …`, and in the closure ORDER BY and LIMIT of the whole.
  public static func compound(
    _ first: ASTStatement, _ terms: [(ASTCompound.Operator, ASTStatement)],
    with change: (inout ASTCompound) -> Void = { _ in }
  ) -> ASTStatement {
    var node = ASTStatement()
    node.compound.first = first
    node.compound.terms = terms.map { symbol, query in
      var term = ASTCompound.Term()
      term.operator = symbol
      term.query = query
      return term
    }
    change(&node.compound)
    return node
  }

  /// `VALUES (1, 'a'), (2, 'b')`
  public static func values(_ rows: [[ASTExpression]]) -> ASTStatement {
    var node = ASTStatement()
    node.values = .rows(rows)
    return node
  }

  /// `WITH "a" AS (…) SELECT …`
  public static func with(_ tables: [ASTCommonTable], recursive: Bool = false, _ body: ASTStatement) -> ASTStatement {
    var node = ASTStatement()
    node.with.tables = tables
    node.with.recursive = recursive
    node.with.body = body
    return node
  }

  /// `INSERT INTO "items" ("title") …`, with its source set in the closure.
  public static func insert(
    into table: String, _ columns: [String] = [], _ change: (inout ASTInsert) -> Void
  ) -> ASTStatement {
    var node = ASTStatement()
    node.insert.into.name = table
    node.insert.columns = columns
    change(&node.insert)
    return node
  }

  /// `INSERT INTO "items" ("a", "b") SELECT "c0", "c1" FROM "martlet_rows"(?1) WHERE 1`: any number of rows in one
  /// parameter.
  public static func insert(into table: String, _ columns: [String], rows parameter: UInt32) -> ASTStatement {
    insert(into: table, columns) { $0.rows = .list(parameter, columns: UInt32(clamping: columns.count)) }
  }

  /// `UPDATE "items" SET …`, with its assignments and condition set in the closure.
  public static func update(_ table: String, _ change: (inout ASTUpdate) -> Void) -> ASTStatement {
    var node = ASTStatement()
    node.update.table.name = table
    change(&node.update)
    return node
  }

  /// `DELETE FROM "items" WHERE …`
  public static func delete(from table: String, _ change: (inout ASTDelete) -> Void = { _ in }) -> ASTStatement {
    var node = ASTStatement()
    node.delete.from.name = table
    change(&node.delete)
    return node
  }

  /// SQL as given, with nodes between its segments. A permission of its own.
  public static func raw(_ parts: ASTRaw.Part...) -> ASTStatement {
    var node = ASTStatement()
    node.raw.parts = parts
    return node
  }

  /// One segment of SQL, as given.
  public static func raw(_ sql: String) -> ASTStatement {
    var node = ASTStatement()
    node.raw.parts = [ASTRaw.Part(stringLiteral: sql)]
    return node
  }
}

extension ASTValues {
  /// `VALUES (1, 'a'), (2, 'b')`
  public static func rows(_ rows: [[ASTExpression]]) -> ASTValues {
    var node = ASTValues()
    node.rows = rows.map { elements in
      var row = ASTTuple()
      row.elements = elements
      return row
    }
    return node
  }
}
