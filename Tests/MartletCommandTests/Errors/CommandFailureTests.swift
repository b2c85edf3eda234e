/// What a person is told of a request that took too long, and which time a verb may choose.
import MartletClient
import MartletValues
import Testing

@testable import MartletCommand

struct CommandFailureTests {
  private static let late = RequestError(.deadlineExceeded, .deadline, "It took too long.")

  @Test func `the option --timeout is named if the verb has it and it would help`() {
    #expect(CommandFailure.sentence(Self.late).hasSuffix(" --timeout says how long it may take."))
    #expect(CommandFailure.sentence(Self.late, hasTimeout: false) == "It took too long.")
    let failure = CommandFailure.explaining(Self.late, doing: "a", hasTimeout: false) as? CommandFailure
    #expect(failure?.description == "a: It took too long.")
    let write = RequestError(.deadlineExceeded, .deadline, "Raise the limit write-time-max-ms.")
    #expect(CommandFailure.sentence(write) == "Raise the limit write-time-max-ms.")
  }

  @Test func `names that others have chosen do not steer the terminal`() {
    let hostile = RequestError(
      .failedPrecondition, .sqlite, "CHECK constraint failed: a <> '\u{1B}[2J\u{7}\u{202E}'\n\tx.")
    let shown = "CHECK constraint failed: a <> '\\u{1b}[2J\\u{7}\\u{202e}'\n\tx."
    #expect(CommandFailure.sentence(hostile) == shown)
    #expect((CommandFailure.explaining(hostile) as? CommandFailure)?.description == shown)
    let raised = RequestError(.failedPrecondition, .sqlite, "no\u{9B}31m", constraint: "TRIGGER")
    #expect(CommandFailure.sentence(raised) == "no\\u{9b}31m")
  }

  @Test func `what a program calls endsSessions is an option here`() {
    let inUse = RequestError(
      .failedPrecondition, .notAllowed, "End those connections, or ask for their end (endsSessions).")
    #expect(CommandFailure.sentence(inUse) == "End those connections, or ask for their end (--end-sessions).")
  }

  @Test func `what only a program has is not advised here`() {
    let temporary = RequestError(
      .failedPrecondition, .notAllowed,
      "Sessions share connections. Declare temporary views and triggers in the setup of the session, and use ordinary "
        + "tables or WITH in place of temporary tables")
    #expect(CommandFailure.sentence(temporary).contains("connections. Use WITH, or ordinary tables"))
    let other = ClientError(
      .tlsFailed, "Connect by a name of the certificate, or say in the program which one it has (ClientTLS.serverName)."
    )
    let failure = CommandFailure.explaining(other) as? CommandFailure
    #expect(failure?.description.hasSuffix("or accept just this certificate with --fingerprint.") == true)
  }

  @Test func `who may not send text is told what there is without it`() {
    let sentence = CommandFailure.sentence(.permissionMissing(.raw))
    #expect(
      sentence.contains("denied it 'raw'. Statements of martlet sql are such text.") && !sentence.contains("tree"))
  }

  @Test func `who may use some tables only is told of nothing that it may not do`() {
    let denied = RequestError(
      .permissionDenied, .permission,
      "This client may use some tables only, so it may not send SQL text. Send the statement as a tree.")
    let sentence = CommandFailure.sentence(denied)
    #expect(sentence.contains("martlet export and import take one --table") && !sentence.contains(".dump"))
  }

  @Test func `the time that is stated holds for writes too, whether it is short or long`() {
    for stated in [Duration.milliseconds(200), .seconds(60)] {
      let configuration = DatabaseArgument.configuration(deadline: stated)
      #expect(configuration.writeDeadline == stated && configuration.streamDeadline == stated)
      #expect(configuration.requestDeadline == stated)
    }
    let silent = DatabaseArgument.configuration(deadline: nil)
    #expect(silent.writeDeadline == ClientConfiguration().writeDeadline)
    #expect(silent.streamDeadline == DatabaseArgument.patience)
  }
}
