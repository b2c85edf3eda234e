/// Says no, while SQLite compiles a program's statement, to what no program may do whatever its rights are.
///
/// Always true: what is not known to be harmless to the connection's other users is refused. The engine's own fixed
/// statements are exempt, for the time in which they are compiled. This is the second line: the tree was validated
/// first.
import CSQLite

final class Authorizer {
  /// Set while a statement of the engine's own is compiled or run.
  var isEngine = false

  /// Why the last statement was refused; SQLite itself only says "not authorized".
  private(set) var refusal: String?

  func forgetRefusal() { refusal = nil }

  func install(on connection: OpaquePointer) {
    // Unretained because the connection owns the authorizer and outlives its own handle.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        // Unretained because the connection that calls owns the authorizer.
        let authorizer = Unmanaged<Authorizer>.fromOpaque(context).takeUnretainedValue()
        return authorizer.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
      }, context)
  }

  private func allows(_ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
    if isEngine { return true }
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_READ: return !Self.names(Self.closedTables, first) || refuse("read this internal table")
    case SQLITE_FUNCTION: return !Self.names(Self.closedFunctions, second) || refuse("call this function")
    case SQLITE_PRAGMA: return allowsPragma(first, hasArgument: second != nil)
    case SQLITE_CREATE_VTABLE: return Self.names(Self.openModules, second) || refuse("use this table module")
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_VTABLE, SQLITE_ALTER_TABLE, SQLITE_ANALYZE,
      SQLITE_REINDEX, SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER,
      SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_VIEW, SQLITE_DROP_TRIGGER:
      return true
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("control transactions with SQL")
    case SQLITE_ATTACH, SQLITE_DETACH: return refuse("attach or detach databases, or vacuum")
    default: return refuse("make temporary objects")
    }
  }

  private func allowsPragma(_ name: UnsafePointer<CChar>?, hasArgument: Bool) -> Bool {
    let isOpen = Self.names(Self.openPragmas, name) || (!hasArgument && Self.names(Self.readablePragmas, name))
    return isOpen || refuse("use this pragma, or set it")
  }

  private func refuse(_ deed: String) -> Bool {
    refusal = deed
    return false
  }

  private static func names(_ set: Set<String>, _ name: UnsafePointer<CChar>?) -> Bool {
    guard let name else { return false }
    return set.contains(String(cString: name).lowercased())
  }

  /// `sqlite_stmt` shows what other clients run on this connection; `sqlite_dbpage` is the raw file.
  private static let closedTables: Set<String> = ["sqlite_stmt", "sqlite_dbpage"]
  private static let closedFunctions: Set<String> = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "sqlite_crypt",
  ]
  private static let openModules: Set<String> = [
    "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32",
  ]

  /// With an argument these look up something, set a number that belongs to the program (a version of its schema), or
  /// put off the checks of foreign keys to the end of the one transaction, which an import of cyclic tables needs.
  private static let openPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "integrity_check", "quick_check", "user_version", "application_id",
    "defer_foreign_keys",
  ]
  private static let readablePragmas: Set<String> = [
    "collation_list", "function_list", "module_list", "pragma_list", "compile_options", "data_version",
    "schema_version", "page_count", "page_size", "freelist_count", "encoding", "journal_mode", "synchronous",
    "foreign_keys", "auto_vacuum", "max_page_count", "recursive_triggers", "secure_delete", "cache_size",
    "query_only", "trusted_schema",
  ]
}
