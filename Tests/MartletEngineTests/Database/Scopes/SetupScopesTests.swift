/// Setups that come and go: who has one keeps it, and what nobody has makes room.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct SetupScopesTests {
  @Test func `a setup that nobody has goes after its time, and one that somebody has never`() throws {
    let clock = ManualClock()
    let base = try Setups.database { $0.clock = clock.read }
    let held = try base.session(Setups.notes("held"))
    _ = try base.session(Setups.notes("left"))
    #expect(base.counter("setups_open") == 2)
    clock.advance(milliseconds: Limits().setupIdleMs)
    try waitUntil { base.counter("setups_open") == 1 }
    clock.advance(milliseconds: 10 * Limits().setupIdleMs)
    base.engine.memoryIsShort()
    try waitUntilQuiet(looks: 200) { base.counter("setups_open") != 1 }
    try held.run(Setups.insert, ["x"])
    #expect(try base.sql("SELECT note FROM log").rows == [["held"]])
  }

  @Test func `where memory is short a setup that nobody has goes at once`() throws {
    let clock = ManualClock()
    let base = try Setups.database { $0.clock = clock.read }
    let held = try base.session(Setups.notes("held"))
    _ = try base.session(Setups.notes("left"))
    base.engine.memoryIsShort()
    try waitUntil { base.counter("setups_open") == 1 }
    #expect(held.database.setup == DatabaseSetup([Setups.notes("held")]))
  }

  @Test func `many that come and go in many databases keep no more than their part`() throws {
    let clock = ManualClock()
    let base = try Setups.database {
      $0.clock = clock.read
      $0.limits.memoryBudgetBytes = Limits.memoryBudgetBytesMin
    }
    let long = String(repeating: "x", count: 200_000)
    for visit in 0..<40 {
      clock.advance(milliseconds: 1)
      let setup = DatabaseSetup([Trees.raw("CREATE TEMP VIEW v AS SELECT '\(long)\(visit)' AS x")])
      _ = try base.engine.database(named: "d\(visit % 8)", create: true, setup: setup)
    }
    let most = Limits.memoryBudgetBytesMin / EngineLimits.memorySetupParts / 600_000
    try waitUntil { base.counter("setups_open") <= Int64(most) }
    base.engine.memoryIsShort()
    try waitUntil { base.counter("setups_open") == 0 }
  }
}
