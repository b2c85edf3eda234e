import ArgumentParser
import MartletClient

/// `martlet import`: a SQLite file, or a CSV file, into a running server's database.
///
/// Always true: the database is made if it does not exist; a table that exists already is never overwritten.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Copy a SQLite file, or one with CSV or JSON, into a database.",
    discussion: """
      A SQLite file goes in with its schema: tables, rows with their exact types and rowids, indexes, views and \
      triggers, what ANALYZE counted, and its user_version and application_id. With --table the file is text: CSV, \
      TSV, JSON (an array of objects) or JSON lines (an object a line), as its name ends or --format says; the file - \
      is standard input.

      The first line of a CSV file names the columns. The byte between fields is found in it (a comma, semicolon, tab \
      or bar), or said with --delimiter. An empty field is NULL and "" is an empty text; --null names another word for \
      NULL. --create makes the table: a column is INTEGER if every field is a whole number, REAL if some are decimal \
      fractions (then 1 is 1.0, and of a fraction zeros at the end go: 1.10 is 1.1), and TEXT otherwise (007, +1, 1e5, \
      more digits than a number holds, and anything in quotes). --append, which is the default, adds the rows to \
      the table's; --replace deletes those first, unless that would delete or change rows of another table (ON DELETE \
      CASCADE, SET NULL, SET DEFAULT). With --exact the file says what each value is, as export --exact \
      writes it: texts in quotes, numbers without, blobs as X'…', NULL as nothing.

      A server always checks foreign keys, so rows that point nowhere cannot come in: they are told before anything is \
      imported, and --skip-orphans leaves them out. --skip leaves a whole table out.

      In JSON the names of all objects are the columns, in the order in which they come first; an object that lacks \
      one is NULL there. Objects and arrays inside of them are JSON text, true and false are 1 and 0. A column whose \
      values are of several types is made without one, so that each stays what it is.

      Files of up to 32 MiB go in as one transaction: all or nothing. If the server ends it because other writes \
      wait, it begins again, up to five times, and says so. Larger ones go in batch by batch; Control-C, or \
      an error, says how many rows are there.

      EXAMPLES:
        martlet import martlet://localhost/music chinook.sqlite
        martlet import martlet://localhost/shop prices.csv --table prices --create
        zcat prices.tsv.gz | martlet import martlet://localhost/shop - --table prices --replace
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "A SQLite file, or a text file if --table is given; - is standard input.")
  var file: String

  @Option(help: "The table that a text file's rows go into.")
  var table: String?

  @Option(help: "The text's format; otherwise what the file's name ends in, or csv.")
  var format: TextFormat?

  @Flag(help: "Read values as export --exact writes them.")
  var exact = false

  @Flag(help: "Make the table.")
  var create = false

  @Flag(help: "Add the rows to those of the table; the default.")
  var append = false

  @Flag(help: "Delete the rows of the table first.")
  var replace = false

  @Option(help: ArgumentHelp("The byte between fields, or tab; found in the first line.", valueName: "byte"))
  var delimiter: String?

  @Option(help: ArgumentHelp("A field without quotes that means NULL, beside the empty one.", valueName: "text"))
  var null: String?

  @Option(
    help: ArgumentHelp("Leave a table of a SQLite file out; may be given several times.", valueName: "table"))
  var skip: [String] = []

  @Flag(help: "Leave out the rows of a SQLite file whose foreign keys point nowhere.")
  var skipOrphans = false

  func validate() throws {
    if table != nil, !skip.isEmpty || skipOrphans {
      throw ValidationError("--skip and --skip-orphans are for a SQLite file, which is imported without --table.")
    }
    if table != nil, format == nil, file != "-", TextFormat(fileName: file) == nil {
      // What is in the file says more than its name.
      throw ValidationError(FileKind(ofFile: file)?.refusal(of: file).description ?? TextFormat.unknown(file))
    }
    let isCSV = exact || delimiter != nil || null != nil
    if isCSV || create || append || replace || format != nil, table == nil {
      throw ValidationError(
        "--create, --append, --replace, --format, --exact, --delimiter and --null are for text. Name its table with "
          + "--table.")
    }
    if isCSV, isJSON { throw ValidationError("--exact, --delimiter and --null are for CSV and TSV; JSON needs none.") }
    guard [create, append, replace].count(where: { $0 }) <= 1 else {
      throw ValidationError("--create, --append and --replace exclude each other.")
    }
    if let delimiter, CSVFormat.delimiter(named: delimiter) == nil {
      throw ValidationError("--delimiter takes one byte that is no quote and no line's end, or the word tab.")
    }
    if file == "-" && table == nil {
      throw ValidationError("A SQLite file has no end that a pipe shows. Name the file.")
    }
  }

  private var isJSON: Bool {
    switch format ?? TextFormat(fileName: file) {
    case .json, .jsonl: true
    case .csv, .tsv, nil: false
    }
  }

  func run() async throws {
    let input = file == "-" ? try StandardInputFile() : nil
    let path = input?.path ?? file
    _ = try FileText.byteCount(of: path)
    if try table == nil && !LocalFile.isSQLite(path) {
      throw CommandFailure.notSQLiteFile(file)
    }
    let (command, name) = (self, input == nil ? file : "standard input")
    let report: TransferReport
    do {
      report = try await InterruptWatcher.cancelling { try await command.transfer(path, name: name) }
    } catch is CancellationError {
      // What had sent a row says itself what has become of it.
      throw CommandFailure.interruptedBeforeImport
    } catch {
      throw CommandFailure.explaining(error)
    }
    withExtendedLifetime(input) {}
    try StandardOutput.write(Array(report.text().utf8), to: 1)
    report.tellNotes()
    if !report.faults.isEmpty { throw ExitCode(2) }
  }

  /// An interrupt cancels the transfer, and leaves neither a copy of the file nor a database that was made for nothing.
  private func transfer(_ path: String, name: String) async throws -> TransferReport {
    // Faults of the file itself are told before a database is made for it.
    let source = table == nil ? try await source(path) : nil
    let connected = try await database.connectMaking()
    do {
      let report =
        if let source {
          try await SQLiteImport(source, into: connected.client).run()
        } else {
          try await copyText(path, name: name, into: connected.client)
        }
      await connected.close()
      return report
    } catch {
      // In a task of its own, because this one may be cancelled.
      await Task { await connected.close(after: error) }.value
      throw error
    }
  }

  private func source(_ path: String) async throws -> ImportSource {
    do {
      return try await ImportSource(path, leavingOut: ImportSource.Omissions(tables: skip, orphans: skipOrphans))
    } catch {
      throw CommandFailure.explaining(error, doing: error is CommandFailure ? "" : file)
    }
  }

  private func copyText(_ path: String, name: String, into database: DatabaseClient) async throws -> TransferReport {
    try await TextImport(
      records(path, name: name), of: path, name: name, table: table ?? "",
      target: create ? .made : replace ? .replaced : .appended, into: database
    ).run()
  }

  private func records(_ path: String, name: String) throws -> any ImportRecords {
    var csv = CSVFormat(delimiter: delimiter.flatMap { CSVFormat.delimiter(named: $0) }, null: null)
    csv.isExact = exact
    return try (format ?? TextFormat(fileName: file) ?? .csv).records(of: path, name: name, csv: csv)
  }
}
