internal import CLibuv

/// One connected socket, TCP or Unix: reads into its loop's buffer, writes what it can at once and queues the rest.
///
/// Always true: `streamClosed` is the handler's last call and comes exactly once; after `close()` nothing else comes.
package final class SocketStream: LoopHandle {
  /// Kept alive until the stream is closed.
  package var handler: (any StreamHandler)?

  /// Whether bytes are being read; see `pauseReading`.
  package private(set) var isReading = false

  let isPipe: Bool

  var stream: UnsafeMutablePointer<uv_stream_t> { memory.stream }

  /// An unconnected socket of the kind.
  init(isPipe: Bool, on loop: EventLoop) throws(LoopError) {
    loop.checkIsOnLoop()
    self.isPipe = isPipe
    try super.init(isPipe ? UV_NAMED_PIPE : UV_TCP, on: loop, operation: "make a socket") { memory in
      isPipe
        ? uv_pipe_init(loop.raw, memory.pipe, 0)
        : uv_tcp_init(loop.raw, memory.tcp)
    }
  }

  override func didClose() {
    let last = handler
    handler = nil
    last?.streamClosed(self)
  }
}

/// What a stream tells its owner, on the loop's thread.
package protocol StreamHandler: AnyObject {
  /// The bytes are the loop's and gone after the call.
  func streamRead(_ bytes: UnsafeRawBufferPointer, from stream: SocketStream)
  /// The peer sent its end (nil) or the connection broke. The stream stays open until `close()`.
  func streamEnded(_ error: LoopError?, _ stream: SocketStream)
  /// Some queued bytes were written; `queuedBytes` tells how many still wait.
  func streamWrote(_ stream: SocketStream)
  func streamClosed(_ stream: SocketStream)
}

// MARK: - Reading

extension SocketStream {
  package func startReading() {
    loop.checkIsOnLoop()
    guard !isClosing, !isReading else { return }
    isReading = true
    uv_read_start(
      stream,
      { handle, _, buffer in
        guard let handle, let buffer else { return }
        let loop = SocketStream.of(handle).loop
        let count = min(loop.readBuffer.count, max(1, loop.readBytesMax))
        buffer.pointee = uv_buf_init(loop.readBuffer.baseAddress?.characters, UInt32(count))
      },
      { handle, count, _ in
        guard let handle else { return }
        SocketStream.of(handle).didRead(count)
      })
  }

  /// Back-pressure: what the peer sends stays with the system, and then with the peer.
  package func pauseReading() {
    loop.checkIsOnLoop()
    guard !isClosing, isReading else { return }
    isReading = false
    uv_read_stop(stream)
  }

  /// Bytes have come that the loop has not read yet, though it reads the stream.
  package var hasUnreadBytes: Bool {
    loop.checkIsOnLoop()
    var descriptor: Int32 = -1
    guard isReading, !isClosing, uv_fileno(handle, &descriptor) == 0 else { return false }
    return Descriptor.hasUnreadBytes(descriptor)
  }

  /// The peer has sent its end or is gone, which a stream that is not read is not told.
  package var hasPeerLeft: Bool {
    loop.checkIsOnLoop()
    var descriptor: Int32 = -1
    guard !isClosing, uv_fileno(handle, &descriptor) == 0 else { return false }
    return Descriptor.hasPeerLeft(descriptor)
  }

  /// The same of a socket that no stream has yet.
  package static func hasPeerLeft(_ descriptor: Int32) -> Bool { Descriptor.hasPeerLeft(descriptor) }

  private func didRead(_ count: Int) {
    if count > 0 {
      handler?.streamRead(UnsafeRawBufferPointer(rebasing: loop.readBuffer[..<count]), from: self)
    } else if count < 0 {
      pauseReading()
      handler?.streamEnded(
        count == Int(UV_EOF.rawValue) ? nil : LoopError(code: Int32(clamping: count), operation: "read"), self)
    }
  }
}

// MARK: - Writing

extension SocketStream {
  /// Bytes that the system has not taken yet.
  package var queuedBytes: Int { isClosing ? 0 : uv_stream_get_write_queue_size(stream) }

  /// Writes what the socket takes at once and queues a copy of the rest. A broken connection shows in `streamEnded`.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    loop.checkIsOnLoop()
    guard !isClosing, let base = bytes.baseAddress, bytes.count > 0 else { return }
    var written = 0
    while written < bytes.count, uv_stream_get_write_queue_size(stream) == 0 {
      let part = min(bytes.count - written, LoopLimits.writeBytesMax)
      // The cast drops const because libuv's buffer has none; a write only reads.
      var buffer = uv_buf_init(
        UnsafeMutableRawPointer(mutating: base + written).characters, UInt32(part))
      let count = uv_try_write(stream, &buffer, 1)
      if count < 0 && count != UV_EAGAIN.rawValue { return fail(count) }
      if count <= 0 { break }
      written += Int(count)
    }
    if written < bytes.count { queue(UnsafeRawBufferPointer(rebasing: bytes[written...])) }
  }

  private func queue(_ bytes: UnsafeRawBufferPointer) {
    // One block holds the request and, behind it, the bytes; the write callback frees it.
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<uv_write_t>.stride + bytes.count, alignment: 16)
    let request = block.bindMemory(to: uv_write_t.self, capacity: 1)
    let copy = block + MemoryLayout<uv_write_t>.stride
    UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
    var buffer = uv_buf_init(copy.characters, UInt32(clamping: bytes.count))
    let code = uv_write(request, stream, &buffer, 1) { request, status in
      guard let request, let handle = request.pointee.handle else { return }
      let stream = SocketStream.of(handle)
      UnsafeMutableRawPointer(request).deallocate()
      stream.didWrite(status)
    }
    if code < 0 {
      block.deallocate()
      fail(code)
    }
  }

  /// Sends the end of the stream after what is queued. The peer's own bytes may still come.
  package func finishWriting() {
    loop.checkIsOnLoop()
    guard !isClosing else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let code = uv_shutdown(request, stream) { request, _ in request?.deallocate() }
    if code < 0 { request.deallocate() }
  }

  private func didWrite(_ status: Int32) {
    guard !isClosing else { return }
    if status < 0 { return fail(status) }
    handler?.streamWrote(self)
  }

  /// Reports a broken connection from the loop's next turn, so that a writer is never called back while it writes.
  private func fail(_ code: Int32) {
    pauseReading()
    // Not Sendable, and sound because the closure runs on the loop that the stream belongs to.
    nonisolated(unsafe) let stream = self
    loop.post {
      guard !stream.isClosing else { return }
      stream.handler?.streamEnded(LoopError(code: code, operation: "write"), stream)
    }
  }
}
