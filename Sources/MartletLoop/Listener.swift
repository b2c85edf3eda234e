/// A listening socket of one loop, TCP or Unix.
///
/// Always true: a connection that was accepted is handed over or closed; running out of descriptors refuses
/// connections and never spins (libuv gives up its spare descriptor for the moment).
internal import CLibuv

public final class Listener: LoopHandle {
  /// Where it listens, with the port that the system chose.
  public private(set) var address: SocketAddress

  private let isPipe: Bool
  private var accepted: ((Int32) -> Void)?

  /// Listens at `address`. `accepted` gets the descriptor of each connection, on this loop, and owns it: give it to
  /// `SocketStream.adopting` on any loop, or to `Listener.refuse`.
  ///
  /// Several loops may listen at one TCP port: the system spreads connections over them.
  public init(
    at address: SocketAddress, on loop: EventLoop, backlog: Int32 = 1024, _ accepted: @escaping (Int32) -> Void
  ) throws(LoopError) {
    loop.checkIsOnLoop()
    self.address = address
    self.accepted = accepted
    if case .unix = address { isPipe = true } else { isPipe = false }
    let isPipe = isPipe
    try super.init(isPipe ? UV_NAMED_PIPE : UV_TCP, on: loop, operation: "make a socket") { memory in
      isPipe
        ? uv_pipe_init(loop.raw, memory.pipe, 0)
        : uv_tcp_init(loop.raw, memory.tcp)
    }
    do throws(LoopError) {
      try bind()
      try listen(backlog: backlog)
    } catch {
      close()
      throw error
    }
  }

  /// Closes a connection that no loop takes.
  public static func refuse(descriptor: Int32) { Descriptor.close(descriptor) }

  private var stream: UnsafeMutablePointer<uv_stream_t> { memory.stream }
  private var tcp: UnsafeMutablePointer<uv_tcp_t> { memory.tcp }

  private func bind() throws(LoopError) {
    switch address {
    case .unix(let path):
      try Descriptor.removeStaleSocket(at: path)
      try LoopError.check(
        uv_pipe_bind(memory.pipe, path), "listen at \(path)")
    case .internet(let host, let port):
      let name = address.description
      let tcp = tcp
      let code = try SocketAddress.withSystemAddress(host: host, port: port) { address in
        // libuv 1.44 has no flag for it, so the socket is made here to share its port before it is bound.
        let descriptor = Descriptor.sharedPortSocket(family: Int32(address.pointee.sa_family))
        guard descriptor >= 0 else { return descriptor }
        let opened = uv_tcp_open(tcp, descriptor)
        if opened < 0 {
          Descriptor.close(descriptor)
          return opened
        }
        return uv_tcp_bind(tcp, address, 0)
      }
      try LoopError.check(code, "listen at \(name)")
    }
  }

  private func listen(backlog: Int32) throws(LoopError) {
    let code = uv_listen(stream, backlog) { handle, status in
      guard let handle, status == 0 else { return }
      Listener.of(handle).accept()
    }
    try LoopError.check(code, "listen at \(address)")
    guard !isPipe else { return }
    var storage = sockaddr_storage()
    var length = Int32(MemoryLayout<sockaddr_storage>.size)
    let named = withUnsafeMutableBytes(of: &storage) { bytes in
      uv_tcp_getsockname(tcp, bytes.baseAddress?.systemAddress, &length)
    }
    try LoopError.check(named, "read the port of \(address)")
    if let bound = SocketAddress.reading(&storage) { address = bound }
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

  override func didClose() { accepted = nil }
}
