/// A Martlet server in this process: an engine, event loops that serve it, and their beginning and end.
///
/// Always true: when `start` has returned, every address answers; when `stop` has returned, every acknowledged write is
/// on disk, the directory is free for another server and nothing of this one runs.
internal import Foundation
internal import Logging
public import MartletAST
internal import MartletEngine
internal import MartletLoop
internal import MartletWire
internal import Synchronization

public final class Server: Sendable {
  /// The server's name and version, as clients see it.
  public static let version = "martlet/0.1"

  public let configuration: ServerConfiguration
  private let context: ServerContext
  private let shards: [LoopShard]

  private enum Phase {
    case made
    case running
    case stopping
    case stopped
  }

  private let phase = Mutex(Phase.made)
  private let end = Gate()

  /// Opens the data directory. Throws `ServerError` where the limits contradict each other, an address is not allowed,
  /// or another server has the directory.
  public init(configuration: ServerConfiguration) throws {
    var configuration = configuration
    if let contradiction = configuration.limits.check() {
      throw ServerError("The limits do not fit: \(contradiction).")
    }
    for url in configuration.listen { try Self.checkIsLocal(url) }
    ProcessSetup.ignoreBrokenPipes()
    let fitting = ProcessSetup.raiseDescriptorLimit(forConnections: configuration.limits.connectionsMax)
    if fitting < configuration.limits.connectionsMax {
      configuration.logger.notice(
        "The system's limit on open files allows fewer connections: raise it with ulimit -n",
        metadata: ["connections": "\(fitting)", "configured": "\(configuration.limits.connectionsMax)"])
      configuration.limits.connectionsMax = fitting
    }
    self.configuration = configuration
    do throws(RequestError) {
      var engineConfiguration = EngineConfiguration(
        directory: configuration.directory, limits: configuration.limits,
        clock: { MonotonicTime(nanoseconds: EventLoop.nanoseconds) })
      engineConfiguration.permissions = configuration.permissions
      let logger = configuration.logger
      engineConfiguration.notice = { notice in
        logger.log(
          level: notice.level == .error ? .error : .warning, "\(notice.text)",
          metadata: ["database": "\(notice.database)"])
      }
      let engine = try Engine(configuration: engineConfiguration)
      context = ServerContext(limits: configuration.limits, engine: engine, logger: configuration.logger)
    } catch {
      throw ServerError(error.message)
    }
    let count = configuration.loops > 0 ? configuration.loops : ProcessSetup.cores
    shards = try Self.startLoops(count, context)
    context.setShards(shards)
  }

  /// All loops, or none and the reason.
  private static func startLoops(_ count: Int, _ context: ServerContext) throws(ServerError) -> [LoopShard] {
    var shards: [LoopShard] = []
    for index in 0..<count {
      do throws(LoopError) {
        shards.append(try LoopShard(index: index, context: context))
      } catch {
        for shard in shards { shard.stop() }
        context.engine.shutdown()
        throw ServerError(
          "Event loop \(index + 1) of \(count) cannot start (\(error)): raise the system's limit, or use fewer loops.")
      }
    }
    return shards
  }

  private static func checkIsLocal(_ url: MartletURL) throws(ServerError) {
    guard !url.socketAddress.isLoopback else { return }
    throw ServerError(
      "\(url) is not a loopback address: without TLS and authentication, which Martlet does not have yet, "
        + "anybody on the network could read and write every database. Listen at 127.0.0.1, ::1 or a Unix socket.")
  }

  /// Listens, writes the ready file, and gives the URLs with the ports that the system chose.
  public func start() throws -> [MartletURL] {
    let isFirst = phase.withLock { phase in
      guard phase == .made else { return false }
      phase = .running
      return true
    }
    guard isFirst else { throw ServerError("A server starts once: make another one.") }
    do {
      let urls = try configuration.listen.map { try listen(at: $0) }
      if let readyFile = configuration.readyFile {
        try ProcessSetup.writeAtomically(urls.map { "\($0)\n" }.joined(), to: readyFile)
      }
      for note in Engine.startupNotes {
        context.logger.log(level: note.isWarning ? .warning : .info, "\(note.text)")
      }
      context.logger.info(
        "Serving",
        metadata: [
          "urls": "\(urls.map(\.description).joined(separator: " "))", "loops": "\(shards.count)",
          "sqlite": "\(context.greeting.sqlite)",
        ])
      return urls
    } catch {
      stop()
      throw error
    }
  }

  /// Stops gracefully: no new connections and requests; what is in flight has `limits.shutdownDrainMs` to finish.
  /// Returns when everything has ended. Never call it on a loop's own thread.
  public func stop() {
    let isFirst = phase.withLock { phase in
      guard phase == .running || phase == .made else { return false }
      phase = .stopping
      return true
    }
    guard isFirst else { return end.wait() }
    context.logger.info("Stopping")
    let drained = Gate(count: shards.count)
    for shard in shards { shard.shutDown { drained.open() } }
    drained.wait()
    context.engine.shutdown()
    for shard in shards { shard.loop.stop() }
    for shard in shards { shard.loop.join() }
    context.setShards([])
    phase.withLock { $0 = .stopped }
    context.logger.info("Stopped")
    end.open()
  }

  /// Waits until the server has stopped.
  public func wait() { end.wait() }

  /// Stops gracefully when the process gets one of these signals, such as SIGTERM.
  public func stopOnSignals(_ signals: [Int32]) {
    guard let shard = shards.first else { return }
    shard.loop.post { [self] in
      for number in signals {
        do throws(LoopError) {
          _ = try SignalWatcher(number, on: shard.loop) { [weak self] in
            guard let self else { return }
            // A thread of its own because stopping waits for every loop to end, and a loop waits for its own
            // worker threads.
            Thread.detachNewThread { self.stop() }
          }
        } catch {
          context.logger.error("A signal cannot be watched", metadata: ["signal": "\(number)", "error": "\(error)"])
        }
      }
    }
  }

  /// Named totals and gauges of the server and its engine; what `Inspect` shows over the wire.
  public var counters: [(name: String, value: Int64)] { context.counters }
}

// MARK: - Listening

extension Server {
  /// TCP: every loop listens at the port and the system spreads connections over them. A Unix socket has one listener.
  /// Either way a connection goes to the loop that has the fewest.
  private func listen(at url: MartletURL) throws(ServerError) -> MartletURL {
    let address = url.socketAddress
    var bound = address
    let isPipe = if case .unix = address { true } else { false }
    for shard in isPipe ? Array(shards.prefix(1)) : shards {
      bound = try listen(at: bound, isPipe: isPipe, on: shard)
    }
    return try bound.url
  }

  private func listen(
    at address: SocketAddress, isPipe: Bool, on shard: LoopShard
  ) throws(ServerError) -> SocketAddress {
    let context = context
    let listening = Promise<Result<SocketAddress, LoopError>>()
    shard.loop.post {
      listening.fulfil(
        Result { () throws(LoopError) in
          try shard.listen(at: address) { descriptor in
            guard let place = context.leastLoaded() else { return shard.refuse(descriptor: descriptor, isPipe: isPipe) }
            place.adopt(descriptor: descriptor, isPipe: isPipe)
          }
        })
    }
    do throws(LoopError) {
      return try listening.wait().get()
    } catch {
      throw ServerError("The server cannot listen at \(address) (\(error)): choose another address.")
    }
  }
}

extension MartletURL {
  var socketAddress: SocketAddress {
    switch address {
    case .tcp(let host, let port): .internet(host: host, port: UInt16(clamping: port))
    case .unix(let path): .unix(path: path)
    }
  }
}

extension SocketAddress {
  /// Where clients connect to.
  fileprivate var url: MartletURL {
    get throws(ServerError) {
      do throws(InvalidMartletURL) {
        switch self {
        case .internet(let host, let port): return try MartletURL(address: .tcp(host: host, port: Int(port)))
        case .unix(let path): return try MartletURL(address: .unix(path: path))
        }
      } catch {
        throw ServerError(error.message)
      }
    }
  }
}
