import ArgumentParser
import MartletClient
import MartletValues

/// `martlet databases`: what databases a running server has, and making, renaming and dropping them.
///
/// Always true: a database is dropped only after a person has typed its name once more, or if the command says `--yes`.
struct DatabasesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "databases",
    abstract: "List, make, rename and drop the databases of a server.",
    discussion: """
      EXAMPLES:
        martlet databases martlet://localhost
        martlet databases size martlet://localhost/shop
        martlet databases create martlet://localhost/shop
        martlet databases rename martlet://localhost/shop store
        martlet databases drop martlet://localhost/shop --yes
      """,
    subcommands: [List.self, Create.self, Rename.self, Drop.self, Size.self], defaultSubcommand: List.self)
}

extension DatabasesCommand {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the databases with their sizes, and who has them open (the default).")

    @OptionGroup var server: ServerArgument

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
      let entries = try await server.withServer { server in try await server.databases() }
      try DatabaseListText.print(entries, json: json)
    }
  }

  struct Size: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show how large one database is.")

    @OptionGroup var server: ServerArgument

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
      let name = try server.database()
      let entries = try await server.withServer { server in try await server.databases() }
      guard let entry = entries.first(where: { $0.name == name }) else {
        throw CommandFailure.noDatabase(name, among: entries.map(\.name))
      }
      try DatabaseListText.print([entry], json: json)
    }
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make an empty database.")

    @OptionGroup var server: ServerArgument

    func run() async throws {
      let name = try server.database()
      try await server.withServer { server in try await server.createDatabase(name) }
    }
  }

  struct Rename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a database another name.",
      discussion: "Nobody may have it open, or --end-sessions ends those connections with a sentence that says why.")

    @OptionGroup var server: ServerArgument

    @Argument(help: ArgumentHelp("The new name.", valueName: "name"))
    var newName: String

    @Flag(help: "End the connections that have it open.")
    var endSessions = false

    func run() async throws {
      let (name, newName, endsSessions) = (try server.database(), newName, endSessions)
      try await server.withServer { server in
        try await server.renameDatabase(name, to: newName, endsSessions: endsSessions)
      }
    }
  }

  struct Drop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a database and everything in it, for good.",
      discussion: """
        Nobody may have it open, or --end-sessions ends those connections with a sentence that says why. In a terminal \
        it asks for the name once more; elsewhere it wants --yes.
        """)

    @OptionGroup var server: ServerArgument

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "End the connections that have it open.")
    var endSessions = false

    func run() async throws {
      let (name, endsSessions) = (try server.database(), endSessions)
      if !yes { try Self.confirm(name) }
      try await server.withServer { server in try await server.dropDatabase(name, endsSessions: endsSessions) }
    }

    private static func confirm(_ name: String) throws {
      guard StandardOutput.isInputTerminal else {
        throw CommandFailure.dropNotConfirmed
      }
      StandardOutput.complain("Everything in \(name) goes for good. Type its name to go on: ")
      guard readLine() == name else { throw CommandFailure.otherName }
    }
  }
}
