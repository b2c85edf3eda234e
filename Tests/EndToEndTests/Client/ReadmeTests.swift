/// The program that the README shows: each of its lines stands here, and runs.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import Testing

@Suite struct ReadmeTests {
  @Test func `the README's program runs`() async throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let database = try RemoteDatabase(server.url("shop"), configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, price REAL)"))

    let insert = try RemoteStatement(
      .insert(into: "items", ["title", "price"]) { $0.values = .rows([[.parameter(1), .parameter(2)]]) })
    try await database.write { transaction in
      try await transaction.execute(insert, ["Tea", 2.5])
      try await transaction.execute(insert, ["Coffee", 3])
    }

    struct Item: Decodable { let title: String, price: Double }
    let cheap = try RemoteStatement(
      .select {
        $0.columns = [.expression(.column("title")), .expression(.column("price"))]
        $0.from = .table("items")
        $0.where = .call(.less, .column("price"), .parameter(1))
        $0.orderBy = [.by(.column("price"))]
      })
    var titles: [String] = []
    for try await row in try await database.rows(cheap, [10]) {
      let item = try row.decode(Item.self)
      titles.append(item.title)
    }
    #expect(titles == ["Tea", "Coffee"])
    await database.close()
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
      // The address is the test's own, and what a reader prints the test compares.
      guard !text.isEmpty, !text.hasPrefix("print("), !text.contains("\"martlet://") else { continue }
      lines += 1
      #expect(runs.contains(text), "\(text)")
    }
    #expect(lines > 15)
  }
}
