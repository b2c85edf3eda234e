internal import CLibuv

/// Accepts connections on one loop, from a socket that other loops may accept from too.
///
/// Always true: a connection that was accepted is handed over or closed; running out of descriptors refuses
/// connections and never spins (libuv gives up its spare descriptor for the moment).
package final class Listener: LoopHandle {
  /// The address of the socket, with the port that the system chose.
  package let address: SocketAddress

  private let isPipe: Bool
  /// Kept because the address is given up with the last listener of the socket.
  private var socket: ListeningSocket?
  private var accepted: ((Int32) -> Void)?
  private var failed: ((LoopError) -> Void)?

  /// Listens at `address` and accepts on this loop alone.
  package convenience init(
    at address: SocketAddress, on loop: EventLoop, _ accepted: @escaping (Int32) -> Void
  ) throws(LoopError) {
    try self.init(on: try ListeningSocket(at: address), loop: loop, accepted)
  }

  /// Accepts what comes to a socket. `accepted` gets the descriptor of each connection, on this loop, and owns it: give
  /// it to `SocketStream.adopting` on any loop, or to `Listener.refuse`. `failed` is called if nothing can be
  /// accepted now, and would be again at once: close the listener, and make another one after a moment.
  package init(
    on socket: ListeningSocket, loop: EventLoop, _ accepted: @escaping (Int32) -> Void,
    failed: @escaping (LoopError) -> Void = { _ in }
  ) throws(LoopError) {
    loop.checkIsOnLoop()
    address = socket.address
    self.socket = socket
    self.accepted = accepted
    self.failed = failed
    if case .unix = address { isPipe = true } else { isPipe = false }
    let isPipe = isPipe
    try super.init(isPipe ? UV_NAMED_PIPE : UV_TCP, on: loop, operation: "make a socket") { memory in
      isPipe
        ? uv_pipe_init(loop.raw, memory.pipe, 0)
        : uv_tcp_init(loop.raw, memory.tcp)
    }
    do throws(LoopError) {
      try listen(on: socket)
    } catch {
      close()
      throw error
    }
  }

  /// Closes a connection that no loop takes.
  package static func refuse(descriptor: Int32) { Descriptor.close(descriptor) }

  private var stream: UnsafeMutablePointer<uv_stream_t> { memory.stream }

  private func listen(on socket: ListeningSocket) throws(LoopError) {
    let operation = "listen at \(address)"
    // Each loop has a descriptor of its own, because libuv closes the one that it is given.
    let copy = try LoopError.checked(Descriptor.duplicate(socket.descriptor), operation)
    let opened = isPipe ? uv_pipe_open(memory.pipe, copy) : uv_tcp_open(memory.tcp, copy)
    if opened < 0 { Descriptor.close(copy) }
    try LoopError.check(opened, operation)
    let code = uv_listen(stream, 1024) { handle, status in
      guard let handle else { return }
      let listener = Listener.of(handle)
      if status < 0 {
        listener.failed?(LoopError(code: status, operation: "accept at \(listener.address)"))
      } else {
        listener.accept()
      }
    }
    try LoopError.check(code, operation)
  }

  /// Accepts one connection and hands a descriptor of it over, because libuv cannot move a handle to another loop.
  private func accept() {
    guard let connection = try? SocketStream(isPipe: isPipe, on: loop) else { return }
    defer { connection.close() }
    guard uv_accept(stream, connection.stream) == 0 else { return }
    var descriptor: Int32 = -1
    guard uv_fileno(connection.handle, &descriptor) == 0 else { return }
    let copy = Descriptor.duplicate(descriptor)
    if copy >= 0 { accepted?(copy) }
  }

  override func willClose() { socket = nil }

  override func didClose() {
    accepted = nil
    failed = nil
  }
}
