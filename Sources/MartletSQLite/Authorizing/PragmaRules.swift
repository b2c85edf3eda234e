/// Which pragmas a client's statement may use, and what is said about the others.
///
/// Always true: only what is known to be harmless to the connection's other users is allowed. A refusal names the
/// pragma and says what does the same here.
enum PragmaRules {
  /// `name` is in lower case.
  static func allow(_ name: String, hasArgument: Bool) -> Bool {
    open.contains(name) || (!hasArgument && readable.contains(name))
  }

  /// What a statement may not do, and what to do instead. It continues the words "A statement may not".
  static func refusal(of name: String, hasArgument: Bool) -> String {
    let most = SQLiteLimits.shownPragmaCharactersMax
    let shown = name.count > most ? name.prefix(most) + "…" : name[...]
    if hasArgument, readable.contains(name) {
      return "set the pragma \(shown), because it holds for all who use the database and the server sets it. Without a "
        + "value it can be read"
    }
    if let advice = advice[name] { return "use the pragma \(shown): \(advice)" }
    return
      "use the pragma \(shown). Those that clients may use with a value are \(open.sorted().joined(separator: ", "))"
  }

  /// With an argument these look up something, set a number that belongs to the program (a version of its schema), or
  /// put off the checks of foreign keys to the end of the one transaction, which an import of cyclic tables needs.
  private static let open: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "integrity_check", "quick_check", "user_version", "application_id",
    "defer_foreign_keys", "optimize",
  ]
  private static let readable: Set<String> = [
    "collation_list", "function_list", "module_list", "pragma_list", "compile_options", "data_version",
    "schema_version", "page_count", "page_size", "freelist_count", "encoding", "journal_mode", "synchronous",
    "foreign_keys", "auto_vacuum", "max_page_count", "recursive_triggers", "secure_delete", "cache_size",
    "query_only", "trusted_schema",
  ]

  private static let advice: [String: String] = [
    "busy_timeout": "nobody waits for a lock here, and a deadline says how long a statement may take",
    "cell_size_check": "the server checks pages as it is set up to",
    "count_changes": "how many rows a statement changed is part of each answer",
    "database_list":
      "a session is on one database; martlet databases, or .databases in the shell, lists those of the server",
    "ignore_check_constraints": "CHECK constraints hold for everybody",
    "incremental_vacuum": "VACUUM makes the file smaller",
    "journal_size_limit": "the server cuts the log by itself",
    "locking_mode": "the server has the file's lock",
    "mmap_size": "the server reads the file as it is set up to",
    "shrink_memory": "the server gives memory back by itself",
    "temp_store": "the server says where temporary data goes",
    "wal_autocheckpoint": "the server checkpoints by itself",
    "wal_checkpoint": "the server checkpoints by itself",
    "writable_schema": "CREATE, ALTER and DROP change the schema",
  ]
}
