internal import CMartletProto

/// Memory for one message's protobuf-c structures: handed out by moving a pointer, taken back all at once.
///
/// Always true: no more than `budgetBytes` is handed out between two resets, whatever a peer sent; beyond it
/// protobuf-c is told that memory ran out and gives up the message.
package final class Arena {
  /// Bytes that may be handed out until the next reset.
  var budgetBytes: Int

  private(set) var usedBytes = 0
  /// Whether a request was refused since the last reset.
  private(set) var isExhausted = false

  private let first: UnsafeMutableRawBufferPointer
  private var current: UnsafeMutableRawBufferPointer
  private var offset = 0
  /// Blocks beyond the first; freed at the reset.
  private var more: [UnsafeMutableRawBufferPointer] = []
  private let allocator: UnsafeMutablePointer<ProtobufCAllocator>

  init(budgetBytes: Int, firstBlockBytes: Int = WireLimits.arenaBytesMin) {
    self.budgetBytes = budgetBytes
    first = .allocate(byteCount: firstBlockBytes, alignment: 16)
    current = first
    allocator = .allocate(capacity: 1)
    allocator.initialize(
      to: ProtobufCAllocator(
        alloc: { context, size in
          // Unretained because the arena outlives every call that it is passed to.
          guard let context else { return nil }
          return Unmanaged<Arena>.fromOpaque(context).takeUnretainedValue().allocate(size)
        },
        free: { _, _ in }, allocator_data: nil))
    // Unretained because the allocator is a part of the arena and goes with it.
    allocator.pointee.allocator_data = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    reset()
    first.deallocate()
    allocator.deallocate()
  }

  /// For protobuf-c's unpacking.
  var protobufAllocator: UnsafeMutablePointer<ProtobufCAllocator> { allocator }

  /// Takes everything back.
  @inline(__always)
  func reset() {
    offset = 0
    usedBytes = 0
    isExhausted = false
    if !more.isEmpty { releaseMore() }
  }

  /// Takes back what a large message needed, so that it is not kept until the next message comes.
  @inline(__always)
  func trim() { if !more.isEmpty { reset() } }

  private func releaseMore() {
    for block in more { block.deallocate() }
    more.removeAll(keepingCapacity: true)
    current = first
  }

  /// `size` bytes at a multiple of 16; nil if the budget is used up.
  @inline(__always)
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    guard size >= 0, size <= budgetBytes - usedBytes else {
      isExhausted = true
      return nil
    }
    // At least 1 byte, because protobuf-c takes a null pointer for a failure also if it asked for nothing.
    let rounded = (max(size, 1) + 15) & ~15
    usedBytes += rounded
    if current.count - offset < rounded { addBlock(rounded) }
    defer { offset += rounded }
    return current.baseAddress.map { $0 + offset }
  }

  private func addBlock(_ bytes: Int) {
    let doubled = min(WireLimits.arenaBlockBytesMax, current.count * 2)
    current = .allocate(byteCount: max(bytes, doubled), alignment: 16)
    more.append(current)
    offset = 0
  }
}

// MARK: - For encoding

extension Arena {
  /// Encoding is of our own making and of bounded size, so it runs without a budget and never fails.
  package convenience init() { self.init(budgetBytes: .max) }

  /// Room for `count` values of a C type.
  @inline(__always)
  func make<T>(_ type: T.Type, count: Int = 1) -> UnsafeMutablePointer<T> {
    let memory = allocate(MemoryLayout<T>.stride * count)
    // `!` because an encoder's arena has no budget to run out of.
    return memory!.bindMemory(to: type, capacity: count)
  }

  /// A C string of the text, up to its first NUL.
  func string(_ text: String) -> UnsafeMutablePointer<CChar> {
    var text = text
    return text.withUTF8 { utf8 in
      let copy = make(CChar.self, count: utf8.count + 1)
      UnsafeMutableRawBufferPointer(start: copy, count: utf8.count).copyMemory(from: UnsafeRawBufferPointer(utf8))
      copy[utf8.count] = 0
      return copy
    }
  }

  func bytes(_ bytes: UnsafeRawBufferPointer) -> ProtobufCBinaryData {
    let copy = make(UInt8.self, count: bytes.count)
    UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
    return ProtobufCBinaryData(len: bytes.count, data: copy)
  }
}

// MARK: - Bytes as protobuf-c sees them

extension UnsafeRawBufferPointer {
  /// Sound because every memory may be looked at as bytes.
  var octets: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
  /// Sound because every memory may be looked at as bytes.
  var octets: UnsafeMutablePointer<UInt8> { assumingMemoryBound(to: UInt8.self) }
}
