import ArgumentParser

/// `martlet config`: whether a configuration file is right, before a server is started with it.
///
/// Always true: nothing is started and nothing is written; the exit code is 1 if anything is wrong.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check a server's configuration file.",
    discussion: """
      EXAMPLES:
        martlet config check /etc/martlet/martlet.toml
        martlet config check --no-files deploy/martlet.toml
      """,
    subcommands: [Check.self])
}

extension ConfigCommand {
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say whether a configuration file is right, or all that is wrong with it.",
      discussion: """
        Each mistake is a line: the file, the line, and a sentence. The files of certificates, keys and tokens have to \
        be readable by whoever checks.
        """)

    @Argument(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var file: String

    @Flag(name: .customLong("no-files"), help: "Do not look at the files that it names.")
    var skipsFiles = false

    func run() throws {
      do {
        let loaded = try LoadedConfiguration.load(file)
        for warning in loaded.warnings {
          StandardOutput.complain("Warning: \(warning.text(file: CellText.escaped(file)))\n")
        }
        for warning in skipsFiles ? [] : loaded.warningsInFiles() { StandardOutput.complain("Warning: \(warning)\n") }
        let mistakes = skipsFiles ? [] : loaded.mistakesInFiles()
        guard mistakes.isEmpty else { throw CommandFailure(mistakes.joined(separator: "\n")) }
        try StandardOutput.write(Array(ConfigurationSummary.text(loaded, file: file).utf8), to: 1)
      } catch {
        throw CommandFailure.explaining(error)
      }
    }
  }
}
