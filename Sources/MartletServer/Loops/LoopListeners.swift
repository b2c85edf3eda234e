internal import Logging
internal import MartletLoop

/// The sockets at which one loop accepts connections.
///
/// Always true: touched on the loop only; if nothing can be accepted for a moment, it waits before it tries again; once
/// closed it accepts nothing more.
final class LoopListeners {
  private let loop: EventLoop
  private let notices: ClientNotices
  private var listeners: [Listener] = []

  init(loop: EventLoop, notices: ClientNotices) {
    self.loop = loop
    self.notices = notices
  }

  /// Accepts what comes to the socket, and hands each connection to `place`, or to `full` if it has the last
  /// descriptor of the process.
  func listen(
    on socket: ListeningSocket, _ place: @escaping (Int32) -> Void, full: @escaping (Int32) -> Void
  ) throws(LoopError) {
    // `unowned`, here and below, because the shard owns both, and stops its loop before it goes.
    let handlers = Listener.Handlers(accepted: place, full: full) { [unowned self] error in
      rest(at: socket.address, because: error)
    }
    listeners.append(try Listener(on: socket, loop: loop, handlers))
  }

  /// Nothing can be accepted for want of descriptors or memory: rests for a moment. Who connects waits meanwhile.
  private func rest(at address: SocketAddress, because error: LoopError) {
    notices.note(.cannotAccept, ["reason": "\(error)"])
    let tired = listeners.filter { $0.address == address }
    tired.forEach { $0.pause() }
    retry(after: ServerLimits.acceptPauseMs) { tired.forEach { $0.resume() } }
  }

  private func retry(after ms: Int, _ body: @escaping () -> Void) {
    var timer: LoopTimer?
    // A timer takes no descriptor, so it can be made where nothing else can.
    timer = try? LoopTimer(on: loop) {
      timer?.close()
      timer = nil
      body()
    }
    timer?.start(afterMs: ms)
  }

  func close() {
    listeners.forEach { $0.close() }
    listeners = []
  }
}
