/// A transport without a socket: what sessions send is kept in arrays, and frames come from the test. It carries as
/// many sessions as the test makes on it.
import Foundation
import MartletProtocol
import MartletTestSupport
import MartletValues

@testable import MartletServer

// Unchecked because all of it is touched on the loop's thread only.
final class ArrayTransport: Transport, @unchecked Sendable {
  struct Line {
    var sent: [UInt8] = []
    var queued = 0
    var waiting: [[UInt8]] = []
    var isPaused = false
    var isFinished = false
    var isClosed = false
    var hasPeerLeft = false
  }

  var lines: [UInt64: Line] = [:]
  /// What each send is longer by on its way, as with TLS.
  var overhead = 0
  /// The peer takes nothing.
  var isStuck = false

  /// Bytes that came for one session, as whole frames.
  func receive(_ frames: [[UInt8]], for host: SessionHost) {
    lines[host.id, default: Line()].waiting += frames
    let now = ServerClock.now
    takeWaitingFrames(of: host, now: now)
    host.flush(now: now)
  }

  func takeWaitingFrames(of host: SessionHost, now: MonotonicTime) {
    var taken = 0
    while let next = lines[host.id]?.waiting.first, host.takesFrames() {
      lines[host.id]?.waiting.removeFirst()
      taken += 1
      next.dropFirst(Frame.headerBytes).withUnsafeBytes { host.frameReceived($0, now: now) }
    }
    if taken > 0 { host.inputRested(partialBytes: 0, framesTaken: taken, now: now) }
  }

  func send(_ frames: UnsafeRawBufferPointer, of host: SessionHost) -> Int {
    lines[host.id, default: Line()].sent += frames
    let count = frames.count + overhead
    if isStuck { lines[host.id]?.queued += count }
    return count
  }

  func queuedBytes(of host: SessionHost) -> Int { lines[host.id]?.queued ?? 0 }

  func waitingBytes(of host: SessionHost) -> Int { lines[host.id]?.waiting.reduce(0) { $0 + $1.count } ?? 0 }

  func setFrameLimit(_ bytes: Int, of host: SessionHost) {}

  func pauseReading(of host: SessionHost) { lines[host.id, default: Line()].isPaused = true }

  func resumeReading(of host: SessionHost) { lines[host.id, default: Line()].isPaused = false }

  func hasInputUnderWay(of host: SessionHost) -> Bool { false }

  func hasPeerLeft(of host: SessionHost) -> Bool { lines[host.id]?.hasPeerLeft ?? false }

  func finishWriting(of host: SessionHost) { lines[host.id, default: Line()].isFinished = true }

  func close(_ host: SessionHost) { lines[host.id, default: Line()].isClosed = true }
}
