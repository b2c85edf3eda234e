/// How often the sums are made that many ask for.
import MartletEngine
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

@Suite struct InspectorTests {
  /// Asks once, and waits for the answer.
  private func ask(
    _ inspector: Inspector, shapes: Int, sessions: Int, _ make: @escaping @Sendable (Int, Int) -> Inspection
  ) -> Inspection? {
    let promise = Promise<Inspection?>()
    inspector.inspect(
      shapes: shapes, sessions: sessions,
      for: Asker(share: SessionShare(subject: 1, session: 1), presence: Presence()), seenBy: nil, make: make
    ) { result, taken in
      taken?.open()
      promise.fulfil(try? result.get())
    }
    return promise.wait()
  }

  @Test func `one shape that is too large hides no other`() {
    let make = { @Sendable (_: Int, _: Int) -> Inspection in
      Inspection(
        shapes: (0..<10).map { number in
          let sql = String(repeating: "x", count: number % 3 == 0 ? WorkLimits.inspectionBytesMax : 100)
          return ShapeStatistics(shape: ShapeID(high: 1, low: UInt64(number)), database: "db", sql: sql)
        }, sessions: [])
    }
    let told = ask(Inspector(), shapes: 20, sessions: 0, make)
    #expect(told?.shapes.map(\.shape.low) == [1, 2, 4, 5, 7, 8])
  }

  @Test func `whoever asks for shapes and for sessions in turns has sums of a moment ago`() {
    let made = Atomic<Int>(0)
    let make = { @Sendable (shapes: Int, sessions: Int) -> Inspection in
      made.add(1, ordering: .relaxed)
      let statistics = ShapeStatistics(shape: ShapeID(high: 1, low: 1), database: "db", sql: "SELECT 1")
      let info = SessionInfo(id: 1, peer: "", client: "", database: "db")
      return Inspection(
        shapes: Array(repeating: statistics, count: shapes), sessions: Array(repeating: info, count: sessions))
    }
    let inspector = Inspector()
    let start = ServerClock.now
    for _ in 0..<50 {
      let shapes = ask(inspector, shapes: 3, sessions: 0, make)
      let sessions = ask(inspector, shapes: 0, sessions: 2, make)
      // Nobody is told more than was asked for.
      #expect(shapes?.shapes.count == 3 && shapes?.sessions.count == 0)
      #expect(sessions?.shapes.count == 0 && sessions?.sessions.count == 2)
    }
    let rounds = ServerClock.now.milliseconds(since: start) / WorkLimits.inspectionAgeMsMax + 1
    #expect(made.load(ordering: .relaxed) <= 2 * rounds)
  }
}
