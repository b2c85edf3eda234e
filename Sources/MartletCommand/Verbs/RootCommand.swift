/// `martlet`: the verbs, and what is true for all of them.
///
/// Always true: a failure is one sentence on standard error and an exit code other than 0; 64 is for a command line
/// that cannot be understood.
import ArgumentParser

@main
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "martlet",
    abstract: "A SQLite database server that speaks query trees, and the tools around it.",
    version: "0.1.0",
    subcommands: [ServeCommand.self, SQLCommand.self, ImportCommand.self, ExportCommand.self, BenchCommand.self])
}
