/// What a health check tells of an answer, and of none.
import Testing

@testable import MartletCommand

struct HealthProbeTests {
  @Test(
    arguments: [
      (200, "ok\n", nil), (503, "not ready: see the log\n", "The server answers 503: not ready: see the log."),
      (404, "There are /metrics and /healthz.\r\n", "The server answers 404: There are /metrics and /healthz."),
      (500, "", "The server answers 500."), (500, "a\nb\n", "The server answers 500: a\\nb."),
    ] as [(Int, String, String?)])
  func `an answer that is no yes is one sentence`(status: Int, text: String, refusal: String?) {
    #expect(HealthProbe.Answer(status: status, text: text).refusal == refusal)
  }

  @Test func `that nobody listens is said of a refused connection only`() async throws {
    let address = try #require(MetricsListener.Address("nobody.invalid:9278"))
    let failure = await #expect(throws: CommandFailure.self) { try await HealthProbe.ask("/healthz", at: address) }
    #expect(failure?.description.contains("Nobody listens") == false, "\(failure?.description ?? "")")
    #expect(failure?.description.hasPrefix("nobody.invalid:9278 ") == true, "\(failure?.description ?? "")")
  }
}
