/// Which parameters of a tree stand for which columns.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

struct ParameterColumnTests {
  private static func found(_ tree: ASTStatement) -> [String] {
    tree.parameterColumns.map {
      "?\($0.parameter)" + ($0.member > 0 ? ".\($0.member)" : "") + " \($0.table).\($0.column)"
    }
  }

  private static func select(_ sources: ASTTableSource, where condition: ASTExpression) -> ASTStatement {
    .select {
      $0.columns = [.all()]
      $0.from = sources
      $0.where = condition
    }
  }

  private static let orders = ASTTableSource.table("Orders")
  private static let one = ASTExpression.parameter(1)

  @Test func `each comparison names the column beside its parameters, on either side`() {
    let column = ASTExpression.column("orders", "Total")
    let operators: [ASTOperator] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot, .glob, .notGlob, .match,
      .notMatch, .regexp, .notRegexp, .like, .notLike,
    ]
    for symbol in operators {
      #expect(Self.found(Self.select(Self.orders, where: .call(symbol, column, Self.one))) == ["?1 orders.total"])
      #expect(Self.found(Self.select(Self.orders, where: .call(symbol, Self.one, column))) == ["?1 orders.total"])
    }
    for symbol in [ASTOperator.between, .notBetween] {
      let condition = ASTExpression.call(symbol, column, .parameter(3), .parameter(2))
      #expect(Self.found(Self.select(Self.orders, where: condition)) == ["?3 orders.total", "?2 orders.total"])
    }
    for symbol in [ASTOperator.add, .and, .or, .concatenate, .jsonExtract] {
      #expect(Self.found(Self.select(Self.orders, where: .call(symbol, column, Self.one))) == [])
    }
  }

  @Test func `a parameter stands for no column that it is not compared with`() {
    let (total, secret) = (ASTExpression.column("orders", "Total"), ASTExpression.column("orders", "secret"))
    let conditions: [(ASTExpression, [String])] = [
      (.call(.between, total, Self.one, secret), ["?1 orders.total"]),
      (.call(.notBetween, total, secret, Self.one), ["?1 orders.total"]),
      (.call(.between, Self.one, total, secret), ["?1 orders.total", "?1 orders.secret"]),
      (.call(.like, total, secret, Self.one), []), (.call(.notLike, Self.one, total, secret), ["?1 orders.total"]),
      (.call(.glob, total, Self.one), ["?1 orders.total"]),
    ]
    for (condition, wanted) in conditions {
      #expect(Self.found(Self.select(Self.orders, where: condition)) == wanted, "\(wanted)")
    }
    // An asterisk is as many columns as its table has, which the tree does not tell.
    let insert = ASTStatement.insert(into: "orders", ["tenant", "secret", "title"]) {
      $0.query = .select {
        $0.columns = [.expression(.parameter(2)), .all(), .expression(Self.one)]
        $0.from = .table("other")
      }
    }
    #expect(Self.found(insert) == ["?2 orders.tenant"])
  }

  @Test func `conditions are found wherever they stand`() {
    let inner = ASTExpression.call(.equal, .column("orders", "id"), Self.one)
    let conditions: [(String, ASTExpression)] = [
      ("and, or, not", .call(.and, .call(.or, .call(.not, inner), .literal(Int64(1))), .literal(Int64(2)))),
      ("a subquery", .exists(Self.select(.table("other"), where: inner))),
      ("a function", .function("coalesce", inner)),
      ("a case", .case([(inner, .literal(Int64(1)))])),
      (
        "a cast and a collation",
        .call(.equal, .collate(.column("orders", "id"), "NOCASE"), .cast(Self.one, as: "TEXT"))
      ),
      ("a tuple", .call(.equal, .tuple(.literal(Int64(1)), .column("orders", "id")), .tuple(.parameter(9), Self.one))),
      ("raw text", .raw(.expression(inner))),
    ]
    for (name, condition) in conditions {
      #expect(Self.found(Self.select(Self.orders, where: condition)) == ["?1 orders.id"], "\(name)")
    }
    let joined = ASTStatement.select {
      $0.columns = [.expression(inner)]
      $0.from = .table("orders")
      $0.joins = [.join(.inner, .table("items", as: "i"), on: .call(.equal, .column("i", "Sku"), .parameter(2)))]
      $0.having = .call(.less, .column("i", "sku"), .parameter(3))
    }
    #expect(Self.found(joined).sorted() == ["?1 orders.id", "?2 items.sku", "?3 items.sku"])
  }

  @Test func `lists name their columns, one for a plain list and each for rows`() {
    let column = ASTExpression.column("orders", "id")
    #expect(
      Self.found(Self.select(Self.orders, where: .call(.in, column, .listParameter(4)))) == ["?4 orders.id"])
    #expect(
      Self.found(Self.select(Self.orders, where: .in(column, [.parameter(1), .literal(Int64(2)), .parameter(3)])))
        == ["?1 orders.id", "?3 orders.id"])
    let pair = ASTExpression.tuple(.column("orders", "a"), .column("orders", "b"))
    #expect(
      Self.found(Self.select(Self.orders, where: .call(.in, pair, .listParameter(2, columns: 2))))
        == ["?2 orders.a", "?2.1 orders.b"])
    #expect(
      Self.found(.insert(into: "Orders", ["A", "b"], rows: 7)) == ["?7 orders.a", "?7.1 orders.b"])
  }

  @Test func `writes name the columns that they set`() {
    var upsert = ASTUpsert()
    upsert.assignments = [.set("total", .parameter(3))]
    upsert.where = .call(.less, .column("excluded", "total"), .parameter(4))
    let insert = ASTStatement.insert(into: "orders", ["id", "total"]) {
      $0.values = .rows([[.parameter(1), .parameter(2)], [.literal(Int64(1)), .parameter(5)]])
      $0.upserts = [upsert]
    }
    #expect(
      Self.found(insert)
        == ["?1 orders.id", "?2 orders.total", "?5 orders.total", "?3 orders.total", "?4 orders.total"])
    let update = ASTStatement.update("orders") {
      $0.alias = "o"
      $0.assignments = [.set("note", .parameter(1)), .set(["a", "b"], .tuple(.parameter(2), .parameter(3)))]
      $0.where = .call(.equal, .column("o", "id"), .parameter(4))
    }
    #expect(Self.found(update) == ["?1 orders.note", "?2 orders.a", "?3 orders.b", "?4 orders.id"])
    let delete = ASTStatement.delete(from: "orders") { $0.where = .call(.equal, .column("id"), Self.one) }
    #expect(Self.found(delete) == ["?1 orders.id"])
    let query = ASTStatement.insert(into: "orders", ["id"]) {
      $0.query = .select { $0.columns = [.expression(.parameter(1))] }
    }
    #expect(Self.found(query) == ["?1 orders.id"])
  }

  @Test func `what has passed through a function or arithmetic stands for no column`() {
    let update = ASTStatement.update("orders") {
      $0.assignments = [
        .set("note", .function("lower", .parameter(1))), .set("total", .call(.add, .column("total"), .parameter(2))),
        .set("kind", .case([(.call(.equal, .column("other", "x"), .parameter(3)), .parameter(4))])),
      ]
    }
    #expect(Self.found(update) == [])
    let lowered = ASTExpression.call(.equal, .function("lower", .column("orders", "id")), Self.one)
    #expect(Self.found(Self.select(Self.orders, where: lowered)) == [])
  }

  @Test func `a name of which the tree does not tell the table names nothing`() {
    let plain = ASTExpression.call(.equal, .column("id"), Self.one)
    let named = ASTExpression.call(.equal, .column("o", "id"), Self.one)
    let inOrders = ASTExpression.call(.equal, .column("orders", "id"), Self.one)
    let other = ASTTableSource.table("people", as: "o")
    var text = ASTTableSource()
    text.raw = ASTExpression.raw(.expression(.literal(Int64(1)))).raw
    let trees: [(String, ASTStatement)] = [
      ("two tables and a plain name", Self.select(.joined(Self.orders, [.join(.cross, other)]), where: plain)),
      (
        "a subquery that may have the name",
        Self.select(.subquery(Self.select(Self.orders, where: .literal(Int64(1)))), where: plain)
      ),
      (
        "a function beside it",
        Self.select(.joined(Self.orders, [.join(.cross, .function("json_each", [Self.one]))]), where: plain)
      ),
      ("rows beside it", Self.select(.joined(Self.orders, [.join(.cross, .rows(2, columns: 1))]), where: plain)),
      (
        "an alias of two tables",
        Self.select(
          .table("orders", as: "o"), where: .call(.and, named, .exists(Self.select(other, where: .literal(Int64(1))))))
      ),
      (
        "the alias of a subquery",
        Self.select(.subquery(Self.select(Self.orders, where: .literal(Int64(1))), as: "o"), where: named)
      ),
      (
        "a common table of the name",
        .with(
          [.named("Orders", as: Self.select(other, where: .literal(Int64(1))))],
          Self.select(Self.orders, where: inOrders))
      ),
      (
        "an alias of a common table",
        .with(
          [.named("orders", as: Self.select(other, where: .literal(Int64(1))))],
          Self.select(.table("orders", as: "x"), where: .call(.equal, .column("x", "id"), Self.one)))
      ),
      ("a name that nothing has", Self.select(Self.orders, where: named)),
      ("raw text for a source", Self.select(.joined(Self.orders, [.join(.cross, text)]), where: plain)),
    ]
    for (name, tree) in trees { #expect(Self.found(tree) == [], "\(name)") }
    #expect(Self.found(Self.select(Self.orders, where: plain)) == ["?1 orders.id"])
  }

  @Test func `trees of every kind, with a byte changed, are walked without a trap`() {
    var state = UInt64(7)
    var walked = 0
    for example in Example.all {
      _ = example.tree.parameterColumns
      for _ in 0..<4 {
        var bytes = example.tree.serialized
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 25)
        guard let tree = try? ASTStatement.decode(bytes) else { continue }
        _ = tree.parameterColumns
        walked += 1
      }
    }
    #expect(walked > 0)
  }
}
