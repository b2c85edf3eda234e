/// Where the audit log goes, and which requests stand in it.
///
/// Always true: sessions, refusals of sessions and what changes the server stand in it at every level.
public struct AuditSettings: Sendable, Hashable {
  public var file: String
  public var statements: AuditLevel

  public init(file: String, statements: AuditLevel = .refused) {
    self.file = file
    self.statements = statements
  }
}

/// Which requests stand in the audit log; each level has what those before it have.
public enum AuditLevel: String, Sendable, Hashable, CaseIterable {
  case none
  /// Those that somebody may not send.
  case refused
  /// Those that write, and the transactions that may.
  case writes
  case all

  /// Whether a request stands in the log. What may have written counts as one that writes.
  func wants(writes: Bool, isRefused: Bool) -> Bool {
    switch self {
    case .none: false
    case .refused: isRefused
    case .writes: isRefused || writes
    case .all: true
    }
  }
}
