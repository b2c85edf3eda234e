/// Loads of a property wrapper that overlap and are cancelled, and wrappers that are compared.
import Dispatch
import Foundation
import Martlet
import MartletTestSupport
import Synchronization
import Testing

private typealias Item = Shop.Item

@Suite struct CancelledLoadTests {
  /// Waits in its fetch, before its statement, until it may go on.
  private struct Waiting: FetchKeyRequest {
    let id = UUID()
    static let gates = Mutex<[UUID: (began: AsyncStream<Void>.Continuation, go: DispatchSemaphore)]>([:])

    func fetch(_ db: Database) throws -> Int {
      let gate = Self.gates.withLock { $0[id] }
      gate?.began.yield()
      gate?.go.wait()
      return try -Item.fetchCount(db)
    }
  }

  private struct Count: FetchKeyRequest {
    func fetch(_ db: Database) throws -> Int { try Item.fetchCount(db) }
  }

  /// A load that waits in its fetch, and what lets it go on.
  private static func waitingLoad(
    _ value: Fetch<Int>
  ) async -> (load: Task<FetchSubscription, any Error>, go: DispatchSemaphore) {
    let request = Waiting()
    let (began, tellBegan) = AsyncStream.makeStream(of: Void.self)
    let go = DispatchSemaphore(value: 0)
    Waiting.gates.withLock { $0[request.id] = (tellBegan, go) }
    let load = Task {
      defer { tellBegan.finish() }
      return try await value.load(request)
    }
    for await _ in began { break }
    return (load, go)
  }

  @Test(arguments: [true, false])
  func `loads that are cancelled change nothing, in whatever order they end`(isFirstFirst: Bool) async throws {
    let directory = TemporaryDirectory()
    let database = try DatabasePool(path: directory.path + "/test.sqlite")
    try await database.write { try $0.execute(sql: Shop.script) }
    let value = Fetch(wrappedValue: 0, Count(), database: database)
    try await value.load()
    let loads = [await Self.waitingLoad(value), await Self.waitingLoad(value)]
    for load in loads { load.load.cancel() }
    for load in isFirstFirst ? loads : loads.reversed() {
      load.go.signal()
      await #expect(throws: CancellationError.self) { try await load.load.value }
    }
    // So that a load of theirs would not wait.
    Waiting.gates.withLock { $0 = [:] }
    try await value.load()
    same(value.wrappedValue, 4)
    #expect(!value.isLoading)
  }

  @Test func `a state with wrappers is equal to another that shows the same`() throws {
    struct State: Equatable {
      @FetchAll var items: [Item]
      @FetchOne var count: Int
      @Fetch var number: Int
      var title = ""

      init(_ database: any DatabaseReader, from position: Int = 0) {
        let rows = Item.where { $0.position >= position }
        _items = FetchAll(rows, database: database)
        _count = FetchOne(wrappedValue: 0, rows.count(), database: database)
        _number = Fetch(wrappedValue: 0, Count(), database: database)
      }
    }
    let database = try DatabaseHome.embedded.open(Shop.script)
    let (one, other, later) = (State(database), State(database), State(database, from: 2))
    same(one, other)
    #expect(one != later)
  }
}
