/// Random trees of a client with rules for tables, on a real server: each gives what it gives if nothing is hidden,
/// in rows, changes, names of columns and errors.
///
/// Always true: MARTLET_RULED_SERVED says how many trees are tried, MARTLET_SEED where they begin.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RuledServerTests {
  private static func setting(_ name: String, _ otherwise: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? otherwise
  }

  /// What came of a tree on one database.
  private struct Outcome: Equatable {
    var rows: [String] = []
    var names: [String]?
    var changes: Int64?
    /// Everything that an error says.
    var failure: String?
    var contents: [[[Value]]] = []

    /// Of the same rows, whatever their order.
    var sorted: Outcome {
      var outcome = self
      outcome.rows.sort()
      return outcome
    }

    init(_ answer: RawClient.Answer, contents: [[[Value]]]) {
      rows = answer.error == nil ? answer.rows.map { "\($0)" } : []
      names = answer.columns?.columns.map(\.name)
      changes = answer.error == nil ? answer.completion?.rowsChanged : nil
      failure = answer.error.map {
        "\($0.code) \($0.reason) \($0.message) \($0.path) \($0.constraint) \($0.table) \($0.column) \($0.sqliteCode)"
      }
      self.contents = contents
    }

    /// A key that a hidden row has, of which the security page tells.
    var failsByKey: Bool { failure.map { $0.contains("CONSTRAINT") && $0.contains("exists already") } ?? false }
  }

  private struct Tally {
    var compared = 0
    var likeTwin = 0
    var changed = 0
    var gaveRows = 0
    var failed = 0
    var inTransaction = 0
  }

  private static func value(_ index: Int, _ rendered: RenderedStatement) -> Value {
    guard let width = rendered.listParameters[index] else {
      return TreeGenerator.boundTexts[index].map { .text($0) } ?? .integer(Int64(index))
    }
    var rows = RowBatch()
    rows.reset(columnCount: width)
    for row in 0..<2 {
      for column in 0..<width { rows.columns[column].appendInteger(Int64(column) + (row == 0 ? 1 : 40), row: row) }
    }
    rows.rowCount = 2
    return .rows(rows)
  }

  /// Runs it alone, or in a transaction that is rolled back.
  private static func outcome(
    _ twins: ServedTwins, _ name: String, _ tree: ASTStatement, _ values: [Value], isWrite: Bool, inTransaction: Bool
  ) throws -> Outcome {
    guard isWrite else { return Outcome(try twins.ask(name, tree, values), contents: []) }
    guard inTransaction else {
      return Outcome(try twins.ask(name, tree, values), contents: try twins.contents(of: name))
    }
    let transaction = twins.nextID()
    if let error = try twins.ask(name, .begin(.write), id: transaction).error { throw error }
    let answer = try twins.ask(name, tree, values, transaction: transaction)
    // SQLite itself has ended it if a conflict was to.
    let isOpen = answer.error == nil || answer.completion?.transaction != .ended
    let contents = isOpen ? (try? twins.contents(of: name, transaction: transaction)) ?? [] : []
    _ = try twins.ask(name, .finish(transaction: transaction, commit: false))
    return Outcome(answer, contents: contents)
  }

  @Test func `a client under rules gets from a server what it would get where nothing is hidden`() throws {
    let twins = try ServedTwins()
    let untouched = try twins.hidden()
    #expect(untouched.count == 24)
    var tally = Tally()
    var failures = 0
    let start = Self.setting("MARTLET_SEED", 1)
    for seed in start..<start + Self.setting("MARTLET_RULED_SERVED", 400) where failures < 5 {
      var generator = TreeGenerator(seed: seed)
      let tree = generator.statement()
      guard let plain = try? StatementRenderer().render(tree), plain.access != .schema,
        let ruled = try? StatementRenderer(rules: twins.rules).render(tree)
      else { continue }
      let isWrite = plain.access == .write
      let values = (1...max(1, ruled.parameterCount)).prefix(ruled.parameterCount).map { Self.value($0, ruled) }
      let inTransaction = isWrite && seed % 2 == 0
      let outcomes = try ServedTwins.databases.map {
        try Self.outcome(twins, $0, tree, values, isWrite: isWrite, inTransaction: inTransaction)
      }
      let (full, twin, bare) = (outcomes[0], outcomes[1], outcomes[2])
      let hasFailed = full.failure != nil || twin.failure != nil
      let isCertain = TreeCertainty.isCertain(plain.sql, tree) && !hasFailed
      let isLikeTwin = !isCertain || full.sorted == twin.sorted
      let isNamed = full.names == nil || twin.names == nil || full.names == twin.names
      let isRandom = ruled.sql.contains("uuid()") || ruled.sql.contains("CURRENT_")
      let isComparable = !isRandom && !full.failsByKey
      let isLikeBare = !isComparable || full == bare
      let isTold = (full.rows + [full.failure ?? ""]).contains { $0.contains(ServedTwins.marker) }
      let isKept = try !isWrite || twins.hidden() == untouched
      let isRight = isLikeTwin && isLikeBare && isNamed && !isTold && isKept
      if !isRight { failures += 1 }
      #expect(
        isRight,
        "seed \(seed): \(full) \(twin) \(bare) told \(isTold) kept \(isKept)\n\(ruled.sql)\n\(plain.sql)")
      let hasChanged = outcomes.contains { $0.changes ?? 0 > 0 }
      if isWrite, !inTransaction, hasChanged || hasFailed { try twins.restore() }
      tally.compared += 1
      tally.likeTwin += isCertain ? 1 : 0
      tally.changed += hasChanged ? 1 : 0
      tally.gaveRows += full.rows.isEmpty ? 0 : 1
      tally.failed += hasFailed ? 1 : 0
      tally.inTransaction += inTransaction ? 1 : 0
    }
    print("under rules, from a server: \(tally)")
    #expect(tally.compared > 50 && tally.gaveRows * 5 > tally.compared && tally.changed * 20 > tally.compared)
  }
}
