import MartletValues

/// Pragmas of scripts that were written for a file, which a server sets itself or for all of its clients.
///
/// Always true: what is skipped is said; a pragma that is not listed here goes to the server, which takes it or refuses
/// it.
enum ScriptPragma: Equatable {
  /// Checks of foreign keys are put off to the end of each transaction (or no more).
  case foreignKeys(isOn: Bool)
  /// Skipped, with a note for people; nil if there is nothing to say.
  case skipped(note: String?)

  /// Nil if the statement is no such pragma.
  init?(_ sql: String) {
    guard SQLTokens.firstWord(of: sql) == "PRAGMA" else { return nil }
    let tokens = Array(SQLTokens(sql).prefix(8))
    // `PRAGMA name = value` and `PRAGMA name(value)`; one that only asks is the server's.
    guard tokens.count >= 4, case .word(let word) = tokens[1], let value = Self.value(tokens) else { return nil }
    let name = word.lowercased()
    if name == "foreign_keys" {
      self = .foreignKeys(isOn: ["on", "1", "true", "yes"].contains(value))
    } else if name == "writable_schema", ["off", "0", "false", "no", "reset"].contains(value) {
      self = .skipped(note: nil)
    } else if Self.settings.contains(name) {
      self = .skipped(note: "PRAGMA \(name) was skipped: the server keeps this setting itself.")
    } else {
      return nil
    }
  }

  private static func value(_ tokens: [SQLTokens.Token]) -> String? {
    guard tokens[2] == .symbol(UInt8(ascii: "=")) || tokens[2] == .symbol(UInt8(ascii: "(")) else { return nil }
    switch tokens[3] {
    case .word(let value), .quoted(let value): return value.lowercased()
    case .symbol: return ""
    }
  }

  private static let settings: Set<String> = [
    "auto_vacuum", "automatic_index", "busy_timeout", "cache_size", "cache_spill", "case_sensitive_like",
    "checkpoint_fullfsync", "encoding", "fullfsync", "journal_mode", "journal_size_limit", "legacy_alter_table",
    "legacy_file_format", "locking_mode", "mmap_size", "page_size", "recursive_triggers", "secure_delete",
    "synchronous",
    "temp_store", "threads", "trusted_schema", "wal_autocheckpoint", "writable_schema",
  ]

  static let foreignKeysNote =
    "PRAGMA foreign_keys=OFF: this server always checks foreign keys; the checks of a transaction are put off to its end."
}
