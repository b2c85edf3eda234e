/// The texts that begin and end transactions, as SQLite understands them.
import MartletSQLite
import Testing

@Suite struct TransactionSQLTests {
  private typealias Savepoint = TransactionSQL.Savepoint

  @Test func `each text is one statement that opens, closes, or leaves a transaction as it is`() throws {
    let connection = try Connection.inMemory()
    let script: [(sql: String, isAutocommit: Bool)] = [
      (TransactionSQL.touch, true), (TransactionSQL.begin, false), (TransactionSQL.touch, false),
      (Savepoint.numbered(1).set, false), (Savepoint.member.set, false), (Savepoint.member.rollBackTo, false),
      (Savepoint.member.release, false), (Savepoint.numbered(1).release, false), (TransactionSQL.commit, true),
      (TransactionSQL.beginImmediate, false), (TransactionSQL.rollBack, true),
    ]
    for (sql, isAutocommit) in script {
      try connection.execute(sql)
      #expect(connection.isAutocommit == isAutocommit, "\(sql)")
    }
  }

  @Test func `savepoints of different numbers, and a member's, are never taken for one another`() throws {
    let savepoints: [Savepoint] = [.member, .numbered(0), .numbered(1), .numbered(10), .numbered(.max)]
    #expect(Set(savepoints.map(\.set)).count == savepoints.count)
    for open in savepoints {
      let connection = try Connection.inMemory()
      try connection.execute(TransactionSQL.begin)
      try connection.execute(open.set)
      for other in savepoints where other != open {
        #expect(throws: SQLiteError.self, "\(open) \(other)") { try connection.execute(other.rollBackTo) }
        #expect(throws: SQLiteError.self, "\(open) \(other)") { try connection.execute(other.release) }
      }
      try connection.execute(open.rollBackTo)
      try connection.execute(open.release)
      try connection.execute(TransactionSQL.commit)
    }
  }

  @Test func `a client's statement may be none of them, and a program's outside of transactions any`() throws {
    let clients = try Connection.inMemory()
    var setup = ConnectionSetup()
    setup.authority = .owner
    let owner = try Connection(path: ":memory:", label: "owner", access: .writer, setup: setup, clock: { 0 })
    let texts = [
      TransactionSQL.begin, Savepoint.member.set, Savepoint.member.rollBackTo, Savepoint.member.release,
      TransactionSQL.commit, TransactionSQL.beginImmediate, TransactionSQL.rollBack,
    ]
    for sql in texts {
      #expect(throws: SQLiteError.self, "\(sql)") { try clients.run(sql) }
      try owner.run(sql)
    }
    #expect(owner.isAutocommit && clients.isAutocommit)
  }
}
