/// Sockets over loopback: echo, big writes, back-pressure, shared ports, stale Unix sockets.
///
/// Always true: ports are the system's choice and paths are fresh, so tests run side by side.
import Foundation
import MartletLoop
import Testing

@Suite struct SocketTests {
  @Test(arguments: [false, true])
  func `an echo comes back byte for byte, also when it is far larger than any buffer`(unix: Bool) async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let address = unix ? SocketAddress.unix(path: temporaryPath()) : .internet(host: "127.0.0.1", port: 0)
    let sent = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let received: [UInt8] = try await withCheckedThrowingContinuation { done in
      loop.post {
        do {
          let listener = try Listener(at: address, on: loop) { descriptor in
            guard let stream = try? SocketStream.adopting(descriptor: descriptor, isPipe: unix, on: loop) else {
              return
            }
            stream.handler = Echo()
            stream.startReading()
          }
          #expect(!listener.address.description.hasSuffix(":0"))
          try SocketStream.connect(to: listener.address, on: loop) { result in
            guard let stream = try? result.get() else { return done.resume(returning: []) }
            let collector = Collector(expecting: sent.count) { bytes in
              stream.close()
              listener.close()
              done.resume(returning: bytes)
            }
            stream.handler = collector
            stream.startReading()
            sent.withUnsafeBytes { stream.write($0) }
            #expect(stream.queuedBytes > 0)
          }
        } catch {
          done.resume(throwing: error)
        }
      }
    }
    #expect(received == sent)
  }

  @Test func `a stream that pauses reading gets nothing until it resumes, and then everything`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let outcome: (Bool, Int) = try await withCheckedThrowingContinuation { done in
      loop.post {
        do {
          let listener = try Listener(at: .internet(host: "localhost", port: 0), on: loop) { descriptor in
            guard let stream = try? SocketStream.adopting(descriptor: descriptor, isPipe: false, on: loop) else {
              return
            }
            stream.handler = Collector(expecting: 1) { _ in }
            [UInt8](repeating: 7, count: 100).withUnsafeBytes { stream.write($0) }
          }
          try SocketStream.connect(to: listener.address, on: loop) { result in
            guard let stream = try? result.get() else { return }
            var resumed = false
            stream.handler = Collector(expecting: 100) { done.resume(returning: (resumed, $0.count)) }
            stream.startReading()
            stream.pauseReading()
            // Several turns of the loop, in which the bytes have arrived.
            let timer = try? LoopTimer(on: loop) {
              resumed = true
              stream.startReading()
            }
            timer?.start(afterMs: 5)
          }
        } catch {
          done.resume(throwing: error)
        }
      }
    }
    #expect(outcome == (true, 100))
  }

  @Test(arguments: [
    SocketAddress.internet(host: "127.0.0.1", port: 0), .internet(host: "::1", port: 0), .unix(path: ""),
  ])
  func `loops share one socket, and no other socket gets its address`(_ wanted: SocketAddress) async throws {
    let loops = [try EventLoop(label: "a"), try EventLoop(label: "b")]
    defer { loops.forEach { $0.shutDown() } }
    let address = wanted == .unix(path: "") ? .unix(path: temporaryPath()) : wanted
    let socket: ListeningSocket
    do throws(LoopError) { socket = try ListeningSocket(at: address) } catch {
      // A machine may be without IPv6.
      return #expect(error.isAddressMissing)
    }
    for loop in loops {
      _ = try await loop.run { try Listener(on: socket, loop: loop, .init { Listener.refuse(descriptor: $0) }).address }
    }
    let error = #expect(throws: LoopError.self) { try ListeningSocket(at: socket.address) }
    #expect(error?.isAddressInUse == true)
  }

  @Test func `of many that want one Unix socket at once one gets it, a dead server's file or not`() async throws {
    for round in 0..<50 {
      let path = temporaryPath()
      if round % 2 == 0 { makeStaleSocket(at: path) }
      let won = await withTaskGroup(of: ListeningSocket?.self) { group in
        for _ in 0..<8 { group.addTask { try? ListeningSocket(at: .unix(path: path)) } }
        var winners: [ListeningSocket] = []
        for await socket in group { if let socket { winners.append(socket) } }
        return winners
      }
      #expect(won.count == 1)
      #expect(throws: LoopError.self) { try ListeningSocket(at: .unix(path: path)) }
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      withExtendedLifetime(won) {}
    }
  }

  @Test func `a socket's files go with it`() throws {
    let path = temporaryPath()
    var socket: ListeningSocket? = try ListeningSocket(at: .unix(path: path))
    #expect(socket?.address == .unix(path: path))
    socket = nil
    for left in [path, path + ".lock"] { #expect(!FileManager.default.fileExists(atPath: left)) }
  }

  @Test func `the socket file of a dead server is replaced and that of a live one is not`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let path = temporaryPath()
    makeStaleSocket(at: path)
    try await loop.run { _ = try Listener(at: .unix(path: path), on: loop) { Listener.refuse(descriptor: $0) } }
    await #expect(throws: LoopError.self) {
      try await loop.run { _ = try Listener(at: .unix(path: path), on: loop) { _ in } }
    }
    let regular = temporaryPath()
    #expect(FileManager.default.createFile(atPath: regular, contents: Data("kept".utf8)))
    await #expect(throws: LoopError.self) {
      try await loop.run { _ = try Listener(at: .unix(path: regular), on: loop) { _ in } }
    }
    #expect(FileManager.default.contents(atPath: regular) == Data("kept".utf8))
    try FileManager.default.removeItem(atPath: regular)
  }

  @Test func `connecting to nobody fails with the system's reason`() async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    let error: LoopError? = try await withCheckedThrowingContinuation { done in
      loop.post {
        do {
          // A port that was the system's choice a moment ago and that nobody listens at any more.
          let listener = try Listener(at: .internet(host: "127.0.0.1", port: 0), on: loop) { _ in }
          let address = listener.address
          listener.close()
          try SocketStream.connect(to: address, on: loop) { result in
            if case .failure(let error) = result { done.resume(returning: error) } else { done.resume(returning: nil) }
          }
        } catch {
          done.resume(throwing: error)
        }
      }
    }
    #expect(error?.code == -ECONNREFUSED)
  }

  @Test(arguments: ["example.org", "127.0.0.256", "", "fe80::1::2"])
  func `a host that is no numeric address is refused`(host: String) async throws {
    let loop = try EventLoop(label: "test")
    defer { loop.shutDown() }
    await #expect(throws: LoopError.self) {
      try await loop.run { _ = try Listener(at: .internet(host: host, port: 0), on: loop) { _ in } }
    }
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.9.9.9", true), ("localhost", true), ("::1", true), ("0.0.0.0", false), ("::", false),
    ("10.0.0.1", false), ("nonsense", false),
  ])
  func `loopback is told from the rest`(host: String, isLoopback: Bool) {
    #expect(SocketAddress.internet(host: host, port: 1).isLoopback == isLoopback)
  }
}

private final class Echo: StreamHandler {
  func streamRead(_ bytes: UnsafeRawBufferPointer, from stream: SocketStream) { stream.write(bytes) }
  func streamEnded(_ error: LoopError?, _ stream: SocketStream) { stream.close() }
  func streamWrote(_ stream: SocketStream) {}
  func streamClosed(_ stream: SocketStream) {}
}

private final class Collector: StreamHandler {
  private var bytes: [UInt8] = []
  private let count: Int
  private let done: ([UInt8]) -> Void

  init(expecting count: Int, _ done: @escaping ([UInt8]) -> Void) {
    self.count = count
    self.done = done
  }

  func streamRead(_ bytes: UnsafeRawBufferPointer, from stream: SocketStream) {
    self.bytes.append(contentsOf: bytes)
    if self.bytes.count == count { done(self.bytes) }
  }
  func streamEnded(_ error: LoopError?, _ stream: SocketStream) { stream.close() }
  func streamWrote(_ stream: SocketStream) {}
  func streamClosed(_ stream: SocketStream) {}
}

private func temporaryPath() -> String {
  NSTemporaryDirectory() + "martlet-\(UInt64.random(in: 0 ... .max)).sock"
}

/// Binds a Unix socket and goes away without removing its file, as a killed server does.
private func makeStaleSocket(at path: String) {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  #expect(bound == 0)
  close(descriptor)
}
