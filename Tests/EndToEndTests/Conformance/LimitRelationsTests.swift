/// Limits of different modules that must fit each other; `Limits.check()` looks at those of one.
import MartletProtocol
import MartletValues
import Testing

@testable import MartletClient
@testable import MartletEngine
@testable import MartletServer

@Suite struct LimitRelationsTests {
  @Test func `what one side sends the other takes`() {
    let server = Limits()
    let client = ClientConfiguration()
    let table: [(Bool, String)] = [
      (ProtocolLimits.helloBytesMax == server.frameBeforeHelloBytesMax, "a hello of the longest is read"),
      (ProtocolLimits.credentialBytesMax < ProtocolLimits.helloBytesMax / 2, "a hello holds a credential and a setup"),
      (server.frameBytesMax <= ClientConfiguration.frameBytesMax, "a client takes the frames of a server"),
      (ProtocolLimits.creditBytesAssumed <= server.creditMaxBytes, "a credit that is assumed is counted"),
      (client.streamWindowBytes <= ProtocolLimits.creditBytesAssumed, "a client's window is counted by every server"),
      (
        client.transactionsPerConnectionMax <= server.transactionsPerConnectionMax,
        "a server lets a client's transactions begin"
      ),
      (client.pipelineDepth <= server.requestsPerConnectionMax, "a server takes a client's requests"),
      (client.requestDeadline.milliseconds <= server.deadlineMaxMs, "a server takes a client's deadline"),
      (client.streamDeadline.milliseconds <= server.deadlineMaxMs, "and that of a stream"),
      (client.writeDeadline.milliseconds <= server.writeTimeMaxMs, "and that of a write"),
    ]
    for (holds, sentence) in table { #expect(holds, "\(sentence)") }
  }

  @Test func `who is refused hears it before it gives up`() {
    let server = Limits()
    #expect(AccessLimits.firstRefusalMs <= AccessLimits.refusalMsMax)
    #expect(AccessLimits.refusalMsMax < ClientConfiguration().connectTimeout.milliseconds)
    #expect(server.handshakesMax <= server.connectionsMax)
    #expect(AccessLimits.refusalMsMax < AccessLimits.refusalMemoryMs)
  }

  @Test func `a limit for the least is not above that for the most`() {
    #expect(Limits.memoryBudgetBytesMin <= EngineLimits.memoryBudgetBytesMax)
    #expect(EngineLimits.memoryShareBytesMin <= EngineLimits.memorySmallBytes)
    #expect(EngineLimits.checkpointUrgentRetryMs <= EngineLimits.checkpointRetryMs)
    #expect(Limits().check() == nil)
  }
}
