import ArgumentParser
import MartletClient

/// `martlet export`: a running server's database into a SQLite file, or one table as CSV or JSON.
///
/// Always true: a file that exists is never overwritten.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy a database into a SQLite file, or a table into CSV, TSV or JSON.",
    discussion: """
      Without --table the whole database is copied, schema and rows, as of one moment. With --table the rows of one \
      table are written as text; the file - is standard output, and a named pipe or a device takes the rows as they \
      come. The format is the one that the file's name ends in \
      (.csv, .tsv, .json, .jsonl) unless --format says another.

      In CSV and TSV an empty field is NULL and "" is an empty text, a blob is hexadecimal digits; --exact writes what \
      import --exact reads back value for value. In JSON a blob is base64; jsonl is one object a line.

      EXAMPLES:
        martlet export martlet://localhost/music copy.sqlite
        martlet export martlet://localhost/shop prices.csv --table prices --format csv
        martlet export martlet://localhost/shop - --table prices --format json
      """)

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "The file to make.")
  var file: String

  @Option(help: "Export one table, as text.")
  var table: String?

  @Option(help: "The text's format.")
  var format: TextFormat?

  @Flag(help: "CSV and TSV from which import --exact reads every value as it was: texts in quotes, blobs as X'…'.")
  var exact = false

  @Option(help: ArgumentHelp("What NULL is in CSV and TSV. (default: nothing)", valueName: "text"))
  var null: String?

  func validate() throws {
    if table != nil, format == nil, file != "-", TextFormat(fileName: file) == nil {
      throw ValidationError(TextFormat.unknown(file))
    }
    if exact || null != nil {
      guard table != nil else { throw ValidationError("--exact and --null are for one table. Name it with --table.") }
      switch format ?? TextFormat(fileName: file) ?? .csv {
      case .csv, .tsv: break
      case .json, .jsonl: throw ValidationError("--exact and --null are for CSV and TSV; JSON has types and null.")
      }
      if let null, Double(null) != nil {
        throw ValidationError("--null takes a word that is no number: \(null) could not be told from the number.")
      }
      if let null, null.utf8.contains(where: { ",;|\t\"\r\n".utf8.contains($0) }) {
        throw ValidationError("--null takes a word without quotes, line breaks and what stands between fields.")
      }
    }
    if format == nil, table == nil, TextFormat(fileName: file) != nil {
      throw ValidationError(
        "\(file) would hold one table. Name it with --table. The whole database goes to a SQLite file.")
    }
    if format != nil && table == nil { throw ValidationError("--format is for one table. Name it with --table.") }
    if file == "-" && table == nil { throw ValidationError("A SQLite file cannot go to standard output. Name a file.") }
  }

  func run() async throws {
    let connected = try await database.connect(createsDatabase: false)
    let command = self
    do {
      let text = try await InterruptWatcher.cancelling { try await command.copy(from: connected) }
      await connected.close()
      try StandardOutput.write(Array(text.utf8), to: 1)
    } catch {
      await connected.close()
      throw CommandFailure.explaining(error)
    }
  }

  /// Returns what is said of it.
  private func copy(from database: DatabaseClient) async throws -> String {
    guard let table else {
      let report = try await SQLiteExport(database, to: file).run()
      report.tellNotes()
      return report.text()
    }
    let format = format ?? TextFormat(fileName: file) ?? .csv
    let printer: any RowPrinter =
      switch format {
      case .csv: CSVPrinter(isExact: exact, null: null ?? "")
      case .tsv: CSVPrinter(delimiter: 0x09, isExact: exact, null: null ?? "")
      case .json, .jsonl: format.output.makePrinter()
      }
    let count = try await TextExport.run(database, table: table, printer: printer, to: file)
    // What is said must not stand among the rows.
    return DirectFile.isOne(file) ? "" : "\(Count.rows(count))\n"
  }
}
