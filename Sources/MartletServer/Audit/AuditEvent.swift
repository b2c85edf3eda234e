internal import Foundation
internal import MartletValues

/// Something that happened, as one line of the audit log.
///
/// Always true: it holds no SQL, nothing that somebody shows in order to be known, and of a request's values only those
/// of columns that the operator has named; its line is one JSON object whose fields stand in the order of `fields`.
struct AuditEvent: Sendable {
  enum Name: String, Sendable, CaseIterable {
    case serverStarted = "server-started"
    case serverStopping = "server-stopping"
    case configurationReloaded = "configuration-reloaded"
    case configurationRefused = "configuration-refused"
    case sessionOpened = "session-opened"
    case sessionRefused = "session-refused"
    case sessionEnded = "session-ended"
    case connectionsRefused = "connections-refused"
    case statement
    case batch
    case transaction
    case administration
    case eventsLost = "events-lost"
  }

  var name: Name
  var time: Date
  /// Nil if no session has to do with it.
  var party: AuditParty?
  var request: UInt32?
  var transaction: UInt32?
  var step: UInt32?
  /// What a client showed that was refused: a token, a certificate or nothing.
  var shown: String?
  var kind: String?
  var writes: Bool?
  /// The name that a database gets.
  var newName: String?
  var shape: ShapeID?
  /// Values of the columns that the operator asks for.
  var parameters: [AuditedValues] = []
  var steps: Int?
  /// Returned.
  var rows: Int64?
  var changed: Int64?
  var requests: Int?
  /// The level that is in force.
  var statements: AuditLevel?
  var roles: Int?
  var tokens: Int?
  var count: Int?
  var outcome: String?
  var nanoseconds: UInt64?

  init(_ name: Name, _ party: AuditParty? = nil, time: Date = Date()) {
    self.name = name
    self.time = time
    self.party = party
  }

  /// Every field that a line may have, in their order.
  static let fields =
    ["time", "event"] + AuditParty.fields + [
      "request", "transaction", "step", "shown", "kind", "writes", "new_name", "shape", "parameters",
      "steps", "rows", "changed",
      "requests", "statements", "roles", "tokens", "count", "outcome", "milliseconds",
    ]

  static let ok = "ok"

  /// About how much memory it takes. What the party shows is there once for all events of a session.
  var byteCount: Int {
    let shown = [shown, kind, newName, outcome].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return AuditLimits.eventBytesMin + shown + parameters.reduce(0) { $0 + $1.byteCount }
  }

  /// Appends the line with its end.
  func write(to bytes: inout [UInt8]) {
    var line = AuditLine(&bytes)
    line.time("time", time)
    line.text("event", name.rawValue)
    if let party { line.raw(party.bytes) }
    line.number("request", request)
    line.number("transaction", transaction)
    line.number("step", step)
    line.text("shown", shown)
    line.text("kind", kind)
    if let writes { line.word("writes", writes ? "true" : "false") }
    line.text("new_name", newName)
    line.text("shape", shape?.description)
    if !parameters.isEmpty { line.values("parameters", parameters) }
    line.number("steps", steps)
    line.number("rows", rows)
    line.number("changed", changed)
    line.number("requests", requests)
    line.text("statements", statements?.rawValue)
    line.number("roles", roles)
    line.number("tokens", tokens)
    line.number("count", count)
    line.text("outcome", outcome)
    if let nanoseconds { line.word("milliseconds", Self.milliseconds(nanoseconds)) }
    line.end()
    bytes = line.bytes
  }

  /// Milliseconds with microseconds behind the point.
  static func milliseconds(_ nanoseconds: UInt64) -> String {
    let micro = nanoseconds / 1_000
    let rest = String(micro % 1_000)
    return "\(micro / 1_000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
  }
}

/// Who has to do with an event: a session, whose it is, and where it comes from.
///
/// Always true: it does not change; a session whose identity or database changes gets another. The text is made once
/// for all events of a session.
final class AuditParty: Sendable {
  /// The fields as they stand in a line, with a comma behind each.
  let bytes: [UInt8]

  static let fields = ["session", "who", "role", "from", "client", "database"]

  /// The party of a connection that never became a session.
  convenience init(from: String) { self.init(session: nil, who: "", role: "", from: from, client: "", database: "") }

  /// Empty fields are left out.
  init(session: UInt64?, who: String, role: String, from: String, client: String, database: String) {
    var none: [UInt8] = []
    var line = AuditLine(fieldsOnly: &none)
    line.text("session", session.map { String($0) })
    for (name, text) in [("who", who), ("role", role), ("from", from), ("client", client), ("database", database)] {
      line.text(name, text.isEmpty ? nil : text)
    }
    bytes = line.bytes
  }
}
