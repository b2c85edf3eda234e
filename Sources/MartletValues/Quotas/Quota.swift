/// What an operator may bound for whoever has a role, by its name in the configuration file.
///
/// Always true: exceeding one is an error with the reason `QUOTA` that names it; the server's own limits hold beside
/// it, so the smaller of both is in force.
public enum Quota: String, Sendable, Hashable, CaseIterable {
  // Of each subject.
  case connections
  case requestsInFlight = "requests-in-flight"
  case requestsPerSecond = "requests-per-second"
  /// How many of these may come at once after a rest.
  case requestBurst = "request-burst"

  // Of each request, statement, result, transaction or database of a subject.
  case deadlineMs = "deadline-ms"
  case resultRows = "result-rows"
  case resultBytes = "result-bytes"
  case steps
  case sortBytes = "sort-bytes"
  case databaseBytes = "database-bytes"
  case writeTransactionMs = "write-transaction-ms"

  // Of all subjects of the role together.
  case roleConnections = "role-connections"
  case roleRequestsInFlight = "role-requests-in-flight"
  case roleRequestsPerSecond = "role-requests-per-second"
  case roleRequestBurst = "role-request-burst"
}

extension RequestError {
  /// The error for somebody who exceeds a quota of `value`.
  public static func quotaExceeded(_ quota: Quota, _ value: Int) -> RequestError {
    let (amount, advice) = words(for: quota, value)
    let code: Code =
      switch quota {
      case .deadlineMs: .deadlineExceeded
      case .writeTransactionMs: .aborted
      default: .resourceExhausted
      }
    return RequestError(
      code, .quota, "The quota \(quota.rawValue) of this client's role allows \(amount). \(advice)",
      isRetryable: quota.isOverWithTime)
  }

  private static func words(for quota: Quota, _ value: Int) -> (amount: String, advice: String) {
    switch quota {
    case .connections:
      ("each client \(value) connections at a time", "Close one, or connect again when one has ended.")
    case .requestsInFlight: ("each client \(value) requests in flight", "Wait for answers before sending more.")
    case .requestsPerSecond, .requestBurst:
      ("each client \(value) requests a second", "Send it again in a moment, and fewer at a time.")
    case .deadlineMs: ("a request \(value) ms", "It took longer. Ask for less at a time.")
    case .resultRows:
      ("a result \(value) rows", "This one has more, and a write with such a result was undone. Ask for fewer rows.")
    case .resultBytes:
      (
        "a result \(value) bytes",
        "This one has more, and a write with such a result was undone. Ask for less at a time."
      )
    case .steps:
      (
        "a statement \(value) steps of SQLite's machine",
        "It needs more. Ask for less at a time, or help it by an index."
      )
    case .sortBytes:
      (
        "a statement \(value) bytes for sorting and for its temporary tables",
        "It needs more. Sort fewer rows, or help it by an index that has their order."
      )
    case .databaseBytes:
      (
        "a database \(value) bytes",
        "The write needs more, and nothing of it was done. Delete what is not needed any more, or ask the server's "
          + "operator for more."
      )
    case .writeTransactionMs:
      ("a write transaction \(value) ms", "It was rolled back. Begin another one, and do less in it.")
    case .roleConnections:
      ("all its clients together \(value) connections at a time", "Connect again when one of them has ended.")
    case .roleRequestsInFlight:
      ("all its clients together \(value) requests in flight", "Send it again in a moment.")
    case .roleRequestsPerSecond, .roleRequestBurst:
      ("all its clients together \(value) requests a second", "Send it again in a moment.")
    }
  }
}

extension Quota {
  /// Waiting helps: the same request may be let in later.
  fileprivate var isOverWithTime: Bool {
    switch self {
    case .connections, .requestsInFlight, .requestsPerSecond, .requestBurst, .roleConnections, .roleRequestsInFlight,
      .roleRequestsPerSecond, .roleRequestBurst:
      true
    case .deadlineMs, .resultRows, .resultBytes, .steps, .sortBytes, .databaseBytes, .writeTransactionMs: false
    }
  }
}
