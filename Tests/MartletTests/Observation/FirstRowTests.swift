/// `@FetchOne` with a row as its initial value and without a query.
import Foundation
import Martlet
import Testing

@Suite(.timeLimit(.minutes(1))) struct FirstRowTests {
  /// A table without a key.
  @Table("notes") struct Log: Equatable {
    var title = "default"
    var position = 0

    static let all = unscoped.order(by: \.position)
  }

  /// A table with a key.
  @Table("notes") struct Row: Equatable {
    let id: Int
    var title = ""
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row without a key stands for the first row of its table`(home: DatabaseHome) async throws {
    let database = try home.open(Notes.script)
    let log = FetchOne(wrappedValue: Log(), database: database)
    try await log.load()
    same(log.wrappedValue.title, "b")
    let optional = FetchOne(wrappedValue: Log() as Log?, database: database)
    try await optional.load()
    same(optional.wrappedValue?.title, "b")
    try await database.write { try Log.unscoped.delete().execute($0) }
    let missing = await #expect(throws: NotFound.self) { try await log.load() }
    same(missing?.description, "The query gave no row.")
    same(log.wrappedValue.title, "b")
    try await optional.load()
    #expect(optional.wrappedValue.map(\.title) == nil)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an optional row stands for the first row, a row with a key for its own`(home: DatabaseHome) async throws {
    let database = try home.open(Notes.script)
    let first = FetchOne(wrappedValue: Row(id: 0) as Row?, database: database)
    try await first.load()
    same(first.wrappedValue, Row(id: 1, title: "a"))
    let none: FetchOne<Row?> = FetchOne(database: database)
    try await none.load()
    same(none.wrappedValue ?? Row(id: 0), Row(id: 1, title: "a"))
    let own = FetchOne(wrappedValue: Row(id: 3), database: database)
    try await own.load()
    same(own.wrappedValue, Row(id: 3, title: "c"))
    // A value that is no row waits for a query.
    let count = FetchOne(wrappedValue: 7, database: database)
    same(count.wrappedValue, 7)
    try await count.load(Row.count())
    same(count.wrappedValue, 5)
  }
}
