/// VACUUM on a database that others use meanwhile.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite(.timeLimit(.minutes(2))) struct VacuumTests {
  /// A clock that goes on when somebody looks at it, so that work takes time and waiting does not.
  private final class LookedAtClock: Sendable {
    let isPassing = Atomic(false)
    private let time = ManualClock()

    func read() -> MonotonicTime {
      if isPassing.load(ordering: .relaxed) { time.advance(milliseconds: 200) }
      return time.now
    }
  }

  private func run(_ sql: String, on shop: Shop) -> (completion: Completion?, error: RequestError?) {
    let outcome = shop.sink.outcome(of: shop.start(Trees.raw(sql)).token)
    return (outcome.completion, outcome.error)
  }

  private func pages(_ shop: Shop) -> Int64? {
    let outcome = shop.sink.outcome(of: shop.start(Trees.raw("PRAGMA page_count")).token)
    guard case .integer(let count)? = outcome.rows.first?.first else { return nil }
    return count
  }

  @Test func `the file shrinks, its rows stay, and others go on`() throws {
    let shop = try Shop()
    for id in 1...40 {
      try shop.base.run(Shop.addAndGrow, [.integer(Int64(id)), .text(String(repeating: "x", count: 20_000))])
    }
    #expect(run("DELETE FROM log WHERE id <> 7", on: shop).error == nil)
    let before = try #require(pages(shop))
    let sequence = shop.database.commitSequence
    let vacuum = run("vacuum; -- now", on: shop)
    #expect(vacuum.error == nil)
    #expect((vacuum.completion?.commitSequence ?? 0) > sequence)
    #expect(try #require(pages(shop)) < before / 2)
    try shop.base.run(Shop.insertItem, [1, "a", 1])
    let kept = shop.sink.outcome(of: shop.start(Trees.raw("SELECT id FROM log")).token)
    #expect(kept.rows == [[7]])
    #expect(run("PRAGMA integrity_check", on: shop).error == nil)
    #expect(!shop.database.isFenced)
  }

  @Test(
    arguments: [
      (VacuumRoom(free: 100 << 20, freeForTemporaryFiles: nil), 40 << 20, nil),
      (VacuumRoom(free: 100 << 20, freeForTemporaryFiles: nil), 46 << 20, "102 MiB beside the database, where 100 MiB"),
      (VacuumRoom(free: 100 << 20, freeForTemporaryFiles: 80 << 20), 80 << 20, nil),
      (
        VacuumRoom(free: 100 << 20, freeForTemporaryFiles: 79 << 20), 80 << 20,
        "80 MiB for temporary files, where 79 MiB"
      ),
      (VacuumRoom(free: 0, freeForTemporaryFiles: 0), 0, "beside the database"),
      (VacuumRoom(free: .max - 1, freeForTemporaryFiles: nil), .max, "beside the database"),
      (VacuumRoom(free: 100 << 20, freeForTemporaryFiles: nil), -1, nil),
    ] as [(VacuumRoom, Int, String?)])
  func `it is refused where the disk has no room for it`(room: VacuumRoom, bytes: Int, words: String?) {
    let refusal = room.refusal(bytes: bytes, reserve: 10 << 20)
    #expect((refusal == nil) == (words == nil))
    if let words { #expect(refusal?.message.contains(words) == true, "\(refusal?.message ?? "")") }
  }

  @Test(arguments: [
    ("VACUUM INTO '/tmp/never.sqlite'", RequestError.Reason.notAllowed), ("VACUUM nowhere", .invalidStatement),
  ])
  func `what it may not do is a sentence`(sql: String, reason: RequestError.Reason) throws {
    let shop = try Shop()
    let error = try #require(run(sql, on: shop).error)
    #expect(error.reason == reason)
    #expect(!FileManager.default.fileExists(atPath: "/tmp/never.sqlite"))
    #expect(run("VACUUM", on: shop).error == nil)
  }

  @Test func `a deadline that has passed and a neighbour's group leave it alone`() throws {
    let shop = try Shop()
    var tokens: [RequestToken] = []
    shop.together {
      for id in 1...20 {
        tokens.append(shop.start(Shop.insertItem, [.integer(Int64(id)), .text("n\(id)"), 1]).token)
        if id % 5 == 0 { tokens.append(shop.start(Trees.raw("VACUUM")).token) }
      }
    }
    for token in tokens { #expect(shop.sink.outcome(of: token).error == nil) }
    let late = shop.start(Trees.raw("VACUUM"), deadline: MonotonicTime(nanoseconds: 1))
    #expect(shop.sink.outcome(of: late.token).error?.code == .deadlineExceeded)
  }

  @Test func `it ends at half of the longest time of a write, and says how to have more`() throws {
    let clock = LookedAtClock()
    let shop = try Shop {
      $0.clock = { clock.read() }
      $0.limits.writeTimeMaxMs = 20_000
    }
    #expect(run("CREATE TABLE many(a)", on: shop).error == nil)
    let rows = "WITH RECURSIVE s(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM s WHERE x < 20000)"
    #expect(run("\(rows) INSERT INTO many SELECT x FROM s", on: shop).error == nil)
    let before = try #require(pages(shop))
    clock.isPassing.store(true, ordering: .relaxed)
    let vacuum = shop.start(Trees.raw("VACUUM"), deadline: clock.read().advanced(milliseconds: 19_000))
    #expect(shop.sink.outcome(of: vacuum.token).error == .vacuumTooLong(mostMs: 10_000))
    clock.isPassing.store(false, ordering: .relaxed)
    #expect(pages(shop) == before)
    // What nobody waits for with a deadline, as in a program of its own, has no limit.
    #expect(run("VACUUM", on: shop).error == nil)
  }
}
