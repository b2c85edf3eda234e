/// What a loop does for many sessions that want the same database.
import MartletEngine
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

@Suite struct LoopDatabasesTests {
  /// What the sessions of a test were told, and how often they were asked whether they still wait.
  private final class Record: Sendable {
    let looks = Atomic<Int>(0)
    let answers = Mutex<[String]>([])

    var answerCount: Int { answers.withLock { $0.count } }

    func note(_ result: Result<LoopDatabase, RequestError>) {
      let word: String =
        switch result {
        case .success: "opened"
        case .failure(let error): error.reason.rawValue
        }
      answers.withLock { $0.append(word) }
    }
  }

  /// So many sessions of one subject ask in one turn of the loop.
  private func ask(
    _ stage: LoopStage, _ count: Int, create: Bool = false, subject: Subject = .program,
    presence: Presence = Presence(),
    deadline: MonotonicTime = .distantFuture, _ record: Record
  ) {
    let shard = stage.shard
    stage.onLoop {
      for session in 0..<UInt64(count) {
        let share = SessionShare(subject: subject.share, session: session)
        let open = shard.databases?.open(
          named: "db", create: create, setup: .empty, subject: subject,
          for: Asker(share: share, deadline: deadline, presence: presence),
          isWanted: {
            record.looks.add(1, ordering: .relaxed)
            return true
          }, opened: { record.note($0) })
        if let open { record.note(.success(open)) }
      }
    }
  }

  @Test func `however many ask for a database that is not there, one looks for it and all have the answer`() throws {
    let stage = try LoopStage()
    let record = Record()
    ask(stage, 2_000, record)
    try waitUntil { record.answerCount == 2_000 }
    #expect(Set(record.answers.withLock { $0 }) == [RequestError.Reason.unknownDatabase.rawValue])
    // Each is asked once whether it is there, and not once for each of the others.
    #expect(record.looks.load(ordering: .relaxed) <= 4_000)
  }

  @Test func `who may make the database is not told what who may not was told`() throws {
    let stage = try LoopStage()
    let record = Record()
    let shard = stage.shard
    // In one turn of the loop, so that the first one has no answer before the last one asks.
    stage.onLoop {
      for (create, permissions) in [(false, Permissions.all), (true, .select), (true, .all), (false, .all)] {
        let subject = Subject(origin: .program, permissions: permissions)
        let asker = Asker(share: SessionShare(subject: subject.share, session: 1), presence: Presence())
        let open = shard.databases?.open(
          named: "db", create: create, setup: .empty, subject: subject, for: asker, isWanted: { true },
          opened: { record.note($0) })
        #expect(open == nil)
      }
    }
    try waitUntil { record.answerCount == 4 }
    #expect(record.answers.withLock { $0 }.count { $0 == "opened" } >= 1)
    #expect(record.answers.withLock { $0 }.contains(RequestError.Reason.permission.rawValue))
  }

  @Test func `the others open it if the first one has gone, or has waited for too long`() throws {
    for isGone in [true, false] {
      let stage = try LoopStage()
      let (first, others) = (Record(), Record())
      let presence = Presence()
      if isGone { presence.leave() }
      let past = MonotonicTime(nanoseconds: 1)
      let shard = stage.shard
      stage.onLoop {
        for session in 0..<10 as Range<UInt64> {
          let record = session == 0 ? first : others
          let asker = Asker(
            share: SessionShare(subject: 1, session: session),
            deadline: session == 0 && !isGone ? past : .distantFuture,
            presence: session == 0 ? presence : Presence())
          _ = shard.databases?.open(
            named: "db", create: true, setup: .empty, subject: .program, for: asker, isWanted: { true },
            opened: { record.note($0) })
        }
      }
      try waitUntil { others.answerCount == 9 && first.answerCount == 1 }
      #expect(Set(others.answers.withLock { $0 }) == ["opened"], "\(isGone)")
      #expect(first.answers.withLock { $0 } == [RequestError.Reason.deadline.rawValue])
    }
  }
}
