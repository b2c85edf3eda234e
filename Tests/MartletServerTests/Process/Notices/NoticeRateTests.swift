/// Which lines of one kind are logged, and what is said of the others.
import MartletValues
import Testing

@testable import MartletServer

@Suite struct NoticeRateTests {
  private let start = MonotonicTime(nanoseconds: 1)

  private func at(_ ms: Int) -> MonotonicTime { start.advanced(milliseconds: ms) }

  @Test func `a few in an interval are logged, and the number of the others is told when it is over`() {
    var rate = NoticeRate(linesMax: 3, intervalMs: 100)
    let first = (0..<5).map { rate.arrived(now: at($0)) }
    #expect(first == [0, 0, 0, nil, nil])
    #expect(rate.ticked(now: at(99)) == 0, "more may come")
    #expect(rate.ticked(now: at(100)) == 2)
    #expect(rate.ticked(now: at(101)) == 0, "it is told once")
    #expect(rate.arrived(now: at(101)) == 0)
  }

  @Test func `a line of the next interval tells what the last one left out, if no tick came first`() {
    var rate = NoticeRate(linesMax: 1, intervalMs: 100)
    let first = (0..<4).map { rate.arrived(now: at($0)) }
    #expect(first == [0, nil, nil, nil])
    #expect(rate.arrived(now: at(100)) == 3)
    #expect(rate.arrived(now: at(100)) == nil)
    #expect(rate.ticked(now: at(150)) == 0)
    #expect(rate.takeLeftOut() == 1, "the end comes before the tick")
    #expect(rate.takeLeftOut() == 0)
  }

  @Test func `what the log has no room for is counted, also before the first line`() {
    var rate = NoticeRate(linesMax: 3, intervalMs: 100)
    #expect(rate.arrived(now: at(0), hasRoom: false) == nil)
    #expect(rate.arrived(now: at(50), hasRoom: true) == 1)
    #expect(rate.arrived(now: at(60), hasRoom: false) == nil)
    #expect(rate.ticked(now: at(100)) == 1)
  }

  @Test func `whatever comes, lines and numbers add up to what came, and lines are few`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var rate = NoticeRate(linesMax: 4, intervalMs: 100)
      var (now, lines, told, came) = (0, 0, 0, 0)
      for _ in 0..<500 {
        now += Int.random(in: 0...9, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
          told += rate.ticked(now: at(now))
        } else {
          came += 1
          if let before = rate.arrived(now: at(now), hasRoom: Int.random(in: 0..<9, using: &random) > 0) {
            lines += 1
            told += before
          }
        }
      }
      told += rate.takeLeftOut()
      #expect(lines + told == came)
      #expect(lines <= 4 * (now / 100 + 1))
    }
  }
}
