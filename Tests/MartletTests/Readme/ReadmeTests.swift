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

  /// The README's program: its declarations, and what it does.
  private func program() throws -> (declarations: String, body: String) {
    let page = try String(contentsOf: BuildProducts.projectRoot.appending(path: "README.md"), encoding: .utf8)
    let text = try #require(page.components(separatedBy: "```swift\n").dropFirst().first)
    let parts = text.components(separatedBy: "```")[0].components(separatedBy: "\nvar configuration")
    try #require(parts.count == 2)
    return (parts[0], "\nvar configuration" + parts[1])
  }

  /// What the compiler says of a program whose warnings are errors; empty if it says nothing.
  private func complaints(about text: String, in file: String, _ options: [String] = []) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path + "/" + file
    try Data(text.utf8).write(to: URL(filePath: path))
    let products = try BuildProducts.besideTheTests().compilerOptions(module: "Program")
    let run = try CompilerRun.swiftc(["-typecheck", "-warnings-as-errors"] + options + products + [path], in: folder)
    return run.succeeded ? run.output : "refused: " + run.output
  }

  @Test func `the README's program compiles without a warning, wherever it stands`() throws {
    let (declarations, body) = try program()
    let awaited = body.replacing("try database.", with: "try await database.")
    #expect(awaited.contains("try await database.write") && awaited.contains("try await database.read"))
    let programs: [(String, String, [String])] = [
      ("main.swift", declarations + body, []),
      ("Blocking.swift", declarations + "\nfunc run() throws {\(body)}", []),
      ("Waiting.swift", declarations + "\nfunc run() async throws {\(awaited)}", []),
      ("main.swift", declarations + "\nfunc run() async throws {\(awaited)}\ntry await run()\n", []),
      (
        "Program.swift",
        declarations + "\n@main struct Program {\nstatic func main() async throws {\(awaited)}\n}\n",
        ["-parse-as-library"]
      ),
    ]
    for (file, text, options) in programs {
      #expect(try complaints(about: text, in: file, options) == "", "\(file):\n\(text)")
    }
  }

  /// Swift takes the top level of main.swift for synchronous when it chooses between methods of one name, and so takes
  /// the blocking ones, which are the right ones without `await`. The day this fails, DATABASE.md can say less.
  @Test func `await is superfluous at the top level of main.swift`() throws {
    let (declarations, body) = try program()
    let awaited = body.replacing("try database.read", with: "try await database.read")
    let complaints = try complaints(about: declarations + awaited, in: "main.swift")
    #expect(complaints.contains("no 'async' operations occur within 'await' expression"), "\(complaints)")
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
