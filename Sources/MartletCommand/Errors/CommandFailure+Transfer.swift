/// What is wrong with what is to be imported or exported.
///
/// Always true: a condition has one member, whoever meets it. Names come escaped, as a terminal may show them.
extension CommandFailure {
  static func noTable(_ table: String, question: String = "") -> CommandFailure {
    CommandFailure("There is no table \(table).\(question)")
  }

  static func noTableToSkip(_ table: String, question: String) -> CommandFailure {
    CommandFailure("There is no table \(table) to leave out.\(question)")
  }

  static func notSQLiteFile(_ file: String) -> CommandFailure {
    CommandFailure("\(file) is not a SQLite file. To import CSV or JSON, name its table with --table.")
  }

  static let interruptedBeforeImport = CommandFailure("It was interrupted. Nothing was imported.")

  /// The server ended the import's transaction each time.
  static func importGivenUp(_ last: CommandFailure, after attempts: Int) -> CommandFailure {
    CommandFailure(
      "\(last.description) It was begun \(attempts) times. Import when fewer others write, or in smaller files.")
  }
}

// MARK: - A SQLite file

extension CommandFailure {
  static func orphansRefused(_ sentence: String, skip option: String) -> CommandFailure {
    CommandFailure(
      "\(sentence) A server always checks foreign keys, so the file cannot come in as it is. Mend those rows, or leave "
        + "them out: \(option).")
  }

  static func tableNotImported(_ table: String, _ reason: String, skip option: String) -> CommandFailure {
    CommandFailure("The table \(table) cannot be imported: \(reason). Leave it out: \(option).")
  }

  /// `skip`: how the table is left out; nil of a dump, which is text that can be changed.
  static func columnNotNamed(of table: String, skip option: String?) -> CommandFailure {
    let begin = "The table \(table) has a column without a name, and no row can be sent into it."
    guard let option else { return CommandFailure("\(begin) Name the column where the dump makes the table.") }
    return CommandFailure(
      "\(begin) Name it in the file (ALTER TABLE … RENAME COLUMN \"\" TO …), or leave the table out: \(option).")
  }

  static func tableRefersToMissing(_ table: String, _ missing: String, skip option: String) -> CommandFailure {
    CommandFailure(
      "The table \(table) refers to \(missing), which is not there, and a server takes no row into it then. Leave it "
        + "out too: \(option).")
  }

  static let orphansLeft = CommandFailure("Rows that point nowhere could not be taken out. Mend the file.")

  static func orphansWithoutRowID(of table: String) -> CommandFailure {
    CommandFailure(
      "The rows of \(table) that point nowhere cannot be told apart, because it has columns of the names rowid, "
        + "_rowid_ and oid. Mend those rows.")
  }

  static func columnNotNamed(beforeExportOf table: String) -> CommandFailure {
    CommandFailure(
      "The table \(table) has a column without a name, and cannot be exported. Name it: ALTER TABLE … RENAME COLUMN \"\" "
        + "TO …")
  }

  static func textNotSent(of table: String, _ column: String) -> CommandFailure {
    CommandFailure(
      "The table \(table) holds a text in \(column) that is not UTF-8, and cannot be read here. CAST(… AS BLOB) reads its "
        + "bytes.")
  }

  static func tableNotExported(_ table: String, _ reason: String) -> CommandFailure {
    CommandFailure("The table \(table) cannot be exported: \(reason).")
  }

  static func tooManyObjects(coming: Int, present: Int, objectsMax: Int) -> CommandFailure {
    CommandFailure(
      "The file has \(coming) tables, indexes, views and triggers, and the database has \(present): it may have "
        + "\(objectsMax) (the server's --schema-objects). Leave tables out, or ask the server's operator for more.")
  }

  static func schemaTooLarge(coming: Int, present: Int, bytesMax: Int) -> CommandFailure {
    CommandFailure(
      "The schema of the file has \(coming) bytes of SQL, and that of the database \(present): it may have "
        + "\(bytesMax). Leave tables out.")
  }
}

// MARK: - A dump

extension CommandFailure {
  static func dumpStatementTooLong(_ bytes: Int, bytesMax: Int) -> CommandFailure {
    CommandFailure(
      "The statement has \(bytes) bytes, and one of a dump may have \(bytesMax). Nothing of the dump was sent. Insert "
        + "fewer rows in each statement, or import the SQLite file in its place: martlet import URL FILE.")
  }
}

// MARK: - CSV and JSON

extension CommandFailure {
  static func isArchive(_ name: String) -> CommandFailure {
    CommandFailure("\(name) is a ZIP archive. Unpack it, and import what is in it.")
  }

  static func isUTF16(_ name: String) -> CommandFailure {
    CommandFailure("\(name) is in UTF-16. Make UTF-8 of it with iconv -f UTF-16 -t UTF-8, and import that.")
  }

  static func isSQLiteFile(_ name: String) -> CommandFailure {
    CommandFailure("\(name) is a SQLite file. Leave --table out to import it as a whole: martlet import URL FILE.")
  }

  static func isCompressed(_ name: String, with program: String, _ command: String) -> CommandFailure {
    CommandFailure(
      "\(name) is compressed with \(program). Pipe it, as in \(command) FILE | martlet import URL - --table TABLE.")
  }

  static func noHeader(_ name: String) -> CommandFailure {
    CommandFailure("\(name) is empty: a CSV file begins with a header.")
  }

  /// `problem` begins with the line.
  static func badText(_ name: String, _ problem: String) -> CommandFailure { CommandFailure("\(name), \(problem)") }

  static func badField(_ name: String, line: Int, column: Int, _ problem: String) -> CommandFailure {
    CommandFailure("\(name), line \(line), column \(column): \(problem)")
  }

  static func otherFieldCount(
    _ name: String, line: Int, column: Int, fields: Int, columns: Int
  ) -> CommandFailure {
    CommandFailure(
      "\(name), line \(line), column \(column): \(fields) \(fields == 1 ? "field" : "fields") where the header names "
        + "\(columns) columns.")
  }

  static func badMember(_ member: String, _ name: String, line: Int, _ problem: String) -> CommandFailure {
    CommandFailure("\(name), line \(line): of the name \"\(member)\": \(problem)")
  }

  static func noRecords(_ name: String) -> CommandFailure {
    CommandFailure("\(name) holds no record with a value.")
  }

  /// `action` is what the other table's foreign key has behind ON DELETE.
  static func replacingChangesRows(of table: String, in other: String, action: String) -> CommandFailure {
    let change = action == "CASCADE" ? "delete rows of \(other)" : "change rows of \(other)"
    return CommandFailure(
      "Deleting the rows of \(table) would \(change), which refers to it with ON DELETE \(action). Add to the "
        + "table with --append, or empty \(other) first if its rows may go.")
  }

  static func referringTablesNotSeen(_ table: String) -> String {
    "This client may not see which tables refer to \(table). Rows of a table that does with "
      + "ON DELETE CASCADE, SET NULL or SET DEFAULT were deleted or changed, too."
  }
}
