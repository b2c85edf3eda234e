internal import CLibuv

/// Accepts connections on one loop, from a socket that other loops may accept from too.
///
/// It accepts by itself, and libuv only says when: out of descriptors, libuv would close all connections that wait,
/// without a word to them or to its user.
///
/// Always true: a connection that was accepted is handed over, with the word that there is no room for it if that is
/// so; none is served while the listener has no number in reserve to tell the next one; if files have taken that too,
/// connections wait with the system and nothing spins.
package final class Listener: LoopHandle {
  /// The address of the socket, with the port that the system chose.
  package let address: SocketAddress

  /// What is done with connections; each closure is called on the loop.
  package struct Handlers {
    /// Gets the descriptor of a connection, and owns it: give it to `SocketStream.adopting` on any loop, or to
    /// `Listener.refuse`.
    var accepted: (Int32) -> Void
    /// The same, of a connection that has the last descriptor that there is: it is to be told so, and closed at once.
    var full: (Int32) -> Void
    /// Nothing can be accepted now, and would be asked for again at once: pause, and resume after a moment.
    var failed: (LoopError) -> Void

    package init(
      accepted: @escaping (Int32) -> Void, full: @escaping (Int32) -> Void = { Listener.refuse(descriptor: $0) },
      failed: @escaping (LoopError) -> Void = { _ in }
    ) {
      self.accepted = accepted
      self.full = full
      self.failed = failed
    }
  }

  /// Kept because the address is given up with the last listener of the socket.
  private var socket: ListeningSocket?
  private var handlers: Handlers?
  private var spare = SpareDescriptor()

  /// Listens at `address` and accepts on this loop alone.
  package convenience init(
    at address: SocketAddress, on loop: EventLoop, _ accepted: @escaping (Int32) -> Void
  ) throws(LoopError) {
    try self.init(on: try ListeningSocket(at: address), loop: loop, Handlers(accepted: accepted))
  }

  /// Accepts what comes to a socket.
  package init(on socket: ListeningSocket, loop: EventLoop, _ handlers: Handlers) throws(LoopError) {
    loop.checkIsOnLoop()
    address = socket.address
    self.socket = socket
    self.handlers = handlers
    try super.init(UV_POLL, on: loop, operation: "listen at \(socket.address)") { memory in
      uv_poll_init(loop.raw, memory.poll, socket.descriptor)
    }
    resume()
  }

  /// Closes a connection that no loop takes.
  package static func refuse(descriptor: Int32) { Descriptor.close(descriptor) }

  /// Accepts nothing: connections wait with the system.
  package func pause() {
    loop.checkIsOnLoop()
    if !isClosing { uv_poll_stop(memory.poll) }
  }

  package func resume() {
    loop.checkIsOnLoop()
    guard !isClosing else { return }
    uv_poll_start(memory.poll, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      guard let handle else { return }
      Listener.of(handle).accept()
    }
  }

  /// What is left is told again by the loop, after its other sockets.
  private func accept() {
    for _ in 0..<LoopLimits.acceptsPerTurnMax {
      guard let socket, let handlers else { return }
      let descriptor = Descriptor.accept(socket.descriptor)
      if descriptor >= 0 {
        handOver(descriptor, handlers)
        continue
      }
      let error = LoopError(code: descriptor, operation: "accept at \(address)")
      if error.isNothingThere { return }
      if error.isOfOneConnection { continue }
      guard error.isOutOfDescriptors, acceptWithSpare(socket, handlers) else { return handlers.failed(error) }
    }
  }

  /// While no number is in reserve, a connection that came is the last one: it may even have the number that another
  /// loop lent just then. If it stayed, nobody could be told anything any more.
  private func handOver(_ descriptor: Int32, _ handlers: Handlers) {
    spare.takeBack()
    if spare.isLent {
      handlers.full(descriptor)
      spare.takeBack()
    } else {
      handlers.accepted(descriptor)
    }
  }

  /// False if even that does not help.
  private func acceptWithSpare(_ socket: ListeningSocket, _ handlers: Handlers) -> Bool {
    guard spare.lend() else { return false }
    let descriptor = Descriptor.accept(socket.descriptor)
    if descriptor >= 0 { handlers.full(descriptor) }
    spare.takeBack()
    return descriptor >= 0 || !LoopError(code: descriptor, operation: "").isOutOfDescriptors
  }

  override func willClose() {
    // Before the socket goes, because the loop must not ask for a descriptor that is another file's by then.
    uv_poll_stop(memory.poll)
    socket = nil
  }

  override func didClose() { handlers = nil }
}
