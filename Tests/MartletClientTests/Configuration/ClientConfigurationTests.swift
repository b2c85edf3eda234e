import MartletValues
import Testing

@testable import MartletClient

@Suite struct ClientConfigurationTests {
  private static let faults: [(name: String, sentence: String, change: @Sendable (inout ClientConfiguration) -> Void)] =
    [
      ("no connection", "connectionsMax must be at least 1", { $0.connectionsMax = 0 }),
      ("fewer than none", "connectionsMax must be at least 1", { $0.connectionsMax = .min }),
      ("no request", "pipelineDepth must be at least 1", { $0.pipelineDepth = -1 }),
      ("no transaction", "transactionsPerConnectionMax must be", { $0.transactionsPerConnectionMax = 0 }),
      ("no attempt", "connectAttemptsMax must be at least 1", { $0.connectAttemptsMax = 0 }),
      ("no window", "streamWindowBytes must be at least 1", { $0.streamWindowBytes = 0 }),
      ("less than nobody", "waitingMax must be at least 0", { $0.waitingMax = -1 }),
      ("no time", "requestDeadline must be above zero", { $0.requestDeadline = .zero }),
      ("a time in the past", "streamDeadline must not be negative", { $0.streamDeadline = .seconds(-1) }),
      ("a pause in the past", "backoffFirst must not be negative", { $0.backoffFirst = .nanoseconds(-1) }),
    ]

  @Test func `a number that makes no sense is refused before anything connects`() throws {
    for fault in Self.faults {
      var configuration = ClientConfiguration()
      fault.change(&configuration)
      let database = #expect(throws: ClientError.self) {
        try DatabaseClient("martlet://127.0.0.1:1/shop", configuration: configuration)
      }
      let url = try MartletURL("martlet://127.0.0.1:1")
      let server = #expect(throws: ClientError.self) { try ServerClient(url, configuration: configuration) }
      for error in [database, server] {
        #expect(error?.code == .invalidConfiguration && error?.isRetryable == false, "\(fault.name)")
        #expect(error?.message.contains(fault.sentence) == true, "\(fault.name)")
      }
    }
  }

  @Test func `what a program may leave out is no fault`() {
    var configuration = ClientConfiguration()
    #expect(configuration.check() == nil)
    configuration.waitingMax = 0
    configuration.readRepeatsMax = 0
    configuration.shapesMax = 0
    configuration.backoffFirst = .zero
    configuration.backoffMax = .zero
    configuration.replyGrace = .zero
    #expect(configuration.check() == nil)
  }
}
