import ArgumentParser
import Foundation
import MartletClient

/// `martlet check`: looks a running server's database over, and prints what it found.
///
/// Always true: the exit code is 0 if nothing is wrong, 2 if something is, and 1 if it could not be looked at.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for damage in a database while it is in use.",
    discussion: """
      Checks each table with its indexes, and its foreign keys, one after another, so that nobody waits; counts the \
      pages and those that are free; and looks at the files. --whole checks the whole file in one snapshot, its free \
      pages included.

      The exit code is 0 if nothing is wrong, 2 if something is, and 1 if the check could not be made.

      EXAMPLES:
        martlet check martlet://localhost/shop
        martlet check martlet://localhost/shop --json
      """)

  @OptionGroup var database: DatabaseArgument

  @Flag(help: "Check the whole file at once.")
  var whole = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let connected = try await database.connect(createsDatabase: false)
    let report: CheckReport
    do {
      report = try await connected.check(wholeFile: whole)
    } catch {
      await connected.close()
      throw CommandFailure.explaining(error)
    }
    await connected.close()
    let text = json ? try CheckText.json(report) : CheckText.text(report)
    try StandardOutput.write(Array(text.utf8), to: 1)
    if !report.isOk { throw ExitCode(2) }
  }
}
