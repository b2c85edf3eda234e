/// A small program that writes in groups to a database, and may do so wrongly in one of several ways.
///
/// Always true: without a misdeed it loses nothing; with one the replayer must find what it loses. It has nothing to
/// do with Martlet but the file system that records it.
package struct PlainLoad: Sendable {
  package enum Misdeed: Sendable, CaseIterable {
    case none
    /// It says "done" when a statement has run, and commits afterwards.
    case repliesBeforeCommit
    /// It commits with `synchronous=NORMAL`, which does not wait for the disk.
    case synchronousNormal
    /// A second connection checkpoints and does not wait for the disk.
    case checkpointsElsewhere
    /// A group's first member has a transaction of its own, and all are told "done" after it.
    case repliesAfterFirstMember
    /// It takes a commit that failed for one that did not.
    case swallowsCommitError
    /// It takes the log away before it opens the file again.
    case deletesLog
    /// The members of a group are not in a transaction.
    case splitsGroups
  }

  package static let schema = """
    CREATE TABLE account(id INTEGER PRIMARY KEY);
    CREATE TABLE ledger(
      unit INTEGER NOT NULL, part INTEGER NOT NULL, account INTEGER NOT NULL REFERENCES account(id), body TEXT,
      UNIQUE(unit, part));
    CREATE TABLE tally(n INTEGER NOT NULL);
    CREATE TABLE filler(id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, body TEXT);
    CREATE TRIGGER ledger_tally AFTER INSERT ON ledger BEGIN UPDATE tally SET n = n + 1; END;
    INSERT INTO account VALUES (1), (2), (3), (4);
    INSERT INTO tally VALUES (0);
    """

  package let disk: RecordingDisk
  package private(set) var model = LoadModel()
  private var unit = 0
  private var sequence: UInt64 = 0

  package init(disk: RecordingDisk) { self.disk = disk }

  /// Commits `groups` groups of one to four units of one to three rows.
  package mutating func run(_ misdeed: Misdeed, groups: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = "\(disk.directory)/plain.sqlite"
    var database = try open(path, misdeed)
    try database.run("BEGIN; \(Self.schema) COMMIT")
    disk.directorySynced()
    for group in 0..<groups {
      if misdeed == .swallowsCommitError, group == groups / 2 {
        disk.arm(DiskFault(.sync, number: 1))
      }
      let members = (0..<Int.random(in: 1...4, using: &random)).map { _ in start(Int.random(in: 1...3, using: &random))
      }
      try commit(members, on: database, misdeed, using: &random)
      if group % 6 == 5 { try checkpoint(path, database, misdeed) }
      if misdeed == .deletesLog, group == groups / 2 {
        database.keepLogOnClose()
        database = try StockDatabase(":memory:")
        deleteLog(path)
        database = try open(path, misdeed)
      }
    }
  }

  private func open(_ path: String, _ misdeed: Misdeed) throws -> StockDatabase {
    let database = try StockDatabase(path, vfs: RecordingVFS.name)
    let synchronous = misdeed == .synchronousNormal ? "NORMAL" : "FULL"
    try database.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=\(synchronous); PRAGMA wal_autocheckpoint=0")
    return database
  }

  /// What a start script does that takes `-wal` for rubbish.
  private func deleteLog(_ path: String) {
    disk.delete("\(path)-wal")
    disk.delete("\(path)-shm")
  }

  private mutating func start(_ rows: Int) -> (unit: Int, rows: Int) {
    unit += 1
    model.started(unit, rows: rows)
    return (unit, rows)
  }

  private mutating func commit(
    _ members: [(unit: Int, rows: Int)], on database: StockDatabase, _ misdeed: Misdeed,
    using random: inout SeededGenerator
  ) throws {
    if misdeed != .splitsGroups { try database.run("BEGIN") }
    for (index, member) in members.enumerated() {
      for part in 0..<member.rows {
        let size = Int.random(in: 10...3_000, using: &random)
        try database.run(
          "INSERT INTO ledger VALUES (\(member.unit), \(part), \(1 + part), hex(zeroblob(\(size / 2))))")
      }
      if misdeed == .repliesBeforeCommit { disk.acknowledged(unit: member.unit) }
      if misdeed == .repliesAfterFirstMember, index == 0, members.count > 1 {
        try database.run("COMMIT; BEGIN")
        for member in members { disk.acknowledged(unit: member.unit) }
      }
    }
    do {
      if misdeed != .splitsGroups { try database.run("COMMIT") }
    } catch  where misdeed == .swallowsCommitError {
      // Taken for success.
      _ = try? database.run("ROLLBACK")
    }
    sequence += 1
    for member in members {
      model.ended(member.unit, .committed(sequence: sequence))
      disk.acknowledged(unit: member.unit)
    }
  }

  private func checkpoint(_ path: String, _ database: StockDatabase, _ misdeed: Misdeed) throws {
    guard misdeed == .checkpointsElsewhere else {
      try database.run("PRAGMA wal_checkpoint(PASSIVE)")
      return
    }
    let other = try StockDatabase(path, vfs: RecordingVFS.name)
    try other.run("PRAGMA synchronous=OFF; PRAGMA wal_checkpoint(RESTART)")
  }
}
