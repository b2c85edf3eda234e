/// Trees that are no statements: each is refused with the reason, and with the path of the node at fault.
///
/// Always true: a table of tree and answer; what is refused never reaches SQLite.
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct ValidationTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    var path: String
    var tree: ASTStatement
    var reason = RequestError.Reason.invalidStatement
    var testDescription: String { path }
  }

  @Test(arguments: Refusal.all) func `a tree that is no statement is refused at its node`(_ refusal: Refusal) {
    let error = #expect(throws: RequestError.self) { try StatementRenderer().render(refusal.tree) }
    #expect(error?.path == refusal.path)
    #expect(error?.reason == refusal.reason)
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test func `limits are exact`() throws {
    var limits = Limits()
    limits.nestingMax = 5
    limits.nodesMax = 20
    limits.parametersMax = 3
    limits.joinsMax = 1
    limits.sqlBytesMax = 200
    let renderer = StatementRenderer(limits: limits)
    func refuses(_ tree: ASTStatement) -> RequestError.Reason? {
      do throws(RequestError) {
        _ = try renderer.render(tree)
        return nil
      } catch { return error.reason }
    }
    func nested(_ levels: Int) -> ASTStatement {
      var expression = ASTExpression.literal(Int64(1))
      for _ in 1..<levels { expression = .call(.not, expression) }
      return .select { $0.columns = [.expression(expression)] }
    }
    func wide(_ count: Int) -> ASTStatement {
      .select { $0.columns = Array(repeating: .expression(.literal(Int64(1))), count: count) }
    }
    func joined(_ count: Int) -> ASTStatement {
      .select {
        $0.from = .table("a")
        $0.joins = Array(repeating: .join(.inner, .table("b")), count: count)
      }
    }
    #expect(refuses(nested(4)) == nil && refuses(nested(5)) == .limit)
    #expect(refuses(wide(19)) == nil && refuses(wide(20)) == .limit)
    #expect(refuses(joined(1)) == nil && refuses(joined(2)) == .limit)
    for (index, reason) in [(3, nil), (4, .limit)] as [(UInt32, RequestError.Reason?)] {
      #expect(refuses(.select { $0.columns = [.expression(.parameter(index))] }) == reason)
    }
    for (length, reason) in [(200, nil), (201, .limit)] as [(Int, RequestError.Reason?)] {
      #expect(refuses(.raw(String(repeating: "x", count: length))) == reason)
    }
  }

  @Test func `parameters and lists are counted as they are used`() throws {
    let tree = ASTStatement.select {
      $0.columns = [.expression(.parameter(5)), .expression(.parameter(5))]
      $0.from = .rows(2, columns: 3)
      $0.where = .call(
        .and, .call(.in, .column("c0"), .listParameter(3)),
        .call(.in, .tuple(.column("c0"), .column("c1")), .listParameter(4, columns: 0)))
    }
    let rendered = try StatementRenderer().render(tree)
    #expect(rendered.parameterCount == 5)
    #expect(rendered.listParameters == [2: 3, 3: 1, 4: 2])
  }

  @Test func `a statement says what it does`() throws {
    let select = ASTStatement.select { $0.columns = [.expression(.null)] }
    let rawSelect = ASTStatement.select { $0.columns = [.expression(.raw("1"))] }
    let delete = ASTStatement.delete(from: "t")
    let table: [(ASTStatement, StatementAccess, Bool, Bool)] = [
      (select, .read, true, false), (rawSelect, .raw, true, true), (delete, .write, false, false),
      (.with([.named("x", as: select)], delete), .write, false, false),
      (.with([.named("x", as: rawSelect)], delete), .raw, false, true),
      (.delete(from: "t") { $0.returning = [.all()] }, .write, true, false),
      (.delete(from: "t") { $0.where = .raw("1") }, .write, false, true),
      (.drop(.table, "t"), .schema, false, false), (.raw("PRAGMA x"), .raw, true, true),
    ]
    for (tree, access, returnsRows, holdsRaw) in table {
      let rendered = try StatementRenderer().render(tree)
      #expect(rendered.access == access && rendered.returnsRows == returnsRows && rendered.holdsRaw == holdsRaw)
    }
  }

  @Test func `what this SQLite lacks is refused by the version that has it`() {
    let ordered = ASTStatement.select {
      $0.columns = [.expression(.function("group_concat", .column("a")) { $0.orderBy = [.by(.column("a"))] })]
      $0.from = .table("t")
    }
    let unhex = ASTStatement.select { $0.columns = [.expression(.function("unhex", .literal("00")))] }
    for (tree, version) in [(ordered, "3.44"), (unhex, "3.41")] {
      let error = #expect(throws: RequestError.self) { try StatementRenderer().render(tree) }
      #expect(error?.reason == .unsupported && error?.code == .unimplemented)
      #expect(error?.message.contains("SQLite \(version)") == true && error?.message.contains("3.40.1") == true)
    }
    #expect(throws: Never.self) { try StatementRenderer(sqliteVersion: 3_044_000).render(ordered) }
    #expect(throws: Never.self) { try StatementRenderer(extensions: .init(functions: ["unhex"])).render(unhex) }
  }
}
