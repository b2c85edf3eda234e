/// Values that follow a database: the first one, one after each commit that concerns them, and none too many.
///
/// Always true: a test waits for the next value, and for nothing else.
import Dispatch
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite struct ValueObservationTests {
  private static let titles = ValueObservation.tracking { db in
    try Item.order(by: \.id).fetchAll(db).map(\.title)
  }

  private static func rename(_ title: String, in database: any DatabaseWriter) async throws {
    try await database.write { try Item.find(1).update { $0.title = title }.execute($0) }
  }

  @Test(arguments: Home.allCases)
  func `the value comes now, and after each commit that concerns it`(home: Home) async throws {
    let open = try home.open()
    var seen: [String] = []
    for try await titles in Self.titles.values(in: open.database) {
      seen.append(titles[0])
      switch seen.count {
      case 1: try await Self.rename("Green tea", in: open.database)
      case 2: try await Self.rename("Black tea", in: open.database)
      default: break
      }
      if seen.count == 3 { break }
    }
    #expect(seen == ["Tea", "Green tea", "Black tea"])
  }

  @Test(arguments: Home.allCases)
  func `many commits between two values are one`(home: Home) async throws {
    let open = try home.open()
    let fetches = Counter()
    let observation = ValueObservation.tracking { db in
      fetches.add()
      return try Item.find(db, key: 1).title
    }
    var values = observation.values(in: open.database).makeAsyncIterator()
    #expect(try await values.next().map { $0.elementsEqual("Tea") } == true)
    for number in 1...20 { try await Self.rename("Tea \(number)", in: open.database) }
    #expect(try await values.next().map { $0.elementsEqual("Tea 20") } == true)
    try await Self.rename("Last", in: open.database)
    #expect(try await values.next().map { $0.elementsEqual("Last") } == true)
    #expect(fetches.count == 3)
  }

  @Test func `a commit while the value is fetched makes one more`() async throws {
    // Of a pool, because a queue's one connection lets nobody write while it reads.
    let open = try Home.pool.open()
    let database = open.database
    let fetches = Counter()
    let observation = ValueObservation.tracking { db in
      let title = try Item.find(db, key: 1).title
      if fetches.add() == 1 {
        let isWritten = DispatchSemaphore(value: 0)
        Task.detached {
          for number in 1...3 { try await Self.rename("Tea \(number)", in: database) }
          isWritten.signal()
        }
        isWritten.wait()
      }
      return title
    }
    var seen: [String] = []
    for try await title in observation.values(in: database) {
      seen.append(title)
      if seen.count == 2 { break }
    }
    #expect(seen == ["Tea", "Tea 3"])
    #expect(fetches.count == 2)
  }

  @Test(arguments: Home.embedded)
  func `a task that waits wakes for what concerns it`(home: Home) async throws {
    let open = try home.open()
    let (counts, tell) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      let observation = ValueObservation.tracking { try Item.fetchCount($0) }
      for try await count in observation.values(in: open.database) { tell.yield(count) }
    }
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      if seen.count == 3 { break }
      try await open.database.write { try Owner.find(1).update { $0.name += "!" }.execute($0) }
      try await open.database.write { try Item.insert { Item.Draft(title: "Jug \(count)") }.execute($0) }
    }
    #expect(seen == [3, 4, 5])
    task.cancel()
    try await task.value
  }

  @Test(arguments: Home.allCases)
  func `values that are equal to the one before are left out on demand`(home: Home) async throws {
    let open = try home.open()
    let observation = ValueObservation.tracking { try Item.fetchCount($0) }.removeDuplicates()
    var values = observation.values(in: open.database).makeAsyncIterator()
    _ = try await values.next()
    try await Self.rename("Green tea", in: open.database)
    try await open.database.write { try Item.insert { Item.Draft(title: "Jug") }.execute($0) }
    let count = try await values.next()
    #expect(count.map { [4].contains($0) } == true)
  }

  /// A write whose rows do not hold what the type asks for.
  private static let badlyRead = SQLQueryExpression("UPDATE items SET price = 6 RETURNING NULL", as: Int.self)

  private struct CountRequest: FetchKeyRequest {
    func fetch(_ db: Database) throws -> Int { try Item.fetchCount(db) }
  }

  @Test(arguments: Home.allCases)
  func `a request is observed as a closure is`(home: Home) async throws {
    let open = try home.open()
    var values = ValueObservation.tracking(CountRequest()).values(in: open.database).makeAsyncIterator()
    let before = try await values.next()
    try await open.database.write { try Item.find(1).delete().execute($0) }
    let after = try await values.next()
    #expect([before, after] == [3, 2])
  }

  @Test(arguments: Home.allCases)
  func `cancelling the task ends the values`(home: Home) async throws {
    let open = try home.open()
    let (first, tellFirst) = AsyncStream.makeStream(of: Int.self)
    let task = Task {
      var count = 0
      for try await _ in Self.titles.values(in: open.database) {
        count += 1
        tellFirst.yield(count)
      }
      return count
    }
    for await _ in first { break }
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test(arguments: Home.allCases)
  func `what fetching throws ends the values`(home: Home) async throws {
    let open = try home.open()
    var values = Self.titles.values(in: open.database).makeAsyncIterator()
    _ = try await values.next()
    try await open.database.write { try $0.execute(sql: #"DROP TABLE "items""#) }
    await #expect(throws: RequestError.self) { try await values.next() }
    #expect(try await values.next() == nil)
  }

  @Test(arguments: Home.embedded)
  func `closing the database ends the values with its error`(home: Home) async throws {
    let open = try home.open()
    var values = Self.titles.values(in: open.database).makeAsyncIterator()
    _ = try await values.next()
    (open.database as? DatabaseQueue)?.close()
    (open.database as? DatabasePool)?.close()
    await #expect(throws: RequestError.self) { try await values.next() }
  }

  @Test(arguments: RemoteTests.homes)
  func `a remote database follows statements on their own, and not what others write`(home: Home) async throws {
    let open = try home.open()
    let remote = try #require(open.database as? RemoteDatabase)
    let observer = DatabaseObserver(remote)
    func fetch() async throws { _ = try await observer.fetch { try Item.fetchAll($0) } }
    let writes: [@Sendable () async throws -> Void] = [
      { _ = try await Item.find(1).update { $0.price = 1 }.execute(remote) },
      { _ = try await Item.find(1).update { $0.price = 2 }.returning(\.id).fetchAll(remote) },
      { _ = try await Item.find(1).update { $0.price = 3 }.returning(\.id).fetchOne(remote) },
      { for try await _ in remote.rows(Item.find(1).update { $0.price = 4 }.returning(\.id)) {} },
      // What nobody reads to its end has happened all the same.
      { for try await _ in remote.rows(Item.update { $0.price = 5 }.returning(\.id)) { break } },
      { for try await _ in remote.rows(Self.badlyRead) {} },
      { _ = try await Self.badlyRead.fetchAll(remote) },
      { _ = try await Self.badlyRead.fetchOne(remote) },
    ]
    for (index, write) in writes.enumerated() {
      try await fetch()
      #expect(!observer.isDue)
      do { try await write() } catch { #expect(error is QueryDecodingError, "write \(index): \(error)") }
      #expect(observer.isDue, "write \(index)")
    }
    try await fetch()
    for try await _ in remote.rows(Item.all) { break }
    let text = SQLQueryExpression("SELECT NULL FROM items", as: Int?.self)
    for try await _ in remote.rows(text) { break }
    _ = try await text.fetchOne(remote)
    await #expect(throws: QueryDecodingError.self) {
      try await SQLQueryExpression("SELECT NULL FROM items", as: Int.self).fetchAll(remote)
    }
    _ = try await Item.all.fetchAll(remote)
    _ = try await Item.all.fetchOne(remote)
    try await remote.read { _ = try Item.fetchAll($0) }
    #expect(!observer.isDue)
    let other = try RemoteDatabase(remote.url)
    _ = try await Item.find(1).update { $0.price = 5 }.execute(other)
    #expect(!observer.isDue)
    await other.close()
  }
}

private final class Counter: Sendable {
  private let number = Mutex(0)

  var count: Int { number.withLock { $0 } }

  @discardableResult
  func add() -> Int {
    number.withLock { number in
      number += 1
      return number
    }
  }
}
