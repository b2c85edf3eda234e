import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

/// A server with an administrator's data, of which most is hidden from whoever attacks, and an audit log.
///
/// Always true: every hidden cell holds the marker; each attempt is made over a connection of its attacker, and all
/// bytes that come over it are looked at.
final class AttackStage {
  static let marker = "FORBIDDEN-7f3a"

  let server: AuditedServer
  let admin: RawClient
  private let tokens: TokenFile
  private(set) var policy = AccessPolicy()
  private var id: UInt32 = 1_000
  private var sessions: [Attempt.Attacker: RawClient] = [:]
  private var hiddenBefore: [[Value]] = []
  /// What each request should have come to, by the client's name for itself and the request's number.
  private(set) var expected: [String: String] = [:]

  init(_ level: AuditLevel = .all) throws {
    let made = try AttackRoles.policy()
    var path = ""
    server = try AuditedServer(level) { configuration, folder in
      path = folder + "/tokens"
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      configuration.access = made
      configuration.access.tokensFile = path
    }
    policy = server.configuration.access
    tokens = TokenFile(path: path)
    admin = try RawClient(server.live.unix, database: "shop")
    for sql in AttackSchema.statements {
      let answer = try run(sql)
      #expect(answer.error == nil, "\(sql): \(String(describing: answer.error))")
    }
    hiddenBefore = try hidden()
    #expect(hiddenBefore.count > 10)
    for who in Attempt.Attacker.allCases {
      sessions[who] = try hello(who.rawValue, claims: ["tenant": "a"], as: who.rawValue).client
    }
  }

  // MARK: Who talks to it

  func token(_ role: String, claims: [String: String] = [:]) throws -> (id: String, text: String) {
    let token = try tokens.create(role: role, name: role, claims: claims)
    try reload()
    return (token.record.id, token.text)
  }

  func revoke(_ id: String) throws {
    try tokens.revoke(id)
    try reload()
  }

  func reload(_ change: (inout AccessPolicy) -> Void = { _ in }) throws {
    change(&policy)
    try server.reload { $0.access = policy }
  }

  /// A connection that has said hello with a token of the role, and what that was refused with.
  func hello(
    _ role: String, claims: [String: String] = [:], database: String = "shop", create: Bool = false,
    setup: [[UInt8]] = [], as name: String = "attacker"
  ) throws -> (client: RawClient, error: RequestError?) {
    let credential = try token(role, claims: claims).text
    let client = try RawClient(server.live.tcp)
    client.keepsAll = true
    client.send(
      1, .hello(.init(database: database, client: name, create: create, setup: setup, credential: credential)))
    if case .error(let error)? = try client.receive().parts.first { return (client, error) }
    return (client, nil)
  }

  func session(_ who: Attempt.Attacker) throws -> RawClient { try #require(sessions[who]) }

  func nextID() -> UInt32 {
    id += 1
    return id
  }

  // MARK: Asking

  @discardableResult
  func run(_ sql: String) throws -> RawClient.Answer { try admin.execute(nextID(), sql) }

  func ask(_ client: RawClient, _ tree: ASTStatement, _ values: [Value] = [], transaction: UInt32 = 0) throws
    -> RawClient.Answer
  {
    try ask(
      client, .execute(.init(source: .statement(tree.bytes), parameters: values, transaction: transaction)))
  }

  func ask(_ client: RawClient, _ kind: ClientMessage.Kind) throws -> RawClient.Answer {
    let id = nextID()
    client.send(id, kind)
    return try client.answer(id)
  }

  // MARK: Attempts

  /// Makes an attempt, and compares what came of it and what is there afterwards.
  func make(_ attempt: Attempt) throws {
    let client = try session(attempt.who)
    _ = client.takeAll()
    let answer = try ask(client, attempt.tree(attempt.hidden), attempt.values)
    expect(attempt, id, answer.error)
    check(attempt, answer)
    if !attempt.hidden.isEmpty {
      let other = try ask(client, attempt.tree(attempt.invented), attempt.values)
      #expect(other.rows.isEmpty, "\(attempt.name): \(other.rows)")
      #expect(other.completion?.rowsChanged == answer.completion?.rowsChanged, "\(attempt.name)")
      #expect(
        Self.words(answer.error, of: attempt.hidden) == Self.words(other.error, of: attempt.invented),
        "\(attempt.name): \(String(describing: answer.error)) but \(String(describing: other.error))")
      #expect(other.error?.path == answer.error?.path, "\(attempt.name)")
    }
    expectNoMarker(in: client.takeAll(), attempt.name)
    #expect(try hidden() == hiddenBefore, "\(attempt.name): something hidden has changed")
    if answer.error == nil { try restore() }
  }

  private func check(_ attempt: Attempt, _ answer: RawClient.Answer) {
    let said = "\(attempt.name): \(answer.rows) \(String(describing: answer.error))"
    switch attempt.outcome {
    case .refused:
      #expect(answer.error?.reason == .permission && answer.error?.code == .permissionDenied, "\(said)")
      #expect(answer.rows.isEmpty && answer.columns == nil, "\(said)")
    case .fails(let reason): #expect(answer.error?.reason == reason && answer.rows.isEmpty, "\(said)")
    case .rows(let rows): #expect(answer.error == nil && answer.rows == rows, "\(said)")
    case .changes(let count):
      #expect(answer.error == nil && answer.completion?.rowsChanged == count, "\(said) \(attempt.outcome)")
    case .nothing:
      #expect(answer.rows.isEmpty && (answer.error != nil || answer.completion?.rowsChanged == 0), "\(said)")
    }
  }

  private func expect(_ attempt: Attempt, _ id: UInt32, _ error: RequestError?) {
    expected["\(attempt.who.rawValue) \(id)"] = error?.reason.rawValue ?? "ok"
  }

  /// An error's words without the name that was asked for.
  private static func words(_ error: RequestError?, of name: String) -> String? {
    guard let error else { return nil }
    return "\(error.code.rawValue) \(error.reason.rawValue) \(error.message.replacing(name, with: "…"))"
  }

  func expectNoMarker(in bytes: [UInt8], _ name: String) {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains(Self.marker), "\(name): the marker came")
  }

  /// Each attempt stands in the audit log with its outcome; those that were refused at every level but none.
  func expectAudited(_ level: AuditLevel) throws {
    var found: [String: String] = [:]
    for line in try server.lines() where line["event"] as? String == "statement" {
      guard let client = line["client"] as? String, let request = line["request"] as? Int else { continue }
      found["\(client) \(request)"] = line["outcome"] as? String
    }
    for (key, outcome) in expected where level == .all || outcome == "PERMISSION" {
      #expect(found[key] == outcome, "\(key): \(found[key] ?? "no line"), not \(outcome)")
    }
    #expect(try !server.text().contains(Self.marker))
  }

  /// All that is hidden, as it is now.
  func hidden() throws -> [[Value]] { try AttackSchema.hidden.flatMap { try run($0).rows } }

  private func restore() throws {
    let steps = AttackSchema.restoring.map {
      StatementStep(source: .statement(ASTStatement.raw($0).bytes), parameters: [])
    }
    let answer = try ask(admin, .batch(.init(steps: steps, isAtomic: true)))
    #expect(answer.error == nil)
  }
}
