/// What each database, subject and session has had of the readers' time.
import Testing

@testable import MartletEngine

@Suite struct ShareAccountsTests {
  private func share(_ database: Int, _ subject: UInt64, _ session: UInt64) -> ShareAccounts.Share {
    ShareAccounts.Share(database: database, subject: subject, session: session)
  }

  private func used(_ accounts: ShareAccounts, _ share: ShareAccounts.Share) -> [UInt64] {
    let used = accounts.used(share)
    return [used.database, used.subject, used.session]
  }

  @Test func `time is counted for the session, its subject and its database`() {
    var accounts = ShareAccounts()
    let all = [share(1, 1, 1), share(1, 1, 2), share(1, 2, 3), share(2, 1, 4)]
    for one in all { accounts.enter(one) }
    #expect(accounts.counts(4))
    accounts.charge(10, to: all[0])
    accounts.charge(5, to: all[1])
    #expect(all.map { used(accounts, $0) } == [[15, 15, 10], [15, 15, 5], [15, 0, 0], [0, 0, 0]])
  }

  @Test func `who comes anew begins with what the least of those present have had`() {
    var accounts = ShareAccounts()
    for (one, cost) in [(share(1, 1, 1), 10), (share(1, 1, 2), 7), (share(1, 2, 3), 9)]
      as [(ShareAccounts.Share, UInt64)]
    {
      accounts.enter(one)
      accounts.charge(cost, to: one)
    }
    let (again, beside, elsewhere) = (share(1, 1, 4), share(1, 3, 5), share(2, 1, 6))
    for one in [again, beside, elsewhere] { accounts.enter(one) }
    // The second session began with the ten of the first, and the second subject with the seventeen of the first.
    #expect(used(accounts, again) == [26, 17, 10])
    #expect(used(accounts, beside) == [26, 17, 0])
    #expect(used(accounts, elsewhere) == [26, 0, 0])
  }

  @Test func `who has no reads left is forgotten`() {
    var accounts = ShareAccounts()
    let one = share(1, 1, 1)
    accounts.enter(one)
    accounts.enter(one)
    accounts.charge(10, to: one)
    accounts.leave(one)
    #expect(accounts.counts(1) && used(accounts, one) == [10, 10, 10])
    accounts.leave(one)
    #expect(accounts.counts(0) && used(accounts, one) == [0, 0, 0])
    accounts.enter(one)
    #expect(used(accounts, one) == [0, 0, 0])
  }
}
