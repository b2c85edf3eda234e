/// Random messages of every kind, the same for the same seed.
///
/// Always true: what it makes is valid, so that encoding and decoding must give it back unchanged.
import MartletProtocol
import MartletTestSupport
import MartletValues

struct MessageGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func flag() -> Bool { Bool.random(using: &self) }
  mutating func bytes(_ range: Range<Int>) -> [UInt8] {
    (0..<number(range)).map { _ in UInt8.random(in: 0...255, using: &self) }
  }

  mutating func text() -> String {
    let letters: [Character] = ["a", "Z", "\0", "é", "漢", "🐦", "'", "\u{FFFD}", "\u{FEFF}", "\n"]
    return String((0..<number(0..<20)).map { _ in letters[number(0..<letters.count)] })
  }

  mutating func integer() -> Int64 {
    let extremes: [Int64] = [0, 1, -1, .min, .max, Int64(Int32.max), Int64(Int32.min)]
    return flag() ? extremes[number(0..<extremes.count)] : Int64(bitPattern: next())
  }

  mutating func real() -> Double {
    let extremes: [Double] = [0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    return flag() ? extremes[number(0..<extremes.count)] : Double(integer()) / 7
  }

  mutating func scalar() -> Value {
    switch number(0..<5) {
    case 0: .null
    case 1: .integer(integer())
    case 2: .real(real())
    case 3: .text(text())
    default: .blob(bytes(0..<30))
    }
  }

  mutating func rows() -> RowBatch {
    let width = number(0..<5)
    let kinds = (0..<width).map { _ in number(0..<6) }
    var batch = RowBatch(columnCount: width)
    for _ in 0..<number(0..<40) {
      batch.append(
        kinds.map { kind in
          if number(0..<4) == 0 { return .null }
          switch kind {
          case 0: return .null
          case 1: return .integer(integer())
          case 2: return .real(real())
          case 3: return .text(text())
          case 4: return .blob(bytes(0..<30))
          default: return scalar()
          }
        })
    }
    return batch
  }

  mutating func value() -> Value { number(0..<6) == 0 ? .rows(rows()) : scalar() }

  mutating func shape() -> ShapeID { ShapeID(high: next(), low: next()) }

  mutating func source() -> StatementSource { flag() ? .shape(shape()) : .statement(bytes(0..<60)) }

  mutating func word() -> UInt32 { UInt32(truncatingIfNeeded: next()) >> UInt32(number(0..<32)) }

  mutating func step(_ number: Int) -> StatementStep {
    var step = StatementStep(source: source(), columnsVersion: next(), isAnyEnough: flag())
    for _ in 0..<self.number(0..<4) {
      let earlier = number > 1 ? self.number(1..<number) : 0
      switch earlier == 0 ? 0 : self.number(0..<4) {
      case 0: step.parameters.append(.value(value()))
      case 1: step.parameters.append(.lastInsertRowID(step: earlier))
      case 2: step.parameters.append(.rowsChanged(step: earlier))
      default: step.parameters.append(.firstRow(step: earlier, column: self.number(0..<2_000)))
      }
      let outcomes: [StepCondition.Outcome] = [.succeeded, .failed, .skipped, .returnedRows, .changedRows]
      if earlier > 0 {
        step.conditions.append(
          .init(step: earlier, outcomes[self.number(0..<outcomes.count)], isNegated: flag()))
      }
    }
    return step
  }

  mutating func statements() -> [[UInt8]] { (0..<number(0..<5)).map { _ in bytes(0..<40) } }

  mutating func clientMessage() -> ClientMessage {
    let kind: ClientMessage.Kind
    switch number(0..<15) {
    case 0:
      kind = .hello(
        .init(
          protocolVersion: word(), database: text(), client: text(), create: flag(), setup: statements(),
          setupFollows: flag(), credential: text()))
    case 1...3:
      kind = .execute(
        .init(
          source: source(), parameters: (0..<number(0..<6)).map { _ in value() }, transaction: word(),
          deadlineMs: word(), credit: word(), columnsVersion: next(), mayShortenDeadline: flag(),
          isRequired: flag()))
    case 4:
      kind = .batch(
        .init(
          steps: (1...number(1..<6)).map { step($0) }, isAtomic: flag(), transaction: word(), deadlineMs: word(),
          credit: word(), mayShortenDeadline: flag()))
    case 5: kind = .begin(flag() ? .read : .write, deadlineMs: word())
    case 6: kind = .finish(transaction: word(), commit: flag(), required: word())
    case 7: kind = .savepoint(transaction: word(), flag() ? .set : flag() ? .release : .rollBackTo, number: word())
    case 8: kind = .credit(bytes: word())
    case 9: kind = .cancel
    case 10: kind = .ping(bytes(0..<65))
    case 11: kind = .inspect(shapes: word(), sessions: word())
    case 13: kind = .administer(administration())
    case 12: kind = .maintain(flag() ? .check : flag() ? .checkWhole : .unfence, deadlineMs: word(), credit: word())
    default: kind = .setup(statements())
    }
    return ClientMessage(requestID: word() | 1, kind: kind)
  }

  mutating func administration() -> Administration {
    switch number(0..<4) {
    case 0: .list(after: text())
    case 1: .create(text())
    case 2: .rename(text(), to: text(), endsSessions: flag())
    default: .drop(text(), endsSessions: flag())
    }
  }

  /// A text that protobuf-c's C strings can carry.
  mutating func name() -> String { text().filter { $0 != "\0" } }

  mutating func error() -> RequestError {
    RequestError(
      .init(rawValue: UInt32(number(1..<17))), .init(rawValue: name()), name(), sqliteCode: Int32(number(0..<4_000)),
      path: name(), constraint: name(), table: name(), column: name(), isRetryable: flag(), isOutcomeUnknown: flag())
  }

  mutating func columns() -> ResultColumns {
    ResultColumns(
      version: next(),
      columns: (0..<number(0..<6)).map { _ in
        .init(name: name(), declaredType: name(), database: name(), table: name(), origin: name())
      })
  }

  mutating func completion() -> Completion {
    Completion(
      rowsChanged: integer(), lastInsertRowID: integer(), rowsReturned: integer(), commitSequence: next(),
      transaction: TransactionStatus(rawValue: UInt32(number(0..<4))) ?? .none, shape: flag() ? shape() : nil,
      isSkipped: flag())
  }

  mutating func inspection() -> Inspection {
    Inspection(
      counters: [.init(name: name(), value: integer())],
      shapes: [
        ShapeStatistics(
          shape: shape(), database: name(), sql: name(), executions: next(), errors: next(), rows: next(),
          microseconds: next())
      ],
      latencies: [
        LatencyCounts(kind: name(), boundsUs: [next(), 7], counts: [0, next()], microseconds: next()),
        LatencyCounts(kind: ""),
      ],
      sessions: [
        SessionInfo(id: next(), peer: name(), client: name(), database: name(), ageMs: next(), requests: next())
      ])
  }

  mutating func databases() -> DatabaseList {
    let states: [DatabaseList.State] = [.closed, .open, .fenced]
    return DatabaseList(
      entries: states.map {
        .init(name: name(), state: $0, bytes: next(), logBytes: next(), sessions: Int(word()))
      }, hasMore: flag())
  }

  /// Some of the parts that a message may have, in their order.
  mutating func parts() -> [ServerMessage.Part] {
    let all: [ServerMessage.Part] = [
      .hello(
        HelloReply(
          protocolVersion: word(), server: name(), sqlite: name(), frameBytesMax: word(), requestsMax: word(),
          creditBytesMax: next(), creditBytesDefault: word(), countsRequired: flag(), schemaObjectsMax: word(),
          schemaBytesMax: next())),
      .columns(columns()), .rows(rows()), .completion(completion()), .error(error()), .pong(bytes(0..<65)),
      .inspection(inspection()), .transactionEnded(transaction: word(), error(), ageMs: Int(word())),
      .closing(name()), .databases(databases()),
    ]
    return all.filter { _ in number(0..<3) == 0 }
  }
}
