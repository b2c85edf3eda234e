import ArgumentParser
import MartletServer

/// Which file of tokens a verb is about: `--file`, or the one that a configuration names.
struct TokenFileArgument: ParsableArguments {
  @Option(help: ArgumentHelp("The file of tokens.", valueName: "path"))
  var file: String?

  @Option(help: ArgumentHelp("The server's configuration file, whose `tokens` is meant.", valueName: "path"))
  var config: String?

  func validate() throws {
    guard (file == nil) != (config == nil) else {
      throw ValidationError("Name either --file or --config: the file of tokens, or the configuration that names it.")
    }
  }

  /// The file, and the names of the roles that there are; nil: nobody knows them.
  func find() throws -> (file: TokenFile, roles: [String]?) {
    guard let config else { return (TokenFile(path: file ?? ""), nil) }
    let access = try LoadedConfiguration.load(config).server.access
    guard let tokens = access.tokensFile else {
      throw CommandFailure.noKeyTokens(in: CellText.escaped(config))
    }
    return (TokenFile(path: tokens), access.roles.keys.sorted())
  }
}
