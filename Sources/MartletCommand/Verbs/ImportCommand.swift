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
      triggers. With --table the file is CSV: its first line names the columns, an empty field is NULL and "" is an \
      empty text. --create makes the table, with the types that the fields of each column have in common.

      Files of up to 32 MiB go in as one transaction: all or nothing. Larger ones go in batch by batch.

      EXAMPLES:
        martlet import martlet://localhost/music chinook.sqlite
        martlet import martlet://localhost/shop prices.csv --table prices --create
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "A SQLite file, or a CSV file where --table is given.")
  var file: String

  @Option(help: "The table that a CSV file's rows go into.")
  var table: String?

  @Flag(help: "Make the CSV file's table.")
  var create = false

  func validate() throws {
    if create && table == nil { throw ValidationError("--create makes the table of a CSV file: name it with --table.") }
  }

  func run() async throws {
    _ = try FileText.byteCount(of: file)
    if try table == nil && !LocalFile.isSQLite(file) {
      throw CommandFailure("\(file) is not a SQLite file; to import CSV, name its table with --table.")
    }
    let connected = try await database.connect(createsDatabase: true)
    let report: TransferReport
    do {
      if let table {
        report = try await CSVImport(file, table: table, makesTable: create, into: connected).run()
      } else {
        report = try await SQLiteImport(file, into: connected).run()
      }
    } catch {
      await connected.close()
      throw CommandFailure.explaining(error)
    }
    await connected.close()
    try StandardOutput.write(Array(report.text().utf8), to: 1)
  }
}
