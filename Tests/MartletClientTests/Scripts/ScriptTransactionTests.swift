/// What SQL's transactions become at a server: scripts of statements and of the server's answers.
import MartletValues
import Testing

@testable import MartletClient

@Suite struct ScriptTransactionTests {
  /// A server in words: it answers each action with what the script says, and with success if it says nothing.
  private struct Machine {
    var transaction = ScriptTransaction()
    var sequence: UInt64 = 7

    /// The actions of one statement and how it ended, in words; `answers` are what fails, by the action's words.
    mutating func run(_ sql: String, _ answers: [String: ScriptTransaction.Failure] = [:]) -> String {
      var words: [String] = []
      var action = transaction.statementArrived(TransactionStatement(sql), isQuery: SQLTokens.looksLikeQuery(sql))
      // More actions than any statement has would be a loop.
      for _ in 0..<20 {
        let word = Self.word(action)
        switch action {
        case .finished: return words.joined(separator: " ")
        case .fail: return (words + ["fails"]).joined(separator: " ")
        case .refuse(let error): return (words + ["refused \(error.reason.rawValue)"]).joined(separator: " ")
        default: words.append(word)
        }
        if let failure = answers[word] {
          action = transaction.failed(failure)
        } else {
          action = transaction.succeeded(sequence: sequence)
        }
      }
      return "does not end: " + words.joined(separator: " ")
    }

    private static func word(_ action: ScriptTransaction.Action) -> String {
      switch action {
      case .begin(let mode): "begin-\(mode)"
      case .savepoint(let action, let number): "\(action)-\(number)"
      default: "\(action)"
      }
    }
  }

  struct Script: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [(sql: String, answers: [String: ScriptTransaction.Failure], words: String)]

    init(_ name: String, _ steps: [(String, [String: ScriptTransaction.Failure], String)]) {
      testDescription = name
      self.steps = steps
    }
  }

  static let scripts: [Script] = [
    Script(
      "without a transaction each statement is on its own",
      [
        ("select 1", [:], "run"), ("insert", ["run": .refused], "run fails"), ("commit", [:], "refused NOT_ALLOWED"),
        ("rollback", [:], "refused NOT_ALLOWED"), ("release a", [:], "refused INVALID_STATEMENT"),
        ("rollback to a", [:], "refused INVALID_STATEMENT"), ("insert", ["run": .over("gone")], "run fails"),
        ("insert", [:], "run"),
      ]),
    Script(
      "what is rolled back is not committed",
      [
        ("begin", [:], ""), ("insert", [:], "begin-write run"), ("insert", [:], "run"), ("rollback", [:], "rollBack"),
        ("insert", [:], "run"),
      ]),
    Script(
      "immediate and exclusive begin at once",
      [
        ("begin immediate", [:], "begin-write"), ("select 1", [:], "run"), ("commit", [:], "commit"),
        ("begin exclusive", ["begin-write": .refused], "begin-write fails"), ("commit", [:], "refused NOT_ALLOWED"),
      ]),
    Script(
      "one that does nothing asks the server for nothing",
      [
        ("begin", [:], ""), ("commit", [:], ""), ("begin", [:], ""), ("savepoint a", [:], ""), ("rollback", [:], ""),
        ("savepoint a", [:], ""), ("release a", [:], ""), ("commit", [:], "refused NOT_ALLOWED"),
      ]),
    Script(
      "a second begin is refused and the first goes on",
      [
        ("begin", [:], ""), ("begin", [:], "refused NOT_ALLOWED"), ("insert", [:], "begin-write run"),
        ("begin immediate", [:], "refused NOT_ALLOWED"), ("commit", [:], "commit"),
      ]),
    Script(
      "queries read one snapshot, and the first write begins to write",
      [
        ("begin", [:], ""), ("select 1", [:], "begin-read run"), ("select 2", [:], "run"),
        ("insert", [:], "rollBack begin-write run"), ("select 3", [:], "run"), ("commit", [:], "commit"),
      ]),
    Script(
      "a query that turns out to write begins to write",
      [
        ("begin", [:], ""), ("with a insert", ["run": .readOnly], "begin-read run rollBack begin-write run fails"),
        ("rollback", [:], "rollBack"),
      ]),
    Script(
      "only reads end as they began",
      [
        ("begin", [:], ""), ("select 1", [:], "begin-read run"), ("savepoint a", [:], ""), ("rollback to a", [:], ""),
        ("release a", [:], ""), ("commit", [:], "rollBack"),
      ]),
    Script(
      "savepoints have numbers of their own, the innermost of a name first",
      [
        ("begin immediate", [:], "begin-write"), ("savepoint a", [:], "set-1"), ("savepoint A", [:], "set-2"),
        ("savepoint b", [:], "set-3"), ("rollback to a", [:], "rollBackTo-2"),
        ("release b", [:], "refused INVALID_STATEMENT"),
        ("release a", [:], "release-2"), ("rollback to a", [:], "rollBackTo-1"), ("release a", [:], "release-1"),
        ("release a", [:], "refused INVALID_STATEMENT"), ("commit", [:], "commit"),
      ]),
    Script(
      "a savepoint begins a transaction, and its release commits",
      [
        ("savepoint a", [:], ""), ("savepoint b", [:], ""), ("insert", [:], "begin-write set-1 set-2 run"),
        ("release b", [:], "release-2"), ("insert", [:], "run"), ("release a", [:], "commit"), ("insert", [:], "run"),
      ]),
    Script(
      "a savepoint that a query preceded is set when the write comes",
      [
        ("savepoint a", [:], ""), ("select 1", [:], "begin-read run"), ("savepoint b", [:], ""),
        ("insert", [:], "rollBack begin-write set-1 set-2 run"), ("rollback to a", [:], "rollBackTo-1"),
        ("end", [:], "commit"),
      ]),
    Script(
      "a statement that fails leaves the transaction open",
      [
        ("begin", [:], ""), ("insert", ["run": .refused], "begin-write run probe fails"), ("insert", [:], "run"),
        ("commit", [:], "commit"),
      ]),
    Script(
      "a transaction that the statement took with it is lost, and nothing runs before its end",
      [
        ("begin", [:], ""), ("insert", ["run": .refused, "probe": .over("gone")], "begin-write run probe fails"),
        ("insert", [:], "refused TRANSACTION_ENDED"), ("savepoint a", [:], "refused TRANSACTION_ENDED"),
        ("begin", [:], "refused TRANSACTION_ENDED"), ("select 1", [:], "refused TRANSACTION_ENDED"),
        ("rollback", [:], ""), ("insert", [:], "run"),
      ]),
    Script(
      "a transaction that the server ended is not committed",
      [
        ("begin immediate", [:], "begin-write"), ("insert", ["run": .over("idle")], "run fails"),
        ("insert", [:], "refused TRANSACTION_ENDED"), ("commit", [:], "refused TRANSACTION_ENDED"),
        ("insert", [:], "run"),
      ]),
    Script(
      "a savepoint finds out as well",
      [
        ("begin immediate", [:], "begin-write"), ("savepoint a", ["set-1": .over("idle")], "set-1 fails"),
        ("release a", [:], "refused TRANSACTION_ENDED"), ("rollback", [:], ""),
      ]),
    Script(
      "a commit that a deferred constraint refuses has ended it",
      [
        ("begin", [:], ""), ("insert", [:], "begin-write run"), ("commit", ["commit": .refused], "commit fails"),
        ("insert", [:], "run"), ("commit", [:], "refused NOT_ALLOWED"),
      ]),
    Script(
      "a commit whose answer is lost has ended it",
      [
        ("begin", [:], ""), ("insert", [:], "begin-write run"), ("commit", ["commit": .over("lost")], "commit fails"),
        ("insert", [:], "run"),
      ]),
    Script(
      "a rollback always ends it",
      [
        ("begin immediate", [:], "begin-write"), ("rollback", ["rollBack": .over("lost")], "rollBack"),
        ("insert", [:], "run"),
      ]),
    Script(
      "a write whose turn does not come leaves a transaction that has not begun",
      [
        ("begin", [:], ""), ("insert", ["begin-write": .refused], "begin-write fails"),
        ("insert", [:], "begin-write run"),
        ("rollback", [:], "rollBack"),
      ]),
    Script(
      "a snapshot that is gone before its transaction writes is lost",
      [
        ("begin", [:], ""), ("select 1", [:], "begin-read run"),
        ("insert", ["begin-write": .refused], "rollBack begin-write fails"),
        ("insert", [:], "refused TRANSACTION_ENDED"),
        ("rollback", [:], ""),
      ]),
  ]

  @Test(arguments: scripts) func `statements become the protocol's`(script: Script) {
    var machine = Machine()
    for step in script.steps {
      #expect(machine.run(step.sql, step.answers) == step.words, "\(step.sql)")
    }
  }

  @Test func `what was read and has changed since is not written to`() {
    var machine = Machine()
    #expect(machine.run("begin") == "")
    #expect(machine.run("select 1") == "begin-read run")
    machine.sequence += 1
    #expect(machine.run("insert") == "rollBack begin-write rollBack refused TRANSACTION_ENDED")
    #expect(machine.transaction.status == .lost)
    #expect(machine.run("rollback") == "")
    #expect(machine.run("begin immediate") == "begin-write")
    #expect(machine.run("insert") == "run")
    #expect(machine.run("commit") == "commit")
    #expect(machine.transaction.status == .none)
  }

  /// Whatever statements and answers come in whatever order: each statement ends, and none runs in a lost transaction.
  @Test func `any order of statements and answers ends well`() {
    let statements = [
      "begin", "begin immediate", "commit", "rollback", "savepoint a", "release a", "rollback to a", "select 1",
      "insert",
    ]
    let failures: [ScriptTransaction.Failure] = [.refused, .readOnly, .over("x")]
    let words = ["begin-write", "begin-read", "run", "commit", "rollBack", "probe", "set-1", "release-1"]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      var machine = Machine()
      for _ in 0..<12 {
        let sql = statements.randomElement(using: &random) ?? ""
        var answers: [String: ScriptTransaction.Failure] = [:]
        if Bool.random(using: &random), let word = words.randomElement(using: &random) {
          answers[word] = failures.randomElement(using: &random)
        }
        if Bool.random(using: &random) { machine.sequence += 1 }
        let before = machine.transaction.status
        let told = machine.run(sql, answers)
        #expect(!told.hasPrefix("does not end"), "\(told)")
        if before == .lost { #expect(!told.contains("run"), "\(sql): \(told)") }
        if sql == "rollback", before != .none { #expect(machine.transaction.status == .none) }
      }
    }
  }
}
