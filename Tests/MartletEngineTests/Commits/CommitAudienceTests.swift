/// Who hears of which commit, as scripts of what happened.
import MartletSQLite
import Testing

@testable import MartletEngine

@Suite struct CommitAudienceTests {
  private static func set(_ names: String...) -> TableSet { TableSet(Set(names.map { TableName($0) })) }

  private static func commit(_ sequence: UInt64, _ names: String...) -> Commit {
    Commit(sequence: sequence, tables: TableSet(Set(names.map { TableName($0) })))
  }

  @Test func `a subscriber hears of what comes after it, in order, and is woken once until it takes that`() {
    var audience = CommitAudience()
    #expect(audience.committed(Self.commit(1, "a")).isEmpty)
    let (id, isWoken) = audience.came(queueMax: 8, wantsLog: false)
    #expect(!isWoken && audience.taken(by: id).isEmpty)
    #expect(audience.committed(Self.commit(2, "a")) == [id])
    #expect(audience.committed(Self.commit(3)).isEmpty)
    #expect(audience.taken(by: id) == CommitNews(commits: [Self.commit(2, "a"), Self.commit(3)]))
    #expect(audience.taken(by: id).isEmpty)
    #expect(audience.committed(Self.commit(9, "b")) == [id])
    #expect(audience.taken(by: id) == CommitNews(commits: [Self.commit(9, "b")]))
  }

  @Test func `who takes too late hears of a gap with all that was written, and of what came after it`() {
    var audience = CommitAudience()
    let slow = audience.came(queueMax: 2, wantsLog: false).id
    let quick = audience.came(queueMax: 2, wantsLog: false).id
    #expect(Set(audience.committed(Self.commit(1, "a"))) == [slow, quick])
    for sequence in 2...5 {
      #expect(!audience.taken(by: quick).commits.isEmpty)
      #expect(audience.committed(Self.commit(UInt64(sequence), "t\(sequence)")) == [quick])
    }
    let news = audience.taken(by: slow)
    #expect(news.gap == CommitGap(through: 4, tables: Self.set("a", "t2", "t3", "t4")))
    #expect(news.commits == [Self.commit(5, "t5")])
    #expect(audience.taken(by: quick) == CommitNews(commits: [Self.commit(5, "t5")]))
    // The gap is over: it is told once.
    #expect(Set(audience.committed(Self.commit(6))) == [slow, quick])
    #expect(audience.taken(by: slow) == CommitNews(commits: [Self.commit(6)]))
  }

  @Test func `a gap with a commit that wrote to anything is one of everything`() {
    var audience = CommitAudience()
    let id = audience.came(queueMax: 1, wantsLog: false).id
    _ = audience.committed(Commit(sequence: 1, tables: .everything))
    _ = audience.committed(Self.commit(2, "a"))
    _ = audience.committed(Self.commit(3, "b"))
    #expect(audience.taken(by: id).gap == CommitGap(through: 2, tables: .everything))
  }

  @Test func `a queue without room is one of a single commit`() {
    var audience = CommitAudience()
    let id = audience.came(queueMax: -3, wantsLog: false).id
    _ = audience.committed(Self.commit(1, "a"))
    _ = audience.committed(Self.commit(2, "b"))
    #expect(
      audience.taken(by: id)
        == CommitNews(gap: .init(through: 1, tables: Self.set("a")), commits: [Self.commit(2, "b")]))
  }

  @Test func `who has left hears of nothing, and the others go on`() {
    var audience = CommitAudience()
    let first = audience.came(queueMax: 8, wantsLog: true).id
    let second = audience.came(queueMax: 8, wantsLog: false).id
    #expect(audience.wantsLog)
    _ = audience.committed(Self.commit(1))
    audience.left(first)
    audience.left(first)
    #expect(!audience.wantsLog && !audience.isEmpty)
    #expect(audience.taken(by: first).isEmpty)
    #expect(audience.committed(Self.commit(2)).isEmpty)
    #expect(audience.taken(by: second).commits.map(\.sequence) == [1, 2])
    audience.left(second)
    #expect(audience.isEmpty)
  }

  @Test func `the end is told once, after the commits before it, and also to those who come later`() {
    var audience = CommitAudience()
    let early = audience.came(queueMax: 8, wantsLog: false).id
    let resting = audience.came(queueMax: 8, wantsLog: false).id
    _ = audience.committed(Self.commit(1, "a"))
    _ = audience.taken(by: resting)
    // Who has something to take has been woken already.
    #expect(audience.ended(.fenced) == [resting])
    #expect(audience.ended(.closed).isEmpty)
    #expect(audience.committed(Self.commit(2)).isEmpty)
    #expect(audience.taken(by: early) == CommitNews(commits: [Self.commit(1, "a")], end: .fenced))
    #expect(audience.taken(by: resting) == CommitNews(end: .fenced))
    #expect(audience.taken(by: early).isEmpty)
    let late = audience.came(queueMax: 8, wantsLog: false)
    #expect(late.isWoken && audience.taken(by: late.id) == CommitNews(end: .fenced))
  }
}
