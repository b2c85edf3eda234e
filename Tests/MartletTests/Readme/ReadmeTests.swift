/// The program that the README shows: each of its lines stands here, and runs.
import Foundation
import Martlet
import MartletTestSupport
import Testing

@Table
private struct Item: Identifiable {
  let id: Int
  var title = ""
  var price: Double?
}

@Suite struct ReadmeTests {
  @Test func `the README's program runs on a file and at a server`() throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    var configuration = Configuration()
    configuration.remote.createsDatabase = true
    let databases: [any DatabaseWriter] = [
      try DatabaseQueue(path: directory.path + "/own.sqlite"),
      try RemoteDatabase("\(server.url("shop"))", configuration: configuration),
    ]
    for database in databases {
      try database.write { db in
        try Item.createTable(ifNotExists: true).execute(db)
        try Item.insert {
          Item.Draft(title: "Tea", price: 2.5)
          Item.Draft(title: "Coffee", price: 3)
        }
        .execute(db)
      }

      let cheap = try database.read { db in
        try Item.where { $0.price < 10 }.order(by: \.price).fetchAll(db)
      }
      #expect(cheap.map(\.title) == ["Tea", "Coffee"])
    }
  }

  @Test func `seeds of one type are one insert, in their order`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try Item.createTable().execute(db)
      try db.seed {
        Item(id: 7, title: "Milk", price: nil)
        Item.Draft(title: "Tea", price: 2.5)
        [Item.Draft(title: "Bread"), Item.Draft(title: "Salt", price: 1)]
      }
      let rows = try Item.order(by: \.id).fetchAll(db)
      #expect(rows.map(\.id) == [7, 8, 9, 10])
      #expect(rows.map(\.title) == ["Milk", "Tea", "Bread", "Salt"])
    }
  }

  /// As a file called main.swift, at whose top level the compiler takes the blocking methods.
  @Test func `the README's program compiles without a warning`() throws {
    let folder = try TemporaryFolder()
    let root = BuildProducts.projectRoot
    let page = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let program = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
    let path = folder.path + "/main.swift"
    try Data(program.components(separatedBy: "```")[0].utf8).write(to: URL(filePath: path))
    let options = try BuildProducts.besideTheTests().compilerOptions(module: "Program")
    let run = try CompilerRun.swiftc(["-typecheck"] + options + [path], in: folder)
    #expect(run.succeeded && !run.output.contains("warning:"), "\(run.output)")
  }

  @Test func `the README shows nothing that this test does not run`() throws {
    let here = URL(filePath: #filePath)
    let page = try String(contentsOf: here.appending(path: "../../../../README.md").standardized, encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
    let runs = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let program = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
    var lines = 0
    for line in program.components(separatedBy: "```")[0].split(separator: "\n") {
      let text = line.trimmingCharacters(in: .whitespaces)
      // The address and the struct's access are the test's own, and what a reader prints the test compares.
      guard !text.isEmpty, !text.contains("print("), !text.contains("\"martlet://") else { continue }
      lines += 1
      #expect(runs.contains(text) || runs.contains("private " + text), "\(text)")
    }
    #expect(lines > 15)
  }
}
