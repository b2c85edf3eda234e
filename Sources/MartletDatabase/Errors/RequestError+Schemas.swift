import MartletSQLite
import MartletValues

// MARK: - Tables

/// What a program is told of its schema: tables, migrations, and the functions that it adds.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do.
extension RequestError {
  static func noTable(_ name: String) -> RequestError {
    RequestError(.notFound, .sqlite, "No such table: \(name). Ask tableExists where it may be missing.")
  }

  /// A column that refers to a table has the type of that table's key, which is of one column then.
  static func keyOfSeveralColumns(_ table: String) -> RequestError {
    RequestError(
      .invalidArgument, .notAllowed,
      "The key of \(table) has several columns. Write a column for each, and foreignKey for all of them.")
  }
}

// MARK: - Migrations

extension RequestError {
  static func noMigration(_ identifier: String) -> RequestError {
    RequestError(
      .invalidArgument, .notAllowed, "No migration is registered as \(identifier). Register it first.")
  }

  /// Foreign keys are checked once the migration is complete.
  static func migrationBreaksKeys(of tables: [String]) -> RequestError {
    RequestError(
      .failedPrecondition, .constraint,
      "After the migration rows of \(tables.joined(separator: ", ")) point nowhere. Move or delete them in it.",
      constraint: "FOREIGN KEY", table: tables.first ?? "")
  }

  static let erasedWhereItIsServed = RequestError(
    .failedPrecondition, .notAllowed,
    "Only a database of this process can be erased. At a server, drop its tables, or the database itself.")

  static let erasedByMigratorWhereItIsServed = RequestError(
    .failedPrecondition, .notAllowed,
    "Only a database of this process is erased as its schema changes. Set 'eraseDatabaseOnSchemaChange' to false.")

  /// The first start of a program that was ported must not delete what it had.
  static let erasedAfterGRDB = RequestError(
    .failedPrecondition, .notAllowed,
    "GRDB recorded migrations of this database, and its schema is not what the registered ones make. Nothing was "
      + "erased. Set 'eraseDatabaseOnSchemaChange' to false to keep it, or call 'erase()' once.")
}

// MARK: - Functions, collations and tokenizers

extension RequestError {
  /// - Parameter kind: "function" or "collation".
  static func notCallableByServer(_ kind: String, _ name: String) -> RequestError {
    RequestError(
      .unimplemented, .unsupported,
      "The \(kind) \(name) is written in Swift in this program, and a server cannot call it. Use an embedded database.")
  }

  /// A function that a macro made, of which name and arguments are known to be well.
  static func functionNotRegistered(_ name: String, _ error: SQLiteError) -> RequestError {
    RequestError(
      .failedPrecondition, .function,
      "The function \(name) could not be registered: it is neither scalar nor aggregate, or in use.",
      sqliteCode: error.extendedCode)
  }

  /// A closure under a name of the program's choice.
  /// - Parameter kind: "function" or "collation".
  static func notRegistered(_ kind: String, _ name: String, _ error: SQLiteError) -> RequestError {
    RequestError(
      .failedPrecondition, .function,
      "The \(kind) \(name) could not be registered: its name or its number of arguments is none, or it is in use.",
      sqliteCode: error.extendedCode)
  }

  static func tokenizerNotRegistered(_ name: String, _ error: SQLiteError) -> RequestError {
    RequestError(
      .failedPrecondition, .function, "The tokenizer \(name) could not be registered: \(error.message).",
      sqliteCode: error.extendedCode)
  }

  static func functionInUse(_ name: String, _ error: SQLiteError) -> RequestError {
    RequestError(
      .failedPrecondition, .function, "The function \(name) is in use. Remove it outside of statements.",
      sqliteCode: error.extendedCode)
  }

  /// What a function of the program threw, in its own words.
  static func functionThrew(_ failure: any Error, _ error: SQLiteError) -> RequestError {
    RequestError(.aborted, .function, String(describing: failure), sqliteCode: error.extendedCode)
  }
}
