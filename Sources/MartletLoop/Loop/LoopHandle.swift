internal import CLibuv

/// The owner of one libuv handle: the memory, the Swift object behind its callbacks, and the end of both.
///
/// Always true: the C memory is freed in the close callback and never before; until then libuv's reference keeps this
/// object alive, so a callback never meets a freed one.
///
///     made ──▶ open ──close()──▶ closing ──close callback──▶ closed (memory freed, reference dropped)
// Not Sendable: a handle belongs to its loop's thread.
package class LoopHandle {
  package final let loop: EventLoop

  /// Valid until the close callback; `isClosing` is asked before it is used.
  final let memory: UnsafeMutableRawPointer

  package private(set) final var isClosing = false

  final var handle: UnsafeMutablePointer<uv_handle_t> { memory.handle }

  /// `start` is libuv's init function of the kind. If it fails the memory is freed and nothing is left behind.
  init(
    _ kind: uv_handle_type, on loop: EventLoop, operation: String,
    start: (UnsafeMutableRawPointer) -> Int32
  ) throws(LoopError) {
    self.loop = loop
    memory = .allocate(byteCount: uv_handle_size(kind), alignment: 16)
    let code = start(memory)
    guard code == 0 else {
      memory.deallocate()
      isClosing = true
      throw LoopError(code: code, operation: operation)
    }
    // Retained because libuv calls back through this pointer until the close callback, which releases it.
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Stops the handle; no callback but the close callback comes afterwards. Closing twice does nothing.
  package final func close() {
    loop.checkIsOnLoop()
    guard !isClosing else { return }
    isClosing = true
    willClose()
    uv_close(handle) { handle in
      // `!` because libuv passes the handle that was closed, and its data was set when it was made.
      let owner = Unmanaged<LoopHandle>.fromOpaque(handle!.pointee.data)
      let object = owner.takeUnretainedValue()
      object.memory.deallocate()
      object.didClose()
      owner.release()
    }
  }

  /// Called when closing begins.
  func willClose() {}

  /// Called when the memory is gone: drops what would keep other objects alive.
  func didClose() {}

  /// The object behind a handle in one of its callbacks.
  @inline(__always)
  static func of<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> Self {
    let data = UnsafeMutableRawPointer(handle).handle.pointee.data
    // `!` because the initialiser set the data before any callback could come; the cast is unchecked because only
    // handles of this class call this class's callbacks.
    return unsafeDowncast(Unmanaged<LoopHandle>.fromOpaque(data!).takeUnretainedValue(), to: Self.self)
  }

  /// Closes every handle that the loop still has.
  static func closeAll(of loop: EventLoop) {
    loop.checkIsOnLoop()
    uv_walk(
      loop.raw,
      { handle, _ in
        guard let handle, let data = handle.pointee.data else { return }
        // Unretained because libuv's own reference lasts until the close callback.
        Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue().close()
      }, nil)
  }
}
