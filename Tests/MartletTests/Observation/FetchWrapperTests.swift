/// What the property wrappers promise: when they fetch, what they show meanwhile, and how long they follow.
///
/// Always true: every test has a database of its own, and waits for what `Observation` tells.
import Dispatch
import Foundation
import Martlet
import MartletTestSupport
import MartletValues
import Observation
import Synchronization
import Testing

private typealias Item = Shop.Item
private typealias Category = Shop.Category

@Suite(.timeLimit(.minutes(10))) struct FetchWrapperTests {
  private struct Lists {
    @FetchAll var categories: [Category]
    @FetchAll(Item.order(by: \.title).where(\.isInStock)) var items
    @FetchAll(Item.order(by: \.position).select { ($0.title, $0.price) }) var prices: [(String, Double)]
    @FetchAll(#sql("SELECT title FROM items ORDER BY position", as: String.self)) var titles
    @FetchOne(Item.count()) var count = 0
    @FetchOne(Item.select { $0.price.max() }) var dearest: Double?
    @FetchOne(Item.find(Shop.rake)) var rake: Item?
    @FetchOne(Item.select { ($0.count(), $0.price.min()) }) var totals = (0, nil)
  }

  /// Its query is made when the value is.
  private struct Filtered {
    @FetchAll var items: [Item]

    init(prefix: String) {
      _items = FetchAll(Item.where { $0.title.hasPrefix(prefix) }.order(by: \.title))
    }
  }

  /// Waits in its fetch until it may go on.
  private struct Slow: FetchKeyRequest {
    let id = UUID()
    static let gates = Mutex<[UUID: (began: AsyncStream<Void>.Continuation, go: DispatchSemaphore)]>([:])

    func fetch(_ db: Database) throws -> String {
      let gate = Self.gates.withLock { $0[id] }
      gate?.began.yield()
      gate?.go.wait()
      return "slow"
    }
  }

  private struct Fast: FetchKeyRequest {
    func fetch(_ db: Database) throws -> String { "fast" }
  }

  @Observable
  final class Model {
    @ObservationIgnored @FetchAll(Shop.Item.order(by: \.title).where(\.isInStock)) var items
    @ObservationIgnored @FetchOne(Shop.Item.count()) var count = 0
    var isShown = true

    var summary: String { "\(items.count) of \(count)" }
  }

  private static func rename(_ title: String, in database: any DatabaseWriter) async throws {
    try await database.write { try Item.find(Shop.rake).update { $0.title = title }.execute($0) }
  }

  @Test func `an embedded database is fetched at the first look`() throws {
    let database = try DatabaseHome.embedded.open(Shop.script)
    let lists = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      Lists()
    }
    same(lists.categories.count, 3)
    same(lists.items.map(\.title), [" old box ", "Rake", "iPhone Pro"])
    same(lists.prices.map(\.0), ["iPhone Pro", "iPhone Max", "Rake", " old box "])
    same(lists.titles, ["iPhone Pro", "iPhone Max", "Rake", " old box "])
    same(lists.count, 4)
    same(lists.dearest, 1200)
    same(lists.rake?.title, "Rake")
    same(lists.totals.0, 4)
    same(lists.totals.1, 5)
    let filtered = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      Filtered(prefix: "iPhone")
    }
    same(filtered.items.map(\.title), ["iPhone Max", "iPhone Pro"])
    #expect(lists.$items.loadError == nil && !lists.$items.isLoading)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `values follow the database, whoever looks`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let (lists, model) = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      (Lists(), Model())
    }
    await eventually(lists.items.count) { [3].contains($0) }
    await eventually(lists.rake) { $0 != nil }
    await eventually(model.summary) { $0.elementsEqual("3 of 4") }
    try await Self.rename("Spade", in: database)
    await eventually(lists.items.map(\.title)) { $0.contains("Spade") }
    await eventually(lists.rake) { $0.map { $0.title.elementsEqual("Spade") } ?? false }
    try await database.write { try Item.find(Shop.rake).delete().execute($0) }
    await eventually(model.summary) { $0.elementsEqual("2 of 3") }
    await eventually(lists.rake) { $0 == nil }
    await eventually(lists.totals.0) { [3].contains($0) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what is read after load is no older than the call`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let items = FetchAll(Item.order(by: \.title), database: database)
    try await items.load()
    same(items.wrappedValue.count, 4)
    for number in 1...10 {
      try await Self.rename("Rake \(number)", in: database)
      try await items.load()
      #expect(items.wrappedValue.contains { $0.title.elementsEqual("Rake \(number)") })
    }
    #expect(!items.isLoading)
  }

  @Test func `writes of others at a server are seen after load`() async throws {
    let name = DatabaseHome.newName
    let mine = try DatabaseHome.server.empty(name: name)
    let other = try DatabaseHome.server.empty(name: name)
    try await mine.write { try $0.execute(sql: Shop.script) }
    let count = FetchOne(wrappedValue: 0, Item.count(), database: mine)
    try await count.load()
    try await other.write { try Item.find(Shop.rake).delete().execute($0) }
    same(count.wrappedValue, 4)
    try await count.load()
    same(count.wrappedValue, 3)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `another query takes the place of the first`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let items = FetchAll(Item.order(by: \.title), database: database)
    try await items.load(Item.where { $0.title.contains("Phone") }.order(by: \.title))
    same(items.wrappedValue.map(\.title), ["iPhone Max", "iPhone Pro"])
    try await Self.rename("A Phone", in: database)
    await eventually(items.wrappedValue.map(\.title)) { $0.elementsEqual(["A Phone", "iPhone Max", "iPhone Pro"]) }
    try await items.load(Item.none)
    same(items.wrappedValue.count, 0)
    try await items.load()
    same(items.wrappedValue.count, 0)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `nothing is fetched before there is a query`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let titles = FetchAll(wrappedValue: ["none"], database: database)
    try await titles.load()
    same(titles.wrappedValue, ["none"])
    try await titles.load(Item.order(by: \.position).limit(1).select(\.title))
    same(titles.wrappedValue, ["iPhone Pro"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an error is kept and thrown, the value stays, and the next commit tries again`(home: DatabaseHome) async throws
  {
    let database = try home.open(Shop.script)
    let items = FetchAll(Item.order(by: \.title), database: database)
    try await items.load()
    let tags = #sql("SELECT name FROM labels", as: String.self)
    let titles = FetchAll(wrappedValue: ["none"], tags, database: database)
    await #expect(throws: RequestError.self) { try await titles.load() }
    #expect(titles.loadError is RequestError && !titles.isLoading)
    same(titles.wrappedValue, ["none"])
    try await database.write { try $0.execute(sql: "CREATE TABLE labels (name TEXT); INSERT INTO labels VALUES ('x')") }
    await eventually(titles.wrappedValue) { $0.elementsEqual(["x"]) }
    await eventually(titles.loadError == nil) { $0 }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row that is not there is nil, or an error where it cannot be`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let rake = try await database.read { try Item.find($0, key: Shop.rake) }
    let optional = FetchOne(wrappedValue: rake, Item.where { $0.title.eq("?") }, database: database) as FetchOne<Item?>
    try await optional.load()
    #expect(optional.wrappedValue == nil && optional.loadError == nil)
    let followed = FetchOne(wrappedValue: rake, database: database)
    try await followed.load()
    try await Self.rename("Spade", in: database)
    await eventually(followed.wrappedValue.title) { $0.elementsEqual("Spade") }
    try await database.write { try Item.find(Shop.rake).delete().execute($0) }
    await eventually(followed.loadError) { $0.map { "\($0)".hasSuffix("has this key.") } == true }
    same(followed.wrappedValue.title, "Spade")
  }

  @Test(arguments: DatabaseHome.allCases)
  func `cancelling a subscription leaves the value as it is`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let count = FetchOne(wrappedValue: 0, Item.count(), database: database)
    let other = FetchOne(wrappedValue: 0, Item.count(), database: database)
    try await other.load()
    let subscription = try await count.load(Item.count())
    subscription.cancel()
    try await subscription.task
    try await database.write { try Item.find(Shop.rake).delete().execute($0) }
    await eventually(other.wrappedValue) { [3].contains($0) }
    same(count.wrappedValue, 4)
    try await count.load()
    same(count.wrappedValue, 3)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the task around a subscription ends it`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let count = FetchOne(wrappedValue: 0, Item.count(), database: database)
    let other = FetchOne(wrappedValue: 0, Item.count(), database: database)
    try await other.load()
    // Another query, so that its value tells that it was loaded.
    let task = Task { try await count.load(Item.where(\.isInStock).count()).task }
    await eventually(count.wrappedValue) { [3].contains($0) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await database.write { try Item.find(Shop.rake).delete().execute($0) }
    await eventually(other.wrappedValue) { [3].contains($0) }
    same(count.wrappedValue, 3)
  }

  @Test func `of two loads the one that began last is shown, whichever ends last`() async throws {
    let directory = TemporaryDirectory()
    let database = try DatabasePool(path: directory.path + "/test.sqlite")
    let slow = Slow()
    let (began, tellBegan) = AsyncStream.makeStream(of: Void.self)
    let go = DispatchSemaphore(value: 0)
    Slow.gates.withLock { $0[slow.id] = (tellBegan, go) }
    let word = Fetch(wrappedValue: "none", Fast(), database: database)
    let first = Task { try await word.load(slow) }
    for await _ in began { break }
    #expect(word.isLoading)
    try await word.load(Fast())
    same(word.wrappedValue, "fast")
    #expect(word.isLoading)
    go.signal()
    _ = try await first.value
    same(word.wrappedValue, "fast")
    #expect(!word.isLoading)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a load that is cancelled changes nothing`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let count = FetchOne(wrappedValue: 0, Item.count(), database: database)
    let load = Task {
      // The task is cancelled before the load begins, or it waits here for that, which the next line outside does. A
      // wait that sleeps would end the task itself then.
      while !Task.isCancelled { await Task.yield() }
      try await count.load(Item.where(\.isInStock).count())
    }
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    await eventually(count.wrappedValue) { [4].contains($0) }
    #expect(count.loadError == nil)
    try await database.write { try Item.find(Shop.rake).delete().execute($0) }
    await eventually(count.wrappedValue) { [3].contains($0) }
  }

  @Test func `a value that is gone observes no more`() async throws {
    let database = try DatabaseHome.embedded.open(Shop.script)
    struct Counting: FetchKeyRequest {
      static let fetches = Mutex(0)
      func fetch(_ db: Database) throws -> Int {
        Self.fetches.withLock { $0 += 1 }
        return try Item.fetchCount(db)
      }
    }
    func look() { same(Fetch(wrappedValue: 0, Counting(), database: database).wrappedValue, 4) }
    look()
    let other = FetchOne(wrappedValue: 0, Item.count(), database: database)
    try await other.load()
    try await database.write { try Item.find(Shop.rake).delete().execute($0) }
    await eventually(other.wrappedValue) { [3].contains($0) }
    same(Counting.fetches.withLock { $0 }, 1)
  }

  @Test func `without a default database the error says how to prepare one`() async throws {
    let items = FetchAll(Item.all)
    same(items.wrappedValue.count, 0)
    await eventually(items.loadError) { $0 != nil }
    let error = try #require(items.loadError as? RequestError)
    #expect(error.message.contains("prepareDependencies"))
  }
}
