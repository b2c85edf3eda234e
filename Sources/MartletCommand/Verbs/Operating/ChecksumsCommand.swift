import ArgumentParser
import MartletEngine

/// `martlet checksums`: the page checksums of a database that no server has open.
///
/// Always true: the exit code is 0 if every page of the file holds or there are no checksums, 2 if pages do not hold,
/// and 1 if nothing could be done. A log that was not compared is told.
struct ChecksumsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checksums",
    abstract: "Compare, add or renew the page checksums of a database that no server has open.",
    discussion: """
      status compares every page of the file. If the server was killed, there may be a log beside the file; its \
      pages are not compared, and status says so. on gives a file checksums that has none. renew makes every \
      checksum anew: for a file to which another program wrote, such as SQLite's shell, since its writes leave \
      checksums behind that do not hold. Nothing can tell such a page from a damaged one, so renew only what you \
      know; SQLite's own integrity check has to pass first. on and renew write the whole file, and need room for a \
      copy. To be rid of checksums, export the database, and import it into a server that runs with --page-checksums \
      off.

      Stop the server first; it does not have to be stopped for `martlet check`, which compares all pages too.

      EXAMPLES:
        martlet checksums status --data ./data shop
        martlet checksums renew --data ./data shop
      """)

  enum Task: String, ExpressibleByArgument, CaseIterable {
    case status, on, renew
  }

  @Argument(help: ArgumentHelp("What is to be done.", valueName: "status|on|renew"))
  var task: Task

  @Option(help: ArgumentHelp("The data directory.", valueName: "directory"))
  var data: String

  @Argument(help: ArgumentHelp("The database's name.", valueName: "name"))
  var name: String

  func run() throws {
    guard let task = ChecksumTask(rawValue: task.rawValue) else { return }
    let report: ChecksumTask.Report
    do {
      report = try task.run(onDatabase: name, in: data)
    } catch {
      throw CommandFailure.explaining(error)
    }
    try StandardOutput.write(Array(Self.text(report).utf8), to: 1)
    if report.damagedCount > 0 { throw ExitCode(2) }
  }

  static func text(_ report: ChecksumTask.Report) -> String {
    pages(report) + (report.logBytes > 0 ? log(report) : "")
  }

  private static func log(_ report: ChecksumTask.Report) -> String {
    "A log of \(report.logBytes) bytes is beside the file and was not compared: it may hold newer pages than the file "
      + "has. Start the server and stop it, which copies the log into the file, and compare again; or start it and run "
      + "`martlet check`.\n"
  }

  private static func pages(_ report: ChecksumTask.Report) -> String {
    guard report.hasChecksums else { return "The file has no page checksums.\n" }
    guard report.damagedCount > 0 else { return "All \(report.pages) pages of the file hold.\n" }
    let most = CommandLimits.damagedPagesShownMax
    let pages = report.damaged.prefix(most).map(String.init).joined(separator: ", ")
    let rest = report.damagedCount > most ? " and \(report.damagedCount - most) more" : ""
    return "\(report.damagedCount) of \(report.pages) pages do not hold: \(pages)\(rest).\n"
  }
}
