/// A role that may run registered statements only, on a server, over a socket.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RegisteredShapeTests {
  private static let byKey = ASTStatement.select {
    $0.columns = [.expression(.column("title"))]
    $0.from = .table("notes")
    $0.where = .call(.equal, .column("id"), .parameter(1))
  }
  private static let add = ASTStatement.insert(into: "notes", ["title", "tenant"]) {
    $0.values = .rows([[.parameter(1), .literal("a")]])
    $0.returning = [.expression(.column("title"))]
  }
  private static let everything = ASTStatement.select { $0.from = .table("secrets") }
  private static let sum = ASTStatement.raw("SELECT 1 + ?1")
  private static let refusal = "This client may run registered statements only"

  private static func shape(_ tree: ASTStatement) -> ShapeID { tree.bytes.withUnsafeBytes { ShapeID(hashing: $0) } }

  private let folder: TemporaryFolder
  private var file: String { folder.path + "/app.shapes" }

  init() throws { folder = try TemporaryFolder() }

  private func register(_ trees: [ASTStatement]) throws -> Int {
    var list = ShapeList()
    for tree in trees { list.add(Self.shape(tree), note: "some\nSQL") }
    return try ShapeFile(path: file).register(list)
  }

  /// A server whose role `app` may run what the file has, and a client with it.
  private func stage(_ trees: [ASTStatement], tables: Bool = false) throws -> (RuleStage, RawClient) {
    #expect(try register(trees) == trees.count)
    let stage = try RuleStage()
    try stage.reload { policy in
      policy.roles["app"]?.grants[0].shapeFiles = [file]
      if !tables { policy.roles["app"]?.grants[0].tables = nil }
      policy.roles["app"]?.grants[0].permissions = tables ? .rows : [.rows, .raw]
    }
    let (client, error) = try stage.client("a")
    #expect(error == nil)
    return (stage, client)
  }

  @Test func `what is registered runs with any values, by its tree and by its shape, and nothing else does`() throws {
    let (stage, app) = try stage([Self.byKey, Self.add, Self.sum])
    // Others have made the plans of all of them.
    #expect(try stage.ask(stage.admin, Self.everything).rows.count == 1)
    for id in 1...3 {
      #expect(try stage.ask(app, Self.byKey, [.integer(Int64(id))]).rows == [[.text("n\(id)")]])
      #expect(try stage.ask(app, shape: Self.byKey, [.integer(Int64(id))]).rows == [[.text("n\(id)")]])
    }
    #expect(try stage.ask(app, Self.add, [.text("new")]).rows == [[.text("new")]])
    #expect(try stage.ask(app, Self.sum, [.integer(2)]).rows == [[.integer(3)]])
    let others: [ASTStatement] = [
      Self.everything, .delete(from: "notes"), .raw("SELECT 1 + ?1 "), .raw("SELECT 1"),
      .select { $0.from = .subquery(Self.byKey, as: "s") },
      .with([.named("c", as: Self.everything)], Self.byKey),
    ]
    for tree in others {
      for answer in [try stage.ask(app, tree, [.integer(1)]), try stage.ask(app, shape: tree)] {
        #expect(
          answer.error?.reason == .permission && answer.error?.message.hasPrefix(Self.refusal) == true, "\(answer)")
        #expect(answer.rows.isEmpty)
      }
    }
    #expect(try stage.run("SELECT count(*) FROM notes").rows == [[.integer(7)]])
  }

  @Test func `it holds in batches, transactions and setups too`() throws {
    let (stage, app) = try stage([Self.byKey, Self.add])
    for isAtomic in [true, false] {
      app.send(
        50,
        .batch(
          .init(
            steps: [
              .init(source: .statement(Self.add.bytes), parameters: [.value(.text("in batch \(isAtomic)"))]),
              .init(source: .shape(Self.shape(Self.everything))),
            ], isAtomic: isAtomic)))
      let answer = try app.answer(50)
      #expect("\(answer)".contains(Self.refusal) && !"\(answer)".contains("MARK"), "\(answer)")
    }
    #expect(try stage.run("SELECT count(*) FROM notes WHERE title = 'in batch true'").rows == [[.integer(0)]])
    app.send(60, .begin(.write))
    #expect(try app.answer(60).error == nil)
    app.send(61, .execute(.init(source: .statement(Self.everything.bytes), transaction: 60)))
    #expect(try app.answer(61).error?.message.hasPrefix(Self.refusal) == true)
    app.send(62, .execute(.init(source: .statement(Self.add.bytes), parameters: [.text("kept")], transaction: 60)))
    #expect(try app.answer(62).error == nil)
    app.send(63, .finish(transaction: 60, commit: true))
    _ = try app.answer(63)
    #expect(try stage.run("SELECT count(*) FROM notes WHERE title = 'kept'").rows == [[.integer(1)]])
    let view = ASTStatement.createView("v", Self.everything) { $0.temporary = true }
    let error = try stage.client("a", setup: [view.bytes]).1
    #expect(error?.path == "setup[0]" && error?.message.contains(Self.refusal) == true)
    #expect(try register([view]) == 1)
    #expect(try stage.client("a", setup: [view.bytes]).1 == nil)
  }

  @Test func `it holds beside rules for tables, which say which rows there are`() throws {
    let (stage, app) = try stage([Self.byKey], tables: true)
    #expect(try stage.ask(app, Self.byKey, [.integer(1)]).rows.count == 1)
    #expect(try stage.ask(app, Self.byKey, [.integer(2)]).rows.isEmpty)
    let ids = ASTStatement.select { $0.from = .table("notes") }
    #expect(try stage.ask(app, ids).error?.message.hasPrefix(Self.refusal) == true)
  }

  @Test func `ten thousand refusals leave a neighbour and the plans of others alone`() throws {
    let (stage, app) = try stage([Self.byKey])
    for round in 0..<100 {
      for number in 0..<100 {
        let tree = ASTStatement.select { $0.columns = [.expression(.literal(Int64(round * 100 + number)))] }
        app.send(UInt32(1_000 + number), .execute(.init(source: .statement(tree.bytes))))
      }
      // In whatever order: once the loop's time for new statements is spent, the rest are read on another thread.
      let answers = try app.answers(Set(1_000..<1_100))
      #expect(answers.count == 100 && answers.values.allSatisfy { $0.error?.reason == .permission }, "\(answers)")
      #expect(
        try stage.ask(stage.admin, shape: Self.byKey, [.integer(1)]).error?.reason == (round == 0 ? .unprepared : nil))
      if round == 0 { _ = try stage.ask(stage.admin, Self.byKey, [.integer(1)]) }
    }
    #expect(try stage.ask(app, Self.byKey, [.integer(1)]).rows.count == 1)
  }

  @Test func `a reload takes the file anew, and one that is wrong leaves the old one in force`() throws {
    let (stage, app) = try stage([Self.byKey])
    #expect(try stage.ask(app, Self.everything).error != nil)
    #expect(try register([Self.everything, Self.byKey]) == 1)
    try stage.reload { _ in }
    // A session hears of it in its loop's next turn.
    try waitUntil(within: .seconds(5)) { try stage.ask(app, Self.everything).error == nil }
    #expect(try stage.ask(app, Self.everything).rows.count == 1)
    try Data("# nothing\nnothing\n".utf8).write(to: URL(filePath: file))
    #expect(throws: ServerError("\(file):2: A line starts with a shape: 32 hexadecimal digits.")) {
      try stage.reload { _ in }
    }
    chmod(file, 0o666)
    #expect(
      throws: ServerError("\(file) may be written by others than its owner. Take those rights away with `chmod go-w`.")
    ) {
      try stage.reload { _ in }
    }
    unlink(file)
    #expect(throws: ServerError("There is no file \(file). `martlet shapes register` makes it.")) {
      try stage.reload { _ in }
    }
    #expect(try stage.ask(app, Self.everything).rows.count == 1)
    // An empty list is a list: nothing may be run.
    try Data().write(to: URL(filePath: file))
    chmod(file, 0o600)
    try stage.reload { _ in }
    try waitUntil(within: .seconds(5)) { try stage.ask(app, Self.byKey, [.integer(1)]).error != nil }
    #expect(try stage.ask(app, Self.byKey, [.integer(1)]).error?.reason == .permission)
  }
}
