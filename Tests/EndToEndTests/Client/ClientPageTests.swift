/// The examples of `docs/CLIENT.md`: each block of the page stands here as it stands there, and runs.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite struct ClientPageTests {
  private struct Item: Decodable {
    var id: Int
    var title: String
    var price: Double?
  }

  @Test func `the examples of the client's page run`() async throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let database = try DatabaseClient(
      server.url("shop"), configuration: ClientConfiguration(createsDatabase: true))
    try await database.ping()
    try await database.execute(.sql("CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, price REAL)"))
    try await database.execute(.sql("CREATE TABLE notes (item INTEGER REFERENCES items, note TEXT)"))
    let note = RemoteStatement.sql("INSERT INTO notes VALUES (?1, ?2)")

    let insert = try RemoteStatement(
      .insert(into: "items", ["title", "price"]) { $0.values = .rows([[.parameter(1), .parameter(2)]]) })
    let completion = try await database.execute(insert, ["Tea", 2.5])
    #expect(completion.lastInsertRowID == 1 && completion.rowsChanged == 1)

    var configuration = ClientConfiguration()
    configuration.setup = [.sql("CREATE TEMP VIEW cheap AS SELECT * FROM items WHERE price < 10")]
    let prepared = try DatabaseClient(server.url("shop"), configuration: configuration)
    #expect(try await prepared.fetchAll(.sql("SELECT id FROM cheap", isRead: true)).count == 1)
    await prepared.close()

    var remote = ClientConfiguration()
    remote.tls.authorities = "/etc/shop/authority.pem"
    remote.credential = .file("/etc/shop/token")
    #expect(throws: Never.self) { try DatabaseClient("martlet+tls://db.example/shop", configuration: remote) }

    let cheap = RemoteStatement.sql("SELECT id, title, price FROM items WHERE price < ?1 ORDER BY id", isRead: true)
    var seen: [String] = []
    for try await row in try await database.rows(cheap, [10]) {
      let title = try row.get(String.self, "title")
      let price = try row.get(Double.self, 2)
      seen.append("\(title) \(price)")
    }
    #expect(seen == ["Tea 2.5"])
    let items = try await database.fetchAll(Item.self, cheap, [10])
    #expect(items.map(\.title) == ["Tea"] && items.first?.id == 1 && items.first?.price == 2.5)

    try await database.write { transaction in
      try await transaction.execute(insert, ["Coffee", 3])
      try await transaction.savepoint {
        try await transaction.execute(insert, ["Milk", 1])
      }
      try await transaction.send(insert, ["Salt", 1.2])
    }
    let count = try await database.read { snapshot in
      try await snapshot.fetchAll(cheap, [10]).count
    }
    #expect(count == 4)

    let results = try await database.batch { batch in
      let item = batch.add(insert, ["Sugar", 1.5])
      batch.add(note, [item.lastInsertRowID, "sweet"], when: item.changedRows)
    }
    #expect(results[1].completion?.rowsChanged == 1)
    let noted = RemoteStatement.sql("SELECT item FROM notes", isRead: true)
    #expect(try await database.fetchOne(Int.self, noted) == 5)

    try await withDeadline(.seconds(2)) {
      try await database.execute(insert, ["Bread", 4], deadline: .milliseconds(500))
    }
    #expect(try await database.fetchAll(cheap, [10]).count == 6)
    await database.close()
  }

  @Test func `the page shows nothing that this test does not run`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(contentsOf: folder.appending(path: "../../../docs/CLIENT.md"), encoding: .utf8)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let shown = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    var isSwift = false
    var lines = 0
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isSwift = line == "```swift"
        continue
      }
      let text = line.trimmingCharacters(in: .whitespaces)
      // What a reader prints, the test compares; if a reader names an address, the test has one of its own.
      guard isSwift, !text.isEmpty, !text.hasPrefix("print("), !text.contains("\"martlet") else { continue }
      lines += 1
      let runs = shown.contains(text) || shown.contains("private \(text)")
      #expect(runs, "\(text)")
    }
    #expect(lines > 30)
  }
}
