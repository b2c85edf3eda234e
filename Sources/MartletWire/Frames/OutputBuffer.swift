internal import MartletProtocol

/// Bytes on their way out: grows as messages are appended and keeps its memory from one flush to the next.
///
/// Always true: the first `count` bytes are whole frames, because a frame is counted only when it is complete.
package final class OutputBuffer {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int

  package private(set) var count = 0

  package init(capacity: Int = 512) {
    self.capacity = max(64, capacity)
    memory = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  package var isEmpty: Bool { count == 0 }

  /// All bytes in the buffer; valid until the buffer is changed.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  package func removeAll() {
    count = 0
    if capacity > WireLimits.keptOutputBytesMax {
      memory.deallocate()
      capacity = 512
      memory = .allocate(byteCount: capacity, alignment: 16)
    }
  }

  /// Appends a frame around `length` bytes that `body` writes, exactly.
  @inline(__always)
  func appendFrame(length: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    let total = Frame.headerBytes + length
    if capacity - count < total { grow(by: total) }
    let place = memory + count
    Frame.writeHeader(length: length, at: place)
    body(place + Frame.headerBytes)
    count += total
  }

  package func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (memory + count).copyMemory(from: base, byteCount: bytes.count)
    count += bytes.count
  }

  private func grow(by extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    fresh.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = fresh
    capacity = larger
  }
}
