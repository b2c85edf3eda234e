/// The copy of the log comes after those who waited for the turn that made it necessary.
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite struct CopyTurnTests {
  /// Keeps what a counter was when answers came, on the thread that gave them.
  private final class Witness: ReplySink {
    let copies = Mutex<[RequestToken: Int64]>([:])
    private let base: TemporaryDatabase

    init(_ base: TemporaryDatabase) { self.base = base }

    func deliver(_ event: ReplyEvent, to token: RequestToken) {
      guard case .completed = event else { return }
      let count = Self.count(base)
      copies.withLock { $0[token] = count }
    }

    static func count(_ base: TemporaryDatabase) -> Int64 {
      base.engine.counters().first { $0.name == "checkpoints" }?.value ?? -1
    }

    func answer(to token: RequestToken) throws -> Int64 {
      var found: Int64?
      try waitUntil {
        found = copies.withLock { $0[token] }
        return found != nil
      }
      return found ?? -1
    }
  }

  @Test(arguments: [true, false])
  func `a copy that a transaction made necessary comes after the writes that waited`(isAnyoneWaiting: Bool) throws {
    let base = try TemporaryDatabase { $0.limits.walCheckpointBytes = 1 << 20 }
    try base.sql("CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB)")
    let witness = Witness(base)
    func token(_ request: UInt32, of session: UInt64) -> RequestToken {
      RequestToken(session: session, request: request)
    }
    func insert(_ bytes: Int) -> StatementRequest {
      StatementRequest(
        source: .statement(Trees.insert("t", ["body"])), parameters: [.blob([UInt8](repeating: 7, count: bytes))])
    }
    let transaction = base.database.begin(
      .write, deadline: .distantFuture, token: token(1, of: 1), sink: witness)
    _ = try witness.answer(to: token(1, of: 1))
    let before = Witness.count(base)
    _ = transaction.start(insert(3 << 20), token: token(2, of: 1), sink: witness)
    _ = try witness.answer(to: token(2, of: 1))
    if isAnyoneWaiting { _ = base.database.start(insert(10), token: token(1, of: 2), sink: witness) }
    transaction.finish(commit: true, token: token(3, of: 1), sink: witness)
    if isAnyoneWaiting { #expect(try witness.answer(to: token(1, of: 2)) == before, "it came before the copy") }
    try waitUntil { Witness.count(base) == before + 1 }
  }
}
