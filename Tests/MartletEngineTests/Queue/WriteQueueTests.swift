/// Scripts for the order, the bounds and the withdrawals of the write queue.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct WriteQueueTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  private func group(_ turn: WriteQueue<String>.Turn) -> [String] {
    switch turn {
    case .idle: []
    case .group(let jobs): jobs
    case .exclusive(let job): ["exclusive " + job]
    }
  }

  private func queue(_ jobs: [(String, WriteQueue<String>.Company)], capacity: Int = 100) -> WriteQueue<String> {
    var queue = WriteQueue<String>(capacity: capacity)
    for (job, company) in jobs {
      _ = queue.jobArrived(job, company: company, deadline: .distantFuture, bytes: 10)
    }
    return queue
  }

  @Test func `jobs of other setups are passed over, and the front is never`() {
    var queue = WriteQueue<String>(capacity: 100)
    let (red, blue) = (ShapeID(high: 1, low: 0), ShapeID(high: 2, low: 0))
    func add(_ job: String, _ setup: ShapeID, _ company: WriteQueue<String>.Company = .shared) -> UInt64? {
      queue.jobArrived(job, company: company, deadline: .distantFuture, bytes: 1, setup: setup)
    }
    for (job, setup) in [("r1", red), ("b1", blue), ("r2", red), ("b2", blue)] { _ = add(job, setup) }
    let withdrawn = add("b3", blue)
    _ = add("r3", red)
    _ = add("ddl", blue, .alone)
    _ = add("r4", red)
    #expect(withdrawn.flatMap { queue.withdrawn($0) } == "b3")
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 100)) == ["r1", "r2", "r3"])
    #expect(queue.count == 4)
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 100)) == ["b1", "b2"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 100)) == ["ddl"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 100)) == ["r4"])
    for index in 0..<30 { _ = add("\(index)", index % 3 == 0 ? red : blue) }
    // Bounded in what it passes over, too.
    #expect(group(queue.nextTurn(membersMax: 4, bytesMax: 100)) == ["0", "3", "6"])
    #expect(group(queue.nextTurn(membersMax: 4, bytesMax: 100)) == ["1", "2", "4", "5"])
    #expect(queue.count == 23 && queue.closed().count == 23 && queue.isEmpty)
  }

  @Test func `neighbours share a turn and nobody overtakes`() {
    var queue = queue([
      ("a", .shared), ("b", .shared), ("ddl", .alone), ("c", .shared), ("tx", .exclusive), ("d", .shared),
    ])
    var turns: [[String]] = []
    for _ in 0..<6 { turns.append(group(queue.nextTurn(membersMax: 10, bytesMax: 1000))) }
    #expect(turns == [["a", "b"], ["ddl"], ["c"], ["exclusive tx"], ["d"], []])
  }

  @Test func `a turn is bounded in members and bytes, and one job always fits`() {
    var queue = queue((0..<5).map { ("\($0)", .shared) })
    #expect(group(queue.nextTurn(membersMax: 2, bytesMax: 1000)) == ["0", "1"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 25)) == ["2", "3"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 1)) == ["4"])
    #expect(queue.isEmpty)
  }

  @Test func `a full queue takes nothing until something has left`() {
    var queue = WriteQueue<String>(capacity: 2)
    #expect(queue.jobArrived("a", company: .shared, deadline: .distantFuture, bytes: 0) == 1)
    #expect(queue.jobArrived("b", company: .shared, deadline: .distantFuture, bytes: 0) == 2)
    #expect(queue.jobArrived("c", company: .shared, deadline: .distantFuture, bytes: 0) == nil)
    #expect(queue.withdrawn(1) == "a")
    #expect(queue.withdrawn(1) == nil)
    #expect(queue.jobArrived("c", company: .shared, deadline: .distantFuture, bytes: 0) == 3)
    #expect(group(queue.nextTurn(membersMax: 9, bytesMax: 9)) == ["b", "c"])
    #expect(queue.withdrawn(3) == nil)
  }

  @Test func `jobs whose deadline passes while they wait leave the queue`() {
    var queue = WriteQueue<String>(capacity: 10)
    _ = queue.jobArrived("a", company: .shared, deadline: at(50), bytes: 0)
    _ = queue.jobArrived("b", company: .exclusive, deadline: at(10), bytes: 0)
    _ = queue.jobArrived("c", company: .shared, deadline: at(90), bytes: 0)
    #expect(queue.earliestDeadline == at(10))
    #expect(queue.ticked(at(9)) == [])
    #expect(queue.ticked(at(50)) == ["a", "b"])
    #expect(queue.earliestDeadline == at(90))
    #expect(group(queue.nextTurn(membersMax: 9, bytesMax: 9)) == ["c"])
    #expect(queue.earliestDeadline == .distantFuture)
  }

  @Test func `withdrawals without end leave no slots behind`() {
    var queue = WriteQueue<Int>(capacity: 10)
    _ = queue.jobArrived(-1, company: .exclusive, deadline: .distantFuture, bytes: 0)
    for round in 0..<10_000 {
      let id = queue.jobArrived(round, company: .shared, deadline: .distantFuture, bytes: 0)
      #expect(id.map { queue.withdrawn($0) } == round)
    }
    #expect(queue.count == 1)
    #expect(queue.closed() == [-1])
  }
}
