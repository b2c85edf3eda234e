internal import CLibuv

/// How a stream comes to be connected: by connecting, or by taking over a descriptor that a listener accepted.
///
/// Always true: a TCP stream has no delay and keeps alive; a stream that could not be connected is closed.
extension SocketStream {
  /// Connects to `address`. `completion` is called once, on the loop, unless the loop stops first.
  package static func connect(
    to address: SocketAddress, on loop: EventLoop,
    completion: @escaping (Result<SocketStream, LoopError>) -> Void
  ) throws(LoopError) {
    let attempt = ConnectAttempt(completion)
    switch address {
    case .unix(let path):
      let stream = try SocketStream(isPipe: true, on: loop)
      attempt.stream = stream
      uv_pipe_connect(
        attempt.retainedRequest(), stream.memory.pipe, path,
        ConnectAttempt.didConnect)
    case .internet(let host, let port):
      let stream = try SocketStream(isPipe: false, on: loop)
      attempt.stream = stream
      let code: Int32
      do throws(LoopError) {
        code = try SocketAddress.withSystemAddress(host: host, port: port) { address in
          uv_tcp_connect(
            attempt.retainedRequest(), stream.memory.tcp, address,
            ConnectAttempt.didConnect)
        }
      } catch {
        stream.close()
        throw error
      }
      if code < 0 {
        attempt.abandonRequest()
        stream.close()
        throw LoopError(code: code, operation: "connect to \(address)")
      }
    }
  }

  /// Takes over a connected socket, such as one that `Listener` accepted for another loop. Closes it on failure.
  package static func adopting(
    descriptor: Int32, isPipe: Bool, on loop: EventLoop
  ) throws(LoopError) -> SocketStream {
    let stream: SocketStream
    do throws(LoopError) {
      stream = try SocketStream(isPipe: isPipe, on: loop)
    } catch {
      Descriptor.close(descriptor)
      throw error
    }
    let code =
      isPipe
      ? uv_pipe_open(stream.memory.pipe, descriptor)
      : uv_tcp_open(stream.memory.tcp, descriptor)
    if code < 0 {
      Descriptor.close(descriptor)
      stream.close()
      throw LoopError(code: code, operation: "adopt a socket")
    }
    stream.tune()
    return stream
  }

  /// Small messages leave at once, and a peer that vanished is noticed within some minutes.
  func tune() {
    guard !isPipe else { return }
    uv_tcp_nodelay(memory.tcp, 1)
    uv_tcp_keepalive(memory.tcp, 1, 60)
  }
}

/// One attempt to connect; kept alive by libuv's request until its callback.
private final class ConnectAttempt {
  private let request: UnsafeMutablePointer<uv_connect_t>
  private let completion: (Result<SocketStream, LoopError>) -> Void
  var stream: SocketStream?

  init(_ completion: @escaping (Result<SocketStream, LoopError>) -> Void) {
    self.completion = completion
    request = .allocate(capacity: 1)
    request.initialize(to: uv_connect_t())
  }

  deinit { request.deallocate() }

  func retainedRequest() -> UnsafeMutablePointer<uv_connect_t> {
    // Retained because libuv holds only the pointer; `didConnect` releases it.
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    return request
  }

  func abandonRequest() {
    // Released because libuv refused the request and will not call back.
    Unmanaged.passUnretained(self).release()
  }

  static let didConnect: uv_connect_cb = { request, status in
    guard let data = request?.pointee.data else { return }
    // Taken back because `retainedRequest` retained it for this one call.
    let attempt = Unmanaged<ConnectAttempt>.fromOpaque(data).takeRetainedValue()
    guard let stream = attempt.stream else { return }
    attempt.stream = nil
    if status < 0 {
      stream.close()
      attempt.completion(.failure(LoopError(code: status, operation: "connect")))
    } else {
      stream.tune()
      attempt.completion(.success(stream))
    }
  }
}
