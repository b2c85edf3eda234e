internal import CLibuv

/// Raw memory as the C structures that libuv and the system see in it.
///
/// Always true: `LoopHandle` allocates a handle's memory with the size of its kind, so each view is of what is there;
/// addresses and buffers are views of bytes, which have no type to violate.
extension UnsafeMutableRawPointer {
  // Each view of a handle is sound because the memory was allocated for the kind that its user made it for.
  var handle: UnsafeMutablePointer<uv_handle_t> { assumingMemoryBound(to: uv_handle_t.self) }
  var stream: UnsafeMutablePointer<uv_stream_t> { assumingMemoryBound(to: uv_stream_t.self) }
  var tcp: UnsafeMutablePointer<uv_tcp_t> { assumingMemoryBound(to: uv_tcp_t.self) }
  // Sound because the memory was allocated for a handle of this kind.
  var pipe: UnsafeMutablePointer<uv_pipe_t> { assumingMemoryBound(to: uv_pipe_t.self) }
  var poll: UnsafeMutablePointer<uv_poll_t> { assumingMemoryBound(to: uv_poll_t.self) }
  var timer: UnsafeMutablePointer<uv_timer_t> { assumingMemoryBound(to: uv_timer_t.self) }
  var async: UnsafeMutablePointer<uv_async_t> { assumingMemoryBound(to: uv_async_t.self) }
  // Sound because the memory was allocated for a handle of this kind.
  var signal: UnsafeMutablePointer<uv_signal_t> { assumingMemoryBound(to: uv_signal_t.self) }

  // Sound because the system reads addresses and buffers as bytes, through pointers of these types.
  var systemAddress: UnsafeMutablePointer<sockaddr> { assumingMemoryBound(to: sockaddr.self) }
  var systemAddress4: UnsafeMutablePointer<sockaddr_in> { assumingMemoryBound(to: sockaddr_in.self) }
  // Sound because the system reads addresses and buffers as bytes.
  var systemAddress6: UnsafeMutablePointer<sockaddr_in6> { assumingMemoryBound(to: sockaddr_in6.self) }
  var characters: UnsafeMutablePointer<CChar> { assumingMemoryBound(to: CChar.self) }
}
