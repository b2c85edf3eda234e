/// A server that the system gives less than it needs does not start, and says why.
import Logging
import MartletEngine
import MartletLoop
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct StartTests {
  @Test func `a loop that cannot have its timers is an error of the start`() throws {
    let directory = TemporaryDirectory()
    let engine = try Engine(configuration: EngineConfiguration(directory: directory.path))
    defer { engine.shutdown() }
    let loops = LoopSet(engine: engine, limits: Limits())
    let context = ServerContext(
      version: "test", limits: Limits(), engine: engine, logger: .init(label: "test"), work: loops)
    let fault = LoopError(code: -24, operation: "make a timer")
    #expect(throws: fault) { try LoopShard(index: 0, context: context, fault: fault) }
    let whole = try LoopShard(index: 0, context: context)
    whole.stop()
  }
}
