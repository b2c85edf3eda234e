/// Scripts for the order, the bounds and the withdrawals of the write queue.
import MartletAST
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
