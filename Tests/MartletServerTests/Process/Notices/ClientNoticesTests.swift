/// Lines that clients bring about, a kind at a time.
import Logging
import MartletValues
import Testing

@testable import MartletServer

@Suite struct ClientNoticesTests {
  @Test func `one kind that floods leaves out its own lines only, and says how many`() {
    let log = CapturedLog()
    let notices = ClientNotices(logger: log.logger)
    let start = MonotonicTime(nanoseconds: 1)
    for index in 0..<500 { notices.note(.handshakeFailed, now: start, ["index": "\(index)"]) }
    notices.note(.engine, saying: "The database was dropped", now: start, ["database": "a"])
    notices.ticked(now: start)
    #expect(log.lines.count == ServerLimits.noticesMax + 1)
    #expect(log.lines.last?.message == "The database was dropped")
    notices.ticked(now: start.advanced(milliseconds: ServerLimits.noticeIntervalMs))
    notices.ended()
    #expect(log.lines.count == ServerLimits.noticesMax + 2)
    #expect(log.lines.last?.metadata["notice"] == "A connection's TLS failed")
    #expect(log.lines.last?.metadata["left_out"].map { "\($0)" } == "\(500 - ServerLimits.noticesMax)")
  }

  @Test func `what was left out stands in the log when the server ends`() {
    let log = CapturedLog()
    let notices = ClientNotices(logger: log.logger)
    for _ in 0...ServerLimits.noticesMax { notices.note(.noFrame, [:]) }
    notices.ended()
    #expect(log.lines.last?.metadata["left_out"].map { "\($0)" } == "1")
  }
}
