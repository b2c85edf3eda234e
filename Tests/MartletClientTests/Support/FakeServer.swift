/// A server on a temporary Unix socket that does what a test's script says, and remembers what it heard.
///
/// Always true: every message is given to the script once, in order; the server is gone when the value is.
import Foundation
import MartletValues
import NIOCore
import NIOPosix
import SwiftProtobuf
import Synchronization

@testable import MartletClient

final class FakeServer: Sendable {
  /// One connection, as a script answers on it.
  struct Peer: Sendable {
    let number: Int
    fileprivate let channel: any Channel

    func say(_ messages: ProtoServerMessage...) {
      for message in messages { say(raw: (try? message.framed()) ?? []) }
    }

    func say(raw bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func hangUp() { channel.close(promise: nil) }
  }

  typealias Script = @Sendable (ProtoClientMessage, Peer) -> Void

  private struct State {
    var heard: [(peer: Int, message: ProtoClientMessage)] = []
    var peers: [Peer] = []
    var waiters: [(@Sendable ([ProtoClientMessage]) -> Bool, CheckedContinuation<Void, Never>)] = []
  }

  let path: String
  private let state = Mutex(State())
  private let listener: Mutex<(any Channel)?>
  private let script: Script

  /// A script that answers hello, and leaves the rest to `script`.
  init(requestsMax: UInt32 = 100, greets: Bool = true, script: @escaping Script) async throws {
    path = NSTemporaryDirectory() + "martlet-\(UUID().uuidString.prefix(8)).sock"
    listener = Mutex(nil)
    self.script = { message, peer in
      if greets, case .hello = message.kind { return peer.say(.hello(requestsMax: requestsMax)) }
      script(message, peer)
    }
    try await listen()
  }

  deinit {
    listener.withLock { $0 }?.close(promise: nil)
    for peer in state.withLock(\.peers) { peer.hangUp() }
    unlink(path)
  }

  private func listen() async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { [weak self] channel in
        channel.eventLoop.makeCompletedFuture {
          let peer = self?.state.withLock { state in
            let peer = Peer(number: state.peers.count + 1, channel: channel)
            state.peers.append(peer)
            return peer
          }
          if let peer { try channel.pipeline.syncOperations.addHandler(Ear(peer: peer, server: self)) }
        }
      }
      .bind(unixDomainSocketPath: path).get()
    listener.withLock { $0 = channel }
  }

  /// No connection can be made until `reopen`.
  func stopListening() async throws {
    let channel = listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    try await channel?.close()
    unlink(path)
  }

  func reopen() async throws { try await listen() }

  func url(_ database: String = "shop") -> String { "martlet+unix://\(path)?db=\(database)" }

  func database(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws -> DatabaseClient {
    var configuration = ClientConfiguration()
    configuration.backoffFirst = .milliseconds(1)
    change(&configuration)
    return try DatabaseClient(url(), configuration: configuration)
  }

  /// How many connections were ever made.
  var connections: Int { state.withLock(\.peers.count) }

  /// All that was heard but hellos.
  var heard: [ProtoClientMessage] {
    state.withLock(\.heard).map(\.message).filter { if case .hello = $0.kind { false } else { true } }
  }

  /// Waits until what was heard (but hellos) is enough.
  func hears(_ isEnough: @escaping @Sendable ([ProtoClientMessage]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if isEnough(Self.spoken(state)) { return true }
        state.waiters.append((isEnough, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  private static func spoken(_ state: State) -> [ProtoClientMessage] {
    state.heard.map(\.message).filter { if case .hello = $0.kind { false } else { true } }
  }

  fileprivate func heard(_ message: ProtoClientMessage, from peer: Peer) {
    let ready = state.withLock { state in
      state.heard.append((peer.number, message))
      let spoken = Self.spoken(state)
      let ready = state.waiters.filter { $0.0(spoken) }.map(\.1)
      state.waiters.removeAll { $0.0(spoken) }
      return ready
    }
    for continuation in ready { continuation.resume() }
    script(message, peer)
  }
}

/// Cuts what a client says into messages.
private final class Ear: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let peer: FakeServer.Peer
  private weak var server: FakeServer?
  private var frames = FrameReader(frameBytesMax: 64 << 20)

  init(peer: FakeServer.Peer, server: FakeServer?) {
    self.peer = peer
    self.server = server
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    frames.append(unwrapInboundIn(data))
    while let frame = try? frames.next() {
      guard let message = try? ProtoClientMessage(serializedBytes: Array(frame.readableBytesView)) else { continue }
      server?.heard(message, from: peer)
    }
  }
}
