internal import MartletValues

/// Where the audit log goes, and which requests stand in it.
///
/// Always true: sessions, refusals of sessions and what changes the server stand in it at every level.
public struct AuditSettings: Sendable, Hashable {
  public var file: String
  public var statements: AuditLevel
  /// Columns whose values are shown with the statements that set them or compare them with something.
  public var parameters: Set<AuditedColumn>

  public init(file: String, statements: AuditLevel = .refused, parameters: Set<AuditedColumn> = []) {
    self.file = file
    self.statements = statements
    self.parameters = parameters
  }
}

/// A column of a table, in whichever database.
///
/// Always true: both names are in small letters of ASCII, as SQLite compares them.
public struct AuditedColumn: Sendable, Hashable {
  public let table: String
  public let column: String

  public init(table: String, column: String) {
    self.table = table.lowercasedASCII
    self.column = column.lowercasedASCII
  }

  /// `table.column`; nil if it is no two names with a point between them.
  public init?(_ text: String) {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(table: String(names[0]), column: String(names[1]))
  }
}

/// Which requests stand in the audit log; each level has what those before it have.
public enum AuditLevel: String, Sendable, Hashable, CaseIterable {
  /// Requests that somebody may not send: no log is without these.
  case refused
  /// Requests that write, and the transactions that may.
  case writes
  case all

  /// Whether a request stands in the log. What may have written counts as one that writes.
  func wants(writes: Bool, isRefused: Bool) -> Bool {
    switch self {
    case .refused: isRefused
    case .writes: isRefused || writes
    case .all: true
    }
  }
}
