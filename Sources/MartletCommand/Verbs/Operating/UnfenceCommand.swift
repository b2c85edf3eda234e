import ArgumentParser
import MartletClient

/// `martlet unfence`: a database that the server has fenced takes writes again.
///
/// Always true: the server has looked at the database's files and content before the command succeeds.
struct UnfenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfence",
    abstract: "Let a fenced database take writes again.",
    discussion: """
      A server fences a database when a commit's outcome is unknown, or when its files were moved, removed, replaced, \
      cut or linked: its rows can be read, and nothing is written. Take the cause away first. The server then checks \
      the files and the content, and opens the database anew; its sessions stay open.

      EXAMPLES:
        martlet unfence martlet://localhost/shop
      """)

  @OptionGroup var database: DatabaseArgument

  func run() async throws {
    let connected = try await database.connect(createsDatabase: false)
    do {
      try await connected.unfence()
    } catch {
      await connected.close()
      throw CommandFailure.explaining(error)
    }
    await connected.close()
    try StandardOutput.write(Array("The database takes writes again.\n".utf8), to: 1)
  }
}
