import ArgumentParser

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `martlet`: the verbs, and what is true for all of them.
///
/// Always true: a failure is one sentence on standard error and an exit code other than 0; 64 is for a command line
/// that cannot be understood, and 128 with a signal's number for a run that the signal ended.
@main
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "martlet",
    abstract: "A SQLite database server that speaks query trees, and the tools around it.",
    discussion: """
      A URL names a server and one of its databases: martlet://HOST:PORT/NAME (port 6278 if none is named), \
      martlet+tls://HOST:PORT/NAME for TLS, or martlet+unix:///PATH.sock?db=NAME. A failure is one sentence on \
      standard error and an exit code other than 0.

      EXIT CODES: 0 if all was done; 1 if it failed; 2 if check, checksums, import or bench has found something wrong; \
      3 if the sums of bench tpcb differ; 64 for a command line that cannot be understood; 70 if serve had to abandon \
      threads; 128 and a signal's number if that ended it, so 130 after Control-C, and 141 if whoever read its \
      output left. A script ends with what its .exit says.

      EXAMPLES:
        martlet serve --data ./data
        martlet import martlet://localhost/music chinook.sqlite
        martlet sql martlet://localhost/music "select Name from Artist limit 3"
        martlet bench point-read --url martlet://localhost/bench --connections 64
      """,
    version: ProgramVersion.text,
    subcommands: [
      ServeCommand.self, SQLCommand.self, ImportCommand.self, ExportCommand.self, DatabasesCommand.self,
      StatusCommand.self, HealthCommand.self, CheckCommand.self, UnfenceCommand.self, ChecksumsCommand.self,
      ConfigCommand.self,
      TokenCommand.self, ShapesCommand.self, CertCommand.self,
      BenchCommand.self,
    ])

  static func main() async {
    StandardDescriptors.fill()
    #if os(Linux)
      // Swift reads the arguments of a program there, and ends a program that cannot with a trap.
      guard access("/proc/self/cmdline", R_OK) == 0 else {
        StandardOutput.complain(
          "Error: /proc is not mounted here, and martlet reads its arguments there. Mount it: mount -t proc proc /proc\n"
        )
        Self.exit(withError: ExitCode.failure)
      }
    #endif
    ProcessSecrets.keep()
    var verb: any ParsableCommand.Type = Self.self
    do {
      let words = SQLCommand.withTextLast(Array(CommandLine.arguments.dropFirst()))
      if let unknown = unknownVerb(words[...]) {
        verb = unknown.parent
        throw unknown.failure
      }
      if let refusal = DashedWord.refusal(words) {
        verb = verbNamed(by: words[...])
        throw refusal
      }
      var command = try await asyncParseAsRoot(words)
      verb = type(of: command)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(after: error, of: verb)
    }
  }

  /// What is wrong with the first words if they name no verb, or no part of one, and whose usage shows what there is.
  /// Where a verb can do without a part, only what is nearly one is taken for it. `isForHelp`: the words stand behind
  /// `help`, which takes nothing but verbs and their parts.
  static func unknownVerb(
    _ words: ArraySlice<String>, of parent: any ParsableCommand.Type = RootCommand.self, isForHelp: Bool = false
  ) -> (failure: CommandFailure, parent: any ParsableCommand.Type)? {
    let configuration = parent.configuration
    let verbs = configuration.subcommands
    guard let word = words.first, !word.hasPrefix("-"), isForHelp || !verbs.isEmpty else { return nil }
    if word == "help" {
      guard parent == RootCommand.self, !isForHelp else { return nil }
      return unknownVerb(words.dropFirst(), isForHelp: true)
    }
    if let verb = verbs.first(where: { $0._commandName == word }) {
      return unknownVerb(words.dropFirst(), of: verb, isForHelp: isForHelp)
    }
    let names = verbs.map { $0._commandName }
    if !isForHelp, configuration.defaultSubcommand != nil, Suggestion.nearest(to: word, among: names) == nil {
      return nil
    }
    return (.noVerb(word, among: names), parent)
  }

  /// The verb, or the part of one, whose name the first words are.
  private static func verbNamed(
    by words: ArraySlice<String>, in parent: any ParsableCommand.Type = RootCommand.self
  ) -> any ParsableCommand.Type {
    let verbs = parent.configuration.subcommands
    guard let verb = verbs.first(where: { $0._commandName == words.first }) else { return parent }
    return verbNamed(by: words.dropFirst(), in: verb)
  }

  private static func end(after error: any Error, of verb: any ParsableCommand.Type) -> Never {
    let failure = error as? CommandFailure
    if let sentence = failure?.isOfCommandLine == true ? failure?.description : (error as? ValidationError)?.message {
      StandardOutput.complain("Error: \(sentence)\n" + usage(of: verb))
      exit(withError: ExitCode.validationFailure)
    }
    // The help, or the version. The parser would not look whether it could be written.
    if exitCode(for: error) == .success {
      do {
        let text = fullMessage(for: error)
        if !text.isEmpty { try StandardOutput.write(Array((text + "\n").utf8), to: STDOUT_FILENO) }
      } catch {
        exit(withError: error)
      }
      exit(withError: ExitCode.success)
    }
    guard InterruptWatcher.wasInterrupted, exitCode(for: error) == .failure else { exit(withError: error) }
    // A script that called this program sees that a person wanted it to end.
    let text = fullMessage(for: error)
    if !text.isEmpty { StandardOutput.complain(text + "\n") }
    exit(withError: ExitCode(128 + SIGINT))
  }

  /// As the parser writes it behind what it finds wrong itself.
  private static func usage(of verb: any ParsableCommand.Type) -> String {
    let usage = usageString(for: verb)
    let name = usage.split(separator: " ").prefix { !"<[-(".contains($0.first ?? "<") }.joined(separator: " ")
    return "Usage: \(usage)\n  See '\(name) --help' for more information.\n"
  }
}
