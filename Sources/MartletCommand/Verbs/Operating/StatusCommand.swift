import ArgumentParser
import Foundation
import MartletClient
import MartletValues

/// `martlet status`: what a running server does, as a page that refreshes.
///
/// Always true: the terminal is left as it was; off a terminal one page is printed and the program ends.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Watch what a server does.",
    discussion: """
      Requests, latencies, caches, commits, the log, who is connected and which statements take the time: all of it of \
      the interval before, refreshed until Control-C or q. With a database in the URL only its connections and \
      statements are listed. Off a terminal, or with --once, one page is printed.

      Latencies are from the arrival of a request at the server to its answer; each is at most a quarter too long.

      EXAMPLES:
        martlet status martlet://localhost
        martlet status martlet://localhost/shop --interval 5
        martlet status martlet://localhost --json
      """)

  @OptionGroup var server: ServerArgument

  @Option(help: ArgumentHelp("How long each look takes, in seconds.", valueName: "seconds"))
  var interval = 1.0

  @Flag(help: "Print one page and end.")
  var once = false

  @Flag(help: "Print one JSON object and end.")
  var json = false

  func validate() throws {
    guard (0.1...3_600).contains(interval) else { throw ValidationError("--interval is 0.1 to 3600.") }
  }

  func run() async throws {
    let url = try server.parsed()
    let isLive = !once && !json && StandardOutput.isOutputTerminal && StandardOutput.isInputTerminal
    try await server.withServer { client in
      if let name = url.database { try await Self.check(name, client) }
      if isLive {
        try await watch(client, url)
      } else {
        let before = try await look(client)
        try await Task.sleep(for: .seconds(interval))
        let difference = try await self.difference(client, since: before)
        let text: String
        if json {
          text = try StatusJSON.text(difference, database: url.database)
        } else {
          let width = StandardOutput.isOutputTerminal ? Terminal.columns : nil
          text = page(difference, url).lines(width: width).joined(separator: "\n") + "\n"
        }
        try StandardOutput.write(Array(text.utf8), to: 1)
      }
    }
  }

  /// A database that is not there has no connections and no statements, which would look as if nobody used it.
  private static func check(_ name: String, _ client: ServerClient) async throws {
    let names = try await client.databases().map(\.name)
    guard names.contains(name) else { throw CommandFailure.noDatabase(name, among: names) }
  }

  private typealias Look = (inspection: Inspection, at: ContinuousClock.Instant)

  private func look(_ client: ServerClient) async throws -> Look {
    let inspection = try await client.inspect(
      shapes: CommandLimits.statusShapesMax, sessions: CommandLimits.statusSessionsMax)
    return (inspection, ContinuousClock.now)
  }

  private func difference(_ client: ServerClient, since before: Look) async throws -> StatusDifference {
    let after = try await look(client)
    return StatusDifference(
      before: before.inspection, after: after.inspection, seconds: (after.at - before.at) / .seconds(1))
  }

  private func page(_ difference: StatusDifference, _ url: MartletURL) -> StatusPage {
    let address = (try? url.with(database: nil)).map(\.description) ?? server.url
    return StatusPage(difference: difference, server: address, database: url.database)
  }

  /// Until q or Control-C, on a screen of its own.
  private func watch(_ client: ServerClient, _ url: MartletURL) async throws {
    let screen = StatusScreen()
    try screen.open()
    defer { screen.close() }
    var before = try await look(client)
    // The first page has little to show: it is there at once, and the next one follows soon.
    var pause = min(interval, 0.3)
    while !screen.isDone(after: pause) {
      let difference = try await difference(client, since: before)
      before = (difference.after, ContinuousClock.now)
      screen.show(page(difference, url).lines(width: Terminal.columns, height: Terminal.rows))
      pause = interval
    }
  }
}
