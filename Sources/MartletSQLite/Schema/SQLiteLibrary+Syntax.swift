import CSQLite

/// Asks SQLite about a text before there is a database.
extension SQLiteLibrary {
  /// What is wrong with a query as far as its grammar and its functions go, in SQLite's words; nil if nothing is.
  /// Whether the tables and columns that it names exist is not checked.
  ///
  /// - Parameter words: the names that stand in it.
  package static func fault(of query: String, naming words: Set<String>) -> String? {
    syntaxFault(of: query) ?? functionFault(of: query, Array(words).sorted())
  }

  private static func syntaxFault(of query: String) -> String? {
    // Whoever opens a database first makes the process's settings.
    _ = isTuned
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else { return "SQLite cannot be asked" }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) != SQLITE_OK else { return nil }
    let words = String(cString: sqlite3_errmsg(handle))
    // The parser reads all of a query before any name in it is looked up.
    return words.hasPrefix("no such table") ? nil : words
  }

  /// Makes each table that is asked for, with a column for each of the words, until SQLite looks at the functions.
  private static func functionFault(of query: String, _ words: [String]) -> String? {
    let numbers = ["rowid", "oid", "_rowid_"]
    let columns = words.filter { !numbers.contains($0) }
    guard (1...SQLiteLimits.columnsTriedMax).contains(columns.count),
      let connection = try? Connection(path: ":memory:", label: "syntax", access: .writer, clock: { 0 })
    else { return nil }
    for _ in words.indices {
      do throws(SQLiteError) {
        _ = try connection.prepare(query)
        return nil
      } catch {
        guard let table = missingTable(error.message) else { return fault(error.message) }
        let made = FixedSQL.createTable(table, columns: columns)
        guard (try? connection.execute(made)) != nil else { return nil }
      }
    }
    return nil
  }

  private static func missingTable(_ words: String) -> String? {
    let beginning = "no such table: "
    guard words.hasPrefix(beginning) else { return nil }
    let name = words.dropFirst(beginning.count)
    return String(name.hasPrefix("main.") ? name.dropFirst(5) : name)
  }

  /// The error if it is about a function, whatever the tables are. Other errors may come from the tables that were made
  /// up here.
  private static func fault(_ words: String) -> String? {
    let isOfFunctions =
      ["misuse of ", "no such function", "wrong number of arguments", "no such collation", "A statement may not "]
      .contains(where: words.hasPrefix) || words.contains("may not be used as a window function")
      || words.hasPrefix("FILTER may not")
    return isOfFunctions ? words : nil
  }
}
