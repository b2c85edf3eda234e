import ArgumentParser

/// `martlet health`: whether a server is well, for whoever starts it again if it is not.
///
/// Always true: it needs no credential and no certificate, whatever the server's addresses ask for, because it asks at
/// the one for operators.
struct HealthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Ask whether a server is well.",
    discussion: """
      Asks the HTTP address of martlet serve --metrics-listen for /healthz (or, with --ready, for /readyz) and ends \
      with 0 if the answer is yes, and with 1 otherwise. It is what the image's HEALTHCHECK runs.

      EXAMPLES:
        martlet health
        martlet health 127.0.0.1:9278 --ready
      """)

  @Argument(help: ArgumentHelp("The address of --metrics-listen.", valueName: "host:port"))
  var address = "127.0.0.1:9278"

  @Flag(help: "Ask whether it takes requests now, and not only whether it runs.")
  var ready = false

  func validate() throws {
    guard MetricsListener.Address(address) != nil else {
      throw ValidationError("\(address) is no address: it is HOST:PORT, as --metrics-listen has it.")
    }
  }

  func run() async throws {
    guard let address = MetricsListener.Address(address) else { return }
    let answer = try await HealthProbe.ask(ready ? "/readyz" : "/healthz", at: address)
    if let refusal = answer.refusal { throw CommandFailure(refusal) }
    try StandardOutput.write(Array(answer.text.utf8), to: 1)
  }
}
