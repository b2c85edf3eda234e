/// `martlet import`: a SQLite file, or a CSV file, into a running server's database.
///
/// Always true: the database is made where it does not exist; a table that exists already is never overwritten.
import ArgumentParser
import MartletClient

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Copy a SQLite file or a CSV file into a database.",
    discussion: """
      A SQLite file goes in with its schema: tables, rows with their exact types and rowids, indexes, views and \
      triggers. With --table the file is CSV or TSV; the file - is standard input.

      The first line of a CSV file names the columns. The byte between fields is found in it (a comma, semicolon, tab \
      or bar), or said with --delimiter. An empty field is NULL and "" is an empty text; --null names another word for \
      NULL. --create makes the table: a column is INTEGER or REAL where every field reads back as it is written, and \
      TEXT otherwise (007, +1, 1e5 and anything in quotes are text). --append, which is the default, adds the rows to \
      the table's; --replace deletes those first.

      Files of up to 32 MiB go in as one transaction: all or nothing. Larger ones go in batch by batch.

      EXAMPLES:
        martlet import martlet://localhost/music chinook.sqlite
        martlet import martlet://localhost/shop prices.csv --table prices --create
        zcat prices.tsv.gz | martlet import martlet://localhost/shop - --table prices --replace
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "A SQLite file, or a CSV file where --table is given; - is standard input.")
  var file: String

  @Option(help: "The table that a CSV file's rows go into.")
  var table: String?

  @Flag(help: "Make the CSV file's table.")
  var create = false

  @Flag(help: "Add the rows to those of the table; the default.")
  var append = false

  @Flag(help: "Delete the rows of the table first.")
  var replace = false

  @Option(help: ArgumentHelp("The byte between fields, or tab; found in the first line.", valueName: "byte"))
  var delimiter: String?

  @Option(help: ArgumentHelp("A field without quotes that means NULL, beside the empty one.", valueName: "text"))
  var null: String?

  func validate() throws {
    let isCSV = create || append || replace || delimiter != nil || null != nil
    if isCSV && table == nil {
      throw ValidationError(
        "--create, --append, --replace, --delimiter and --null are for CSV: name its table with --table.")
    }
    guard [create, append, replace].count(where: { $0 }) <= 1 else {
      throw ValidationError("--create, --append and --replace exclude each other.")
    }
    if let delimiter, CSVFormat.delimiter(named: delimiter) == nil {
      throw ValidationError("--delimiter takes one byte that is no quote and no line's end, or the word tab.")
    }
    if file == "-" && table == nil {
      throw ValidationError("A SQLite file has no end that a pipe shows; name the file.")
    }
  }

  func run() async throws {
    let input = file == "-" ? try StandardInputFile() : nil
    let path = input?.path ?? file
    _ = try FileText.byteCount(of: path)
    if try table == nil && !LocalFile.isSQLite(path) {
      throw CommandFailure("\(file) is not a SQLite file; to import CSV, name its table with --table.")
    }
    let connected = try await database.connect(createsDatabase: true)
    let report: TransferReport
    do {
      if let table {
        let format = CSVFormat(delimiter: delimiter.flatMap { CSVFormat.delimiter(named: $0) }, null: null)
        report = try await CSVImport(
          path, name: input == nil ? file : "standard input", table: table,
          target: create ? .made : replace ? .replaced : .appended, format: format, into: connected
        ).run()
      } else {
        report = try await SQLiteImport(path, into: connected).run()
      }
    } catch {
      await connected.close()
      throw CommandFailure.explaining(error)
    }
    await connected.close()
    try StandardOutput.write(Array(report.text().utf8), to: 1)
  }
}
