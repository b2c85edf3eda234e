/// Functions in Swift that a schema calls: constraints, generated columns, indexes, views and triggers.
///
/// Always true: a connection without the functions says which one it lacks, and where the schema calls it if SQLite
/// does not.
import Foundation
import Martlet
import MartletTestSupport
import Testing

@Suite struct SchemaFunctionTests {
  @DatabaseFunction(isDeterministic: true) static func slug(_ text: String) -> String { text.lowercased() }
  @DatabaseFunction(isDeterministic: true) static func asked(_ text: String?) -> String? { text.map { $0 + "?" } }
  @DatabaseFunction static func loud(_ text: String) throws -> String {
    if text.isEmpty { throw Silence() }
    return text.uppercased()
  }

  private struct Silence: Error {}

  @Table struct Page: Equatable {
    let id: Int
    var title = ""
    var note: String?
    @Column(generated: .stored) var key = ""
  }

  @Table struct Name: Equatable {
    let id: Int
    var key = ""
  }

  private func create(_ path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: Self.$slug)
      db.add(function: Self.$asked)
      db.add(function: Self.$loud)
    }
    try DatabaseQueue(path: path, configuration: configuration).write { db in
      try Page.createTable { page in
        page.title.check { Self.$slug($0).neq("bad") }
        page.key.generated(stored: true) { Self.$slug($0.title) }
      }.execute(db)
      try Page.createIndex("asked", on: { Self.$slug($0.title) }, where: { Self.$asked($0.note).isNot(nil) })
        .execute(db)
      try Page.createTrigger(
        "noted", after: .insert { new in Page.find(new.id).update { $0.note = Self.$loud(new.title) } }
      ).execute(db)
      try Name.createView(as: Page.select { Name.Columns(id: $0.id, key: Self.$slug($0.title)) }).execute(db)
      #expect(throws: RequestError.self) { try Page.createIndex("loud", on: { Self.$loud($0.title) }).execute(db) }
      try Page.insert {
        $0.title
      } values: {
        "Hello"
      }.execute(db)
      #expect(throws: RequestError.self) {
        try Page.insert {
          $0.title
        } values: {
          "BAD"
        }.execute(db)
      }
      let silence = #expect(throws: RequestError.self) {
        try Page.insert {
          $0.title
        } values: {
          ""
        }.execute(db)
      }
      #expect(silence?.message.contains("Silence") == true)
      #expect(try Page.all.fetchAll(db) == [Page(id: 1, title: "Hello", note: "HELLO", key: "hello")])
      #expect(try Page.select { Self.$asked($0.note) }.fetchAll(db) == ["HELLO?"])
      #expect(try Page.select { _ in Self.$asked(String?.none) }.fetchAll(db) == [nil])
    }
  }

  @Test func `a function that the schema calls is named where it is missing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/functions.db"
    try create(path)
    try DatabaseQueue(path: path).write { db in
      let titles = try Page.select(\.title).fetchAll(db)
      #expect(titles == ["Hello"])
      let remark = "The table's definition or an index calls it, and this connection has no such function."
      for statement in [
        "INSERT INTO pages (title) VALUES ('x')", "UPDATE pages SET title = 'x'", "DELETE FROM pages WHERE id = 1",
      ] {
        let error = #expect(throws: RequestError.self) { try db.execute(sql: statement) }
        #expect(error?.message == "Unknown function: slug(). \(remark)")
      }
      let built = #expect(throws: RequestError.self) { try Page.find(1).delete().execute(db) }
      #expect(built?.message == "Unknown function: slug(). \(remark)" && built?.path == "")
      let view = #expect(throws: RequestError.self) { try Name.all.fetchAll(db) }
      #expect(view?.message == "No such function: slug.")
      let own = #expect(throws: RequestError.self) { try Page.select { Self.$slug($0.title) }.fetchAll(db) }
      #expect(own?.message == "No such function: slug." && own?.path.isEmpty == false)
    }
  }
}
