/// What is said of a page cache that memory has no room for.
import Logging
import MartletValues
import Testing

@testable import MartletServer

@Suite struct PageCacheCutTests {
  @Test(
    arguments: [
      // What was asked for, the budget, and what comes of it; all in MiB.
      (8, 1_024, nil), (16, 1_024, nil), (64, 4_096, nil), (64, 8_192, nil),
      (17, 1_024, (16, 1_088, true)), (64, 1_024, (16, 4_096, true)), (64, 64, (1, 4_096, true)),
      (65_536, 1_024, (16, 4_194_304, true)), (8, 256, (4, 512, false)), (4, 64, (1, 256, false)),
    ] as [(Int, Int, (Int, Int, Bool)?)])
  func `a cache has a part of memory at most, and less than was configured is said`(
    _ asked: Int, _ budget: Int, _ wanted: (bytes: Int, needed: Int, isOfOperator: Bool)?
  ) {
    var limits = Limits()
    limits.pageCacheBytes = asked << 20
    var fitted = limits
    fitted.fit(memoryBudgetBytes: budget << 20)
    let cut = PageCacheCut(asked: limits, fitted: fitted)
    #expect((cut == nil) == (wanted == nil) && fitted.pageCacheBytes == (wanted?.bytes ?? asked) << 20)
    guard let cut, let wanted else { return }
    #expect(cut.configuredBytes == asked << 20 && cut.bytes == wanted.bytes << 20)
    #expect(cut.memoryBytesNeeded == wanted.needed << 20 && cut.isOfOperator == wanted.isOfOperator)
    #expect(cut.level == (wanted.isOfOperator ? .warning : .info))
    limits.fit(memoryBudgetBytes: cut.memoryBytesNeeded)
    #expect(limits.pageCacheBytes == cut.configuredBytes, "what is said to be needed suffices")
  }

  @Test func `a line has both numbers, and what memory they need`() throws {
    var limits = Limits()
    limits.pageCacheBytes = 64 << 20
    var fitted = limits
    fitted.fit(memoryBudgetBytes: 1 << 30)
    let cut = try #require(PageCacheCut(asked: limits, fitted: fitted))
    #expect(
      cut.metadata.mapValues { "\($0)" } == [
        "configured_bytes": "67108864", "page_cache_bytes": "16777216", "memory_bytes_needed": "4294967296",
      ])
  }
}
