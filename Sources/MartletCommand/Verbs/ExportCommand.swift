/// `martlet export`: a running server's database into a SQLite file, or one table as CSV or JSON.
///
/// Always true: a file that exists is never overwritten.
import ArgumentParser
import MartletClient

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy a database into a SQLite file, or a table into CSV or JSON.",
    discussion: """
      Without --table the whole database is copied, schema and rows, as of one moment. With --table the rows of one \
      table are written as CSV or JSON; the file - is standard output.

      EXAMPLES:
        martlet export martlet://localhost/music copy.sqlite
        martlet export martlet://localhost/shop prices.csv --table prices --format csv
        martlet export martlet://localhost/shop - --table prices --format json
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, json
  }

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The file to make.")
  var file: String

  @Option(help: "Export one table, as text.")
  var table: String?

  @Option(help: "The text's format.")
  var format: Format?

  func validate() throws {
    if format != nil && table == nil { throw ValidationError("--format is for one table: name it with --table.") }
    if file == "-" && table == nil { throw ValidationError("A SQLite file cannot go to standard output; name a file.") }
  }

  func run() async throws {
    let connected = try await database.connect(createsDatabase: false)
    do {
      if let table {
        let format: OutputFormat = format == .json ? .json : .csv
        let count = try await TextExport.run(connected, table: table, format: format, to: file)
        if file != "-" { try StandardOutput.write(Array("\(Count.rows(count))\n".utf8), to: 1) }
      } else {
        let report = try await SQLiteExport(connected, to: file).run()
        try StandardOutput.write(Array(report.text().utf8), to: 1)
      }
    } catch {
      await connected.close()
      throw CommandFailure.explaining(error)
    }
    await connected.close()
  }
}
