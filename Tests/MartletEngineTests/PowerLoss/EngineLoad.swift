/// A seeded load on an engine's database: everything that commits, in groups and alone, among what fails.
///
/// Always true: each unit's acknowledgement is in the disk's log at the moment when the engine handed it over.
import Foundation
import MartletAST
import MartletTestSupport
import MartletValues

@testable import MartletEngine

/// Writes down when the engine hands a completion over, and what became of each unit.
// Unchecked because everything that changes is reached with the condition's lock held.
final class LoadSink: ReplySink, @unchecked Sendable {
  private let disk: RecordingDisk
  private let condition = NSCondition()
  private var units: [RequestToken: Int] = [:]
  private var ended: [RequestToken: RequestError?] = [:]
  private var current = LoadModel()
  private var requests: UInt32 = 0
  private var lastUnit = 0
  /// Reads, each with the unit that it may see before others do: its own transaction's.
  private var reads: [RequestToken: Int] = [:]
  private var told: Set<Int> = []

  init(disk: RecordingDisk) { self.disk = disk }

  var model: LoadModel { condition.withLock { current } }

  func token() -> RequestToken {
    condition.withLock {
      requests += 1
      return RequestToken(session: 1, request: requests)
    }
  }

  /// A new unit that ends when `token` does. `fate`: what it must come to, whatever is said to the token.
  func unit(_ token: RequestToken?, rows: Int, table: ((Int) -> String)? = nil, fate: LoadModel.Fate = .unknown) -> Int
  {
    condition.withLock {
      lastUnit += 1
      current.started(lastUnit, rows: rows, table: table?(lastUnit))
      current.ended(lastUnit, fate)
      if let token, fate == .unknown { units[token] = lastUnit }
      return lastUnit
    }
  }

  /// What the request reads is a column of units.
  func readToken(besides unit: Int = 0) -> RequestToken {
    let token = token()
    condition.withLock { reads[token] = unit }
    return token
  }

  func reading(_ token: RequestToken) { condition.withLock { reads[token] = 0 } }

  /// Somebody was told that these units are there, which holds from then on.
  func saw(_ batch: RowBatch, besides own: Int = 0) {
    condition.withLock {
      for index in 0..<batch.rowCount {
        guard case .integer(let unit)? = (try? batch.row(index))?.first, Int(unit) != own else { continue }
        if told.insert(Int(unit)).inserted { disk.acknowledged(unit: Int(unit)) }
      }
    }
  }

  /// The unit that is there or not with that token's answer.
  func bind(_ unit: Int, to token: RequestToken) { condition.withLock { units[token] = unit } }

  func failed(_ unit: Int) { condition.withLock { current.ended(unit, .failed) } }

  func deliver(_ event: ReplyEvent, to token: RequestToken) {
    if case .rows(let batch) = event, let own = condition.withLock({ reads[token] }) { return saw(batch, besides: own) }
    condition.withLock {
      switch event {
      case .completed(let completion):
        if let unit = units[token] {
          disk.acknowledged(unit: unit)
          told.insert(unit)
          current.ended(unit, .committed(sequence: completion.commitSequence))
        }
        ended[token] = .some(nil)
      case .failed(let error):
        if let unit = units[token], !error.isOutcomeUnknown { current.ended(unit, .failed) }
        ended[token] = .some(error)
      case .columns, .rows, .transactionEnded: break
      }
      condition.broadcast()
    }
  }

  /// Waits for the end of a request; what went wrong with it, if something did.
  @discardableResult
  func wait(_ token: RequestToken) -> RequestError? {
    condition.withLock {
      let limit = Date(timeIntervalSinceNow: 60)
      while ended[token] == nil {
        if !condition.wait(until: limit) { return .lostResult }
      }
      return ended[token] ?? nil
    }
  }
}

struct EngineLoad {
  let database: Database
  let sink: LoadSink
  private var random: SeededGenerator
  private var waiting: [RequestToken] = []

  static let selectUnits = Trees.select(["unit"], from: "ledger")
  private static let insert = Trees.insert("ledger", ["unit", "part", "account", "body"])
  private static let insertRows = Trees.insertRows("ledger", ["unit", "part", "account", "body"])
  private static let replaceFiller = Trees.insert("filler", ["id", "unit", "body"], or: .replace)
  private static let deleteFiller = Trees.delete("filler", where: "id")

  init(database: Database, disk: RecordingDisk, seed: UInt64) {
    self.database = database
    sink = LoadSink(disk: disk)
    random = SeededGenerator(seed: seed)
  }

  var model: LoadModel { sink.model }

  /// The tables; the unit that they are is there as soon as the last of them is.
  func makeSchema() -> RequestError? {
    let steps = PlainLoad.schema.split(separator: ";\n").flatMap { piece -> [StatementStep] in
      // The trigger's own semicolon stands inside a line.
      [StatementStep(source: .statement(Trees.raw(String(piece))))]
    }
    let token = sink.token()
    let unit = sink.unit(nil, rows: 0, table: { _ in "ledger" })
    sink.bind(unit, to: token)
    _ = database.start(BatchRequest(steps: steps, isAtomic: true), token: token, sink: sink)
    return sink.wait(token)
  }

  /// Runs waves of one to eight units, in groups or as they come.
  mutating func run(waves: Int) {
    for _ in 0..<waves {
      let gate = Bool.random(using: &random) ? openGate() : nil
      for _ in 0..<Int.random(in: 1...8, using: &random) { startOne() }
      if let gate {
        let end = sink.token()
        gate.finish(commit: false, token: end, sink: sink)
        sink.wait(end)
      }
      for token in waiting { sink.wait(token) }
      waiting.removeAll()
      if Bool.random(using: &random) { runTransactions() }
      if Int.random(in: 0..<3, using: &random) == 0 { runTransaction() }
    }
  }

  /// Holds the writer, so that what is started meanwhile becomes one group.
  private func openGate() -> Transaction? {
    let begin = sink.token()
    let gate = database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    return sink.wait(begin) == nil ? gate : nil
  }

  // MARK: - Units

  private mutating func startOne() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: startInsert()
    case 4, 5: startRows()
    case 6, 7: startBatch(failing: false)
    case 8: startBatch(failing: true)
    case 9: startFailing()
    case 10: startLoose()
    default: startTable()
    }
  }

  private mutating func body() -> Value {
    // Now and then longer than a page, so that there are overflow pages.
    let isLong = Int.random(in: 0..<8, using: &random) == 0
    return .text(String(repeating: "b", count: Int.random(in: 1...(isLong ? 9_000 : 400), using: &random)))
  }

  private mutating func row(_ unit: Int, _ part: Int, account: Int64? = nil) -> [Value] {
    [
      .integer(Int64(unit)), .integer(Int64(part)), .integer(account ?? Int64.random(in: 1...4, using: &random)),
      body(),
    ]
  }

  private mutating func start(_ statement: [UInt8], _ parameters: [Value], _ token: RequestToken) {
    _ = database.start(
      StatementRequest(source: .statement(statement), parameters: parameters), token: token, sink: sink)
    waiting.append(token)
  }

  private mutating func startInsert() {
    let token = sink.token()
    let unit = sink.unit(token, rows: 1)
    start(Self.insert, row(unit, 0), token)
  }

  private mutating func startRows() {
    let token = sink.token()
    let count = Int.random(in: 2...12, using: &random)
    let unit = sink.unit(token, rows: count)
    let rows = (0..<count).map { row(unit, $0) }
    start(Self.insertRows, [.rows(RowBatch(rows: rows, columnCount: 4))], token)
  }

  /// Fails after it has written rows: the last one has a number that is taken, or an account that is not there.
  private mutating func startFailing() {
    let token = sink.token()
    let unit = sink.unit(token, rows: 3, fate: .failed)
    let isTaken = Bool.random(using: &random)
    let rows = [row(unit, 0), row(unit, 1), isTaken ? row(unit, 0) : row(unit, 2, account: 99)]
    start(Self.insertRows, [.rows(RowBatch(rows: rows, columnCount: 4))], token)
  }

  private mutating func startTable() {
    let token = sink.token()
    let unit = sink.unit(token, rows: 0, table: { "extra_\($0)" })
    start(Trees.raw("CREATE TABLE extra_\(unit)(a TEXT, b INTEGER)"), [], token)
  }

  private mutating func steps(_ unit: Int, _ count: Int) -> [StatementStep] {
    var steps = (0..<count).map { part in step(Self.insert, row(unit, part)) }
    let filler = Value.integer(Int64.random(in: 1...20, using: &random))
    if Bool.random(using: &random) { steps.append(step(Self.deleteFiller, [filler])) }
    steps.append(step(Self.replaceFiller, [filler, .integer(Int64(unit)), body()]))
    return steps
  }

  private func step(_ statement: [UInt8], _ values: [Value]) -> StatementStep {
    StatementStep(source: .statement(statement), parameters: values.map { .value($0) })
  }

  private mutating func startBatch(failing: Bool) {
    let token = sink.token()
    let count = Int.random(in: 1...5, using: &random)
    let unit = sink.unit(token, rows: count, fate: failing ? .failed : .unknown)
    var steps = steps(unit, count)
    if failing { steps.append(step(Self.insert, row(unit, 0))) }
    _ = database.start(BatchRequest(steps: steps, isAtomic: true), token: token, sink: sink)
    waiting.append(token)
  }

  /// Steps that stand for themselves: each is a unit.
  private mutating func startLoose() {
    let token = sink.token()
    var steps: [StatementStep] = []
    for number in 1...3 {
      let unit = sink.unit(
        RequestToken(session: token.session, request: token.request, step: UInt32(number)), rows: 1)
      steps.append(step(Self.insert, row(unit, 0)))
    }
    _ = database.start(BatchRequest(steps: steps, isAtomic: false), token: token, sink: sink)
    waiting.append(token)
  }

  /// Several that wait for one another, with single writes and a batch between them: only those that are answered wait
  /// for the disk.
  private mutating func runTransactions() {
    for _ in 0..<Int.random(in: 2...6, using: &random) {
      if Int.random(in: 0..<4, using: &random) == 0 { startOne() }
      let count = Int.random(in: 1...3, using: &random)
      let unit = sink.unit(nil, rows: count)
      let begin = sink.token()
      let transaction = database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
      for part in 0..<count {
        let request = StatementRequest(source: .statement(Self.insert), parameters: row(unit, part))
        let token = sink.token()
        _ = transaction.start(request, token: token, sink: sink)
        waiting.append(token)
      }
      let read = sink.readToken(besides: unit)
      _ = transaction.start(StatementRequest(source: .statement(Self.selectUnits)), token: read, sink: sink)
      let end = sink.token()
      let isKept = Int.random(in: 0..<5, using: &random) != 0
      if isKept { sink.bind(unit, to: end) } else { sink.failed(unit) }
      transaction.finish(commit: isKept, token: end, sink: sink)
      waiting += [begin, read, end]
    }
    for token in waiting { sink.wait(token) }
    waiting.removeAll()
  }

  private mutating func runTransaction() {
    let count = Int.random(in: 1...4, using: &random)
    let unit = sink.unit(nil, rows: count)
    let begin = sink.token()
    let transaction = database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    guard sink.wait(begin) == nil else { return sink.failed(unit) }
    var isWell = true
    for part in 0..<count {
      let token = sink.token()
      let request = StatementRequest(source: .statement(Self.insert), parameters: row(unit, part))
      _ = transaction.start(request, token: token, sink: sink)
      if sink.wait(token) != nil { isWell = false }
    }
    let isKept = isWell && Int.random(in: 0..<4, using: &random) != 0
    let end = sink.token()
    if isKept { sink.bind(unit, to: end) } else { sink.failed(unit) }
    transaction.finish(commit: isKept, token: end, sink: sink)
    sink.wait(end)
  }
}
