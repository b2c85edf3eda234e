/// Scripts for the order, the bounds and the withdrawals of the write queue.
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct WriteQueueTests {
  private func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0).advanced(milliseconds: ms) }

  private func share(_ session: UInt64, of subject: UInt64 = 1) -> SessionShare {
    SessionShare(subject: subject, session: session)
  }

  private func group(_ turn: WriteQueue<String>.Turn) -> [String] {
    switch turn {
    case .idle: []
    case .group(let jobs): jobs
    case .exclusive(let job): ["exclusive " + job]
    }
  }

  /// The next turn, which took a millisecond for each of its jobs, so that the sessions' shares change.
  private func served(
    _ queue: inout WriteQueue<String>, membersMax: Int = 10, _ owner: (String) -> SessionShare
  ) -> [String] {
    let jobs = group(queue.nextTurn(membersMax: membersMax, bytesMax: 1_000))
    queue.charge(jobs.map { (owner($0), 1_000_000) })
    return jobs
  }

  /// Of one session.
  private func queue(_ jobs: [(String, WriteCompany)], capacity: Int = 100) -> WriteQueue<String> {
    var queue = WriteQueue<String>(capacity: capacity)
    for (job, company) in jobs {
      _ = queue.jobArrived(job, of: share(1), company: company, deadline: .distantFuture, bytes: 10)
    }
    return queue
  }

  @Test func `sessions of other setups are passed over, and then they are first`() {
    var queue = WriteQueue<String>(capacity: 100)
    let (red, blue) = (ShapeID(high: 1, low: 0), ShapeID(high: 2, low: 0))
    func owner(_ job: String) -> SessionShare { share(UInt64(job.utf8.first ?? 0)) }
    func add(_ job: String, _ company: WriteCompany = .shared) -> UInt64? {
      queue.jobArrived(
        job, of: owner(job), company: company, deadline: .distantFuture, bytes: 1,
        setup: job.hasPrefix("r") ? red : blue)
    }
    for job in ["r1", "b1", "r2", "b2"] { _ = add(job) }
    let withdrawn = add("b3")
    _ = add("r3")
    _ = add("bddl", .alone)
    _ = add("r4")
    #expect(withdrawn.flatMap { queue.withdrawn($0, of: owner("b")) } == "b3")
    #expect(served(&queue, owner) == ["r1", "r2", "r3", "r4"])
    #expect(queue.count == 3)
    #expect(served(&queue, owner) == ["b1", "b2"])
    _ = add("r5")
    #expect(served(&queue, owner) == ["bddl"], "it has had less")
    #expect(served(&queue, owner) == ["r5"])
  }

  @Test func `what may share a turn does, and within a session nobody overtakes`() {
    var queue = queue([
      ("a", .shared), ("b", .shared), ("ddl", .alone), ("c", .shared), ("tx", .exclusive), ("d", .shared),
    ])
    // Another session's writes do not wait for this one's change of the schema.
    for job in ["x", "y"] {
      _ = queue.jobArrived(job, of: share(2), company: .shared, deadline: .distantFuture, bytes: 10)
    }
    var turns: [[String]] = []
    for _ in 0..<6 { turns.append(served(&queue) { "xy".contains($0) ? share(2) : share(1) }) }
    #expect(turns == [["a", "x", "b", "y"], ["ddl"], ["c"], ["exclusive tx"], ["d"], []])
  }

  @Test func `many sessions with one write each share one turn`() {
    var queue = WriteQueue<String>(capacity: 1_000)
    for session in 0..<500 as Range<UInt64> {
      _ = queue.jobArrived("w", of: share(session), company: .shared, deadline: .distantFuture, bytes: 1)
    }
    #expect(group(queue.nextTurn(membersMax: 512, bytesMax: 1_000)).count == 500)
  }

  @Test func `a session that fills the queue leaves each other one its place in the next turn`() {
    var queue = WriteQueue<String>(capacity: 1_000)
    for number in 0..<99 {
      for session in 1...3 as ClosedRange<UInt64> {
        _ = queue.jobArrived(
          "\(session)-\(number)", of: share(session), company: .shared, deadline: .distantFuture, bytes: 1)
      }
    }
    func owner(_ job: String) -> SessionShare { share(UInt64(job.prefix { $0 != "-" }) ?? 0) }
    for number in 0..<20 {
      _ = queue.jobArrived("9-\(number)", of: share(9), company: .shared, deadline: .distantFuture, bytes: 1)
      // It has had less than the others, or comes anew.
      #expect(served(&queue, membersMax: 4, owner).contains("9-\(number)"))
    }
  }

  @Test func `a turn is bounded in members and bytes, and one job always fits`() {
    var queue = queue((0..<5).map { ("\($0)", .shared) })
    #expect(group(queue.nextTurn(membersMax: 2, bytesMax: 1000)) == ["0", "1"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 25)) == ["2", "3"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 1)) == ["4"])
    #expect(queue.isEmpty)
  }

  @Test func `those that come while a group runs join it, up to its bounds`() {
    var queue = queue([("a", .shared), ("b", .shared)])
    func add(_ job: String, bytes: Int = 10) {
      _ = queue.jobArrived(job, of: share(2), company: .shared, deadline: .distantFuture, bytes: bytes)
    }
    #expect(queue.joiners(most: 10).isEmpty)
    #expect(group(queue.nextTurn(membersMax: 5, bytesMax: 100)) == ["a", "b"])
    #expect(queue.joiners(most: 10).isEmpty)
    add("c")
    add("d", bytes: 30)
    #expect(queue.joiners(most: 10) { $0 != "c" }.isEmpty, "one that is not welcome is first")
    #expect(group(queue.nextTurn(membersMax: 1, bytesMax: 100)) == ["c"])
    #expect(group(queue.nextTurn(membersMax: 5, bytesMax: 100)) == ["d"])
    add("e")
    add("f")
    #expect(queue.joiners(most: 2) == ["e", "f"])
    add("g", bytes: 51)
    #expect(queue.joiners(most: 10).isEmpty, "there were 50 bytes left")
    #expect(group(queue.nextTurn(membersMax: 2, bytesMax: 100)) == ["g"])
    add("h")
    add("i")
    #expect(queue.joiners(most: 10) == ["h"], "two are as many as a group may have")
    add("j")
    #expect(queue.joiners(most: 10).isEmpty, "somebody waits whom the group did not take")
    #expect(group(queue.nextTurn(membersMax: 2, bytesMax: 100)) == ["i", "j"])
    #expect(group(queue.nextTurn(membersMax: 9, bytesMax: 100)).isEmpty)
    add("k")
    #expect(group(queue.nextTurn(membersMax: 9, bytesMax: 100)) == ["k"])
    for job in ["l", "m", "n"] { add(job) }
    #expect(queue.joiners(most: 2) == ["l", "m"], "no more than the group asks for")
    #expect(queue.joiners(most: 3) == ["n"])
  }

  @Test(arguments: [
    (first: WriteCompany.alone, next: WriteCompany.shared), (.shared, .alone), (.shared, .exclusive),
  ]) func `who shares no transaction joins none, and nobody goes before such a one`(
    first: WriteCompany, next: WriteCompany
  ) {
    var queue = queue([("first", first)])
    _ = group(queue.nextTurn(membersMax: 10, bytesMax: 1_000))
    _ = queue.jobArrived("next", of: share(1), company: next, deadline: .distantFuture, bytes: 1)
    _ = queue.jobArrived("later", of: share(2), company: .shared, deadline: .distantFuture, bytes: 1)
    #expect(queue.joiners(most: 10).isEmpty)
    #expect(queue.count == 2)
  }

  @Test func `one of another setup joins no group, and who was passed over is next`() {
    let (red, blue) = (ShapeID(high: 1, low: 0), ShapeID(high: 2, low: 0))
    var queue = WriteQueue<String>(capacity: 100)
    func add(_ job: String, _ session: UInt64, _ setup: ShapeID) {
      _ = queue.jobArrived(
        job, of: share(session), company: .shared, deadline: .distantFuture, bytes: 1, setup: setup)
    }
    add("r1", 1, red)
    add("b1", 2, blue)
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 1_000)) == ["r1"])
    add("r2", 3, red)
    #expect(queue.joiners(most: 10).isEmpty, "one of the other setup was passed over")
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 1_000)) == ["b1"])
    #expect(group(queue.nextTurn(membersMax: 10, bytesMax: 1_000)) == ["r2"])
    add("b2", 2, blue)
    add("r3", 1, red)
    #expect(queue.joiners(most: 10).isEmpty, "one of the other setup has come first")
  }

  @Test func `a full queue takes nothing until something has left`() {
    var queue = WriteQueue<String>(capacity: 2)
    #expect(queue.jobArrived("a", of: share(1), company: .shared, deadline: .distantFuture, bytes: 0) == 1)
    #expect(queue.jobArrived("b", of: share(1), company: .shared, deadline: .distantFuture, bytes: 0) == 2)
    #expect(queue.jobArrived("c", of: share(1), company: .shared, deadline: .distantFuture, bytes: 0) == nil)
    #expect(queue.withdrawn(1, of: share(1)) == "a")
    #expect(queue.withdrawn(1, of: share(1)) == nil)
    #expect(queue.jobArrived("c", of: share(1), company: .shared, deadline: .distantFuture, bytes: 0) == 3)
    #expect(group(queue.nextTurn(membersMax: 9, bytesMax: 9)) == ["b", "c"])
    #expect(queue.withdrawn(3, of: share(1)) == nil)
  }

  @Test func `jobs whose deadline passes while they wait leave the queue`() {
    var queue = WriteQueue<String>(capacity: 10)
    _ = queue.jobArrived("a", of: share(1), company: .shared, deadline: at(50), bytes: 0)
    _ = queue.jobArrived("b", of: share(1), company: .exclusive, deadline: at(10), bytes: 0)
    _ = queue.jobArrived("c", of: share(1), company: .shared, deadline: at(90), bytes: 0)
    #expect(queue.earliestDeadline == at(10))
    #expect(queue.ticked(at(9)) == [])
    #expect(queue.ticked(at(50)) == ["a", "b"])
    #expect(queue.earliestDeadline == at(90))
    #expect(group(queue.nextTurn(membersMax: 9, bytesMax: 9)) == ["c"])
    #expect(queue.earliestDeadline == .distantFuture)
  }

  @Test func `withdrawals without end leave no slots behind`() {
    var queue = WriteQueue<Int>(capacity: 10)
    _ = queue.jobArrived(-1, of: share(1), company: .exclusive, deadline: .distantFuture, bytes: 0)
    for round in 0..<10_000 {
      let id = queue.jobArrived(round, of: share(1), company: .shared, deadline: .distantFuture, bytes: 0)
      #expect(id.map { queue.withdrawn($0, of: share(1)) } == round)
    }
    #expect(queue.count == 1)
    #expect(queue.closed() == [-1])
  }
}
