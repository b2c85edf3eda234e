/// TPC-B's transaction as a closure of `write`, in many tasks at once: embedded, at a server, and by hand.
///
/// Always true: all run the same five statements on banks of one size, each commit waits for the disk, and the sums of
/// accounts, tellers, branches and history are the same afterwards.
import CSQLite
import Dispatch
import Foundation
import MartletDatabase
import MartletQuery
import Synchronization

/// What a table with an id and a balance is called.
protocol BankTable: Sendable {
  static var name: String { get }
}

enum Accounts: BankTable { static let name = "accounts" }
enum Tellers: BankTable { static let name = "tellers" }
enum Branches: BankTable { static let name = "branches" }

/// A row of accounts, tellers or branches.
struct Balance<Named: BankTable>: Table, Sendable {
  let id: Int
  var balance: Int

  static var tableName: String { Named.name }
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }
  static func placedColumns(in place: ColumnPlace) -> TableColumns { TableColumns(columnPlace: place) }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Balance

    var columnPlace = ColumnPlace()
    var id: TableColumn<Balance, Int> { TableColumn("id", in: columnPlace) }
    var balance: TableColumn<Balance, Int> { TableColumn("balance", in: columnPlace) }

    static var allColumns: [ColumnDescription] {
      [ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("balance", Int.self)]
    }
  }

  var columnFragments: [QueryFragment] {
    var fragments: [QueryFragment] = []
    Int.bind(id, into: &fragments)
    Int.bind(balance, into: &fragments)
    return fragments
  }

  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    balance = try decoder.value(Int.self)
  }
}

/// A row of the history.
struct Movement: Table, Sendable {
  var teller: Int
  var branch: Int
  var account: Int
  var delta: Int

  static let tableName = "history"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }
  static func placedColumns(in place: ColumnPlace) -> TableColumns { TableColumns(columnPlace: place) }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Movement

    var columnPlace = ColumnPlace()
    var teller: TableColumn<Movement, Int> { TableColumn("teller", in: columnPlace) }
    var branch: TableColumn<Movement, Int> { TableColumn("branch", in: columnPlace) }
    var account: TableColumn<Movement, Int> { TableColumn("account", in: columnPlace) }
    var delta: TableColumn<Movement, Int> { TableColumn("delta", in: columnPlace) }

    static let allColumns = [
      ColumnDescription("teller", Int.self), ColumnDescription("branch", Int.self),
      ColumnDescription("account", Int.self), ColumnDescription("delta", Int.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    var fragments: [QueryFragment] = []
    for number in [teller, branch, account, delta] { Int.bind(number, into: &fragments) }
    return fragments
  }
}

extension Movement {
  init(decoder: inout some QueryDecoder) throws {
    teller = try decoder.value(Int.self)
    branch = try decoder.value(Int.self)
    account = try decoder.value(Int.self)
    delta = try decoder.value(Int.self)
  }
}

/// One bank: how it is made, and what a transaction does.
enum Bank {
  static let branches = 64
  static let schema = """
    CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, filler TEXT);
    CREATE TABLE tellers (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
    CREATE TABLE branches (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
    CREATE TABLE history (
      teller INTEGER, branch INTEGER, account INTEGER, delta INTEGER, at TEXT DEFAULT CURRENT_TIMESTAMP);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 640000)
      INSERT INTO accounts SELECT i, 0, hex(zeroblob(42)) FROM n;
    INSERT INTO tellers SELECT id, 0 FROM accounts WHERE id <= 640;
    INSERT INTO branches SELECT id, 0 FROM accounts WHERE id <= 64
    """
  static let sums = """
    SELECT (SELECT sum(balance) FROM accounts) - (SELECT sum(delta) FROM history)
      OR (SELECT sum(balance) FROM tellers) - (SELECT sum(delta) FROM history)
      OR (SELECT sum(balance) FROM branches) - (SELECT sum(delta) FROM history)
    """

  struct Draw: Sendable {
    let account = Int.random(in: 1...640_000)
    let teller = Int.random(in: 1...640)
    let branch = Int.random(in: 1...64)
    let delta = Int.random(in: -5_000...5_000)
  }

  @Sendable static func transact(_ db: Database) throws {
    let draw = Draw()
    try Balance<Accounts>.where { $0.id.eq(draw.account) }.update { $0.balance += draw.delta }.execute(db)
    _ = try Balance<Accounts>.where { $0.id.eq(draw.account) }.select(\.balance).fetchOne(db)
    try Balance<Tellers>.where { $0.id.eq(draw.teller) }.update { $0.balance += draw.delta }.execute(db)
    try Balance<Branches>.where { $0.id.eq(draw.branch) }.update { $0.balance += draw.delta }.execute(db)
    try Movement.insert {
      Movement(teller: draw.teller, branch: draw.branch, account: draw.account, delta: draw.delta)
    }.execute(db)
  }

  /// What the tasks of a run have come to.
  private final class Outcome: Sendable {
    let count = Atomic<Int>(0)
    let failure = Mutex<(any Error)?>(nil)
  }

  /// Transactions a second of so many tasks.
  static func rate(of database: any DatabaseWriter, tasks: Int, seconds: Double) throws -> Double {
    let outcome = Outcome()
    let begin = ContinuousClock.now
    let end = begin + .seconds(seconds)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<tasks {
          group.addTask {
            do {
              while ContinuousClock.now < end {
                try await database.write(transact)
                outcome.count.wrappingAdd(1, ordering: .relaxed)
              }
            } catch {
              outcome.failure.withLock { $0 = error }
            }
          }
        }
      }
      isDone.signal()
    }
    isDone.wait()
    if let error = outcome.failure.withLock({ $0 }) { throw error }
    return perSecond(outcome.count.load(ordering: .relaxed), since: begin)
  }

  static func perSecond(_ count: Int, since begin: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (ContinuousClock.now - begin).components
    return Double(count) / (Double(seconds) + Double(attoseconds) / 1e18)
  }
}

extension HandWritten {
  /// Transactions a second, one after another, with statements that are compiled once.
  func transactionRate(seconds: Double) -> Double {
    let statements = [
      "BEGIN IMMEDIATE", "UPDATE accounts SET balance = balance + ?2 WHERE id = ?1",
      "SELECT balance FROM accounts WHERE id = ?1", "UPDATE tellers SET balance = balance + ?2 WHERE id = ?1",
      "UPDATE branches SET balance = balance + ?2 WHERE id = ?1",
      "INSERT INTO history (teller, branch, account, delta) VALUES (?1, ?2, ?3, ?4)", "COMMIT",
    ].map { prepared($0) }
    defer { for statement in statements { sqlite3_finalize(statement) } }
    var count = 0
    let begin = ContinuousClock.now
    let end = begin + .seconds(seconds)
    while ContinuousClock.now < end {
      let draw = Bank.Draw()
      let values = [
        [], [draw.account, draw.delta], [draw.account], [draw.teller, draw.delta], [draw.branch, draw.delta],
        [draw.teller, draw.branch, draw.account, draw.delta], [],
      ]
      for (statement, values) in zip(statements, values) {
        for (index, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(index + 1), Int64(value)) }
        while sqlite3_step(statement) == SQLITE_ROW {}
        precondition(sqlite3_reset(statement) == SQLITE_OK)
      }
      // What readers of a pool leave to the writer, this one does by itself now and then, too.
      count += 1
      if count % 1_000 == 0 { run("PRAGMA wal_checkpoint(PASSIVE)") }
    }
    return Bank.perSecond(count, since: begin)
  }
}

extension QueryBenchmarks {
  /// The median of some rounds in turn.
  static func bank(_ directory: String, _ url: String) throws {
    let hand = HandWritten(path: directory + "/bank-hand.sqlite")
    hand.run(Bank.schema)
    let shared = try DatabasePool(path: directory + "/bank-shared.sqlite")
    var configuration = Configuration()
    configuration.sharesSyncs = false
    let alone = try DatabasePool(path: directory + "/bank-alone.sqlite", configuration: configuration)
    configuration.remote.createsDatabase = true
    configuration.remote.maximumConnectionCount = 64
    let remote = try RemoteDatabase(url, configuration: configuration)
    for database in [shared, alone, remote] as [any DatabaseWriter] {
      try database.write { try $0.execute(sql: Bank.schema) }
    }
    let cases: [(name: String, wanted: String, rate: () throws -> Double)] = [
      ("SQLite by hand, one after another", "", { hand.transactionRate(seconds: 2) }),
      ("`DatabasePool`, 64 tasks", "150 %", { try Bank.rate(of: shared, tasks: 64, seconds: 2) }),
      ("`DatabasePool`, 1 task", "", { try Bank.rate(of: shared, tasks: 1, seconds: 2) }),
      ("`DatabasePool` with `sharesSyncs = false`, 64 tasks", "", { try Bank.rate(of: alone, tasks: 64, seconds: 2) }),
      ("`RemoteDatabase`, 64 tasks", "", { try Bank.rate(of: remote, tasks: 64, seconds: 2) }),
      ("`RemoteDatabase`, 1 task", "", { try Bank.rate(of: remote, tasks: 1, seconds: 2) }),
    ]
    var rates = Array(repeating: [Double](), count: cases.count)
    for _ in 0..<rounds { for (index, bank) in cases.enumerated() { rates[index].append(try bank.rate()) } }
    let medians = rates.map { $0.sorted()[$0.count / 2] }
    for (bank, rate) in zip(cases, medians) {
      row(
        "TPC-B's `write { }`: \(bank.name)", "\(format(rate, 0)) a second, \(percent(rate / medians[0]))",
        wanted: bank.wanted)
    }
    for database in [shared, alone, remote] as [any DatabaseWriter] {
      let differs = try database.read { try Int.fetchOne($0, sql: Bank.sums) }
      precondition(differs == 0, "The sums of the bank differ.")
    }
  }
}
