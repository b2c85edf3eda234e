internal import Logging
internal import MartletLoop

/// The sockets at which one loop accepts connections.
///
/// Always true: touched on the loop only; if nothing can be accepted for a moment, it waits before it tries again; once
/// closed it accepts nothing more.
final class LoopListeners {
  private let loop: EventLoop
  private let logger: Logger
  private var listeners: [Listener] = []
  private var isClosed = false

  init(loop: EventLoop, logger: Logger) {
    self.loop = loop
    self.logger = logger
  }

  /// Accepts what comes to the socket, and hands each connection to `place`.
  func listen(on socket: ListeningSocket, _ place: @escaping (Int32) -> Void) throws(LoopError) {
    // `unowned`, here and below, because the shard owns both, and stops its loop before it goes.
    let listener = try Listener(on: socket, loop: loop, place) { [unowned self] error in
      listenLater(on: socket, place, because: error)
    }
    listeners.append(listener)
  }

  /// Nothing can be accepted for want of descriptors or memory: rests for a moment.
  private func listenLater(on socket: ListeningSocket, _ place: @escaping (Int32) -> Void, because error: LoopError) {
    logger.warning("No connection can be accepted for a moment", metadata: ["reason": "\(error)"])
    let tired = listeners.filter { $0.address == socket.address }
    listeners.removeAll { $0.address == socket.address }
    tired.forEach { $0.close() }
    retry(after: ServerLimits.acceptPauseMs) { [unowned self] in
      guard !isClosed else { return }
      do throws(LoopError) { try listen(on: socket, place) } catch {
        listenLater(on: socket, place, because: error)
      }
    }
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
    isClosed = true
    listeners.forEach { $0.close() }
    listeners = []
  }
}
