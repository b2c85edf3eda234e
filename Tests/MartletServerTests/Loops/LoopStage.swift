/// One loop of a server that listens nowhere.
import Logging
import MartletClient
import MartletEngine
import MartletLoop
import MartletTestSupport
import MartletValues

@testable import MartletServer

final class LoopStage {
  let shard: LoopShard
  private let loops: LoopSet
  private let engine: Engine
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    engine = try Engine(configuration: EngineConfiguration(directory: folder.path + "/data"))
    loops = LoopSet(engine: engine, limits: Limits())
    let context = ServerContext(
      version: "test", limits: Limits(), engine: engine, logger: logger, work: loops)
    shard = try LoopShard(index: 0, context: context)
    loops.set([shard])
  }

  deinit {
    shard.stop()
    loops.set([])
    engine.shutdown()
  }

  /// Runs on the loop, and waits for it.
  func onLoop<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
    let promise = Promise<Value>()
    shard.loop.post { promise.fulfil(body()) }
    return promise.wait()
  }
}
