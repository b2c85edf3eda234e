/// What each database, within it each subject, and within that each session has had of the readers' time, while it has
/// reads there.
///
/// Always true: one without reads has no account; a new one begins with the least that one of those present has had.
struct ShareAccounts {
  /// Whose time a read takes.
  struct Share: Hashable, Sendable {
    var database: Int
    /// The number of the subject: `Subject.share`.
    var subject: UInt64
    var session: UInt64
  }

  private struct SubjectShare: Hashable {
    let database: Int
    let subject: UInt64

    init(_ share: Share) {
      database = share.database
      subject = share.subject
    }
  }

  private struct Account {
    var used: UInt64 = 0
    var jobs = 0
  }

  private var databases: [Int: Account] = [:]
  private var subjects: [SubjectShare: Account] = [:]
  private var sessions: [Share: Account] = [:]

  /// Time that the share's database, subject and session have used.
  func used(_ share: Share) -> (database: UInt64, subject: UInt64, session: UInt64) {
    (databases[share.database]?.used ?? 0, subjects[SubjectShare(share)]?.used ?? 0, sessions[share]?.used ?? 0)
  }

  mutating func charge(_ nanoseconds: UInt64, to share: Share) {
    databases[share.database]?.used &+= nanoseconds
    subjects[SubjectShare(share)]?.used &+= nanoseconds
    sessions[share]?.used &+= nanoseconds
  }

  /// A read of the share has come. A new account begins with the least of those present, so nobody saves time up.
  mutating func enter(_ share: Share) {
    if databases[share.database] == nil {
      databases[share.database] = Account(used: databases.values.lazy.map(\.used).min() ?? 0)
    }
    let subject = SubjectShare(share)
    if subjects[subject] == nil {
      let others = subjects.lazy.filter { $0.key.database == share.database }.map(\.value.used)
      subjects[subject] = Account(used: others.min() ?? 0)
    }
    if sessions[share] == nil {
      var least: UInt64?
      for (other, account) in sessions where SubjectShare(other) == subject {
        least = min(least ?? .max, account.used)
      }
      sessions[share] = Account(used: least ?? 0)
    }
    databases[share.database]?.jobs += 1
    subjects[subject]?.jobs += 1
    sessions[share]?.jobs += 1
  }

  /// A read of the share has gone.
  mutating func leave(_ share: Share) {
    databases[share.database]?.jobs -= 1
    subjects[SubjectShare(share)]?.jobs -= 1
    sessions[share]?.jobs -= 1
    if databases[share.database]?.jobs == 0 { databases[share.database] = nil }
    if subjects[SubjectShare(share)]?.jobs == 0 { subjects[SubjectShare(share)] = nil }
    if sessions[share]?.jobs == 0 { sessions[share] = nil }
  }

  /// Whether the accounts count `jobs` reads.
  func counts(_ jobs: Int) -> Bool {
    for accounts in [Array(sessions.values), Array(subjects.values), Array(databases.values)] {
      if accounts.reduce(0, { $0 + $1.jobs }) != jobs { return false }
    }
    return true
  }
}
