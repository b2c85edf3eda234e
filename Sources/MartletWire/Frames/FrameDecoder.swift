internal import MartletProtobuf
package import MartletProtocol

/// Cuts a byte stream into frames, however the stream was split.
///
/// Always true: memory grows with the bytes that arrived and never with a length that was only claimed; a frame that
/// lies whole in the input is handed out in place.
///
/// Use: `feed` the bytes of one read, call `next` until it returns nil, then `keepRest`. A consumer that cannot take
/// more stops calling `next` at any point; what is left is kept, and `next` goes on with it after the next `feed` (of
/// no bytes, if need be).
package struct FrameDecoder {
  /// The longest message that is taken, without its header.
  package var frameBytesMax: Int

  /// Bytes of frames that are not whole yet, or that nobody has taken yet. Always begins with a header.
  private var kept: [UInt8] = []
  private var keptStart = 0

  /// How many bytes of a frame that is passed over have not arrived yet.
  private var passingBytes = 0

  /// The bytes of this turn. Valid until `keepRest`, because whoever feeds them calls that before their memory, the
  /// loop's or that of TLS, takes the next bytes; nothing refers to it afterwards.
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)

  package init(frameBytesMax: Int) { self.frameBytesMax = frameBytesMax }

  /// Bytes that wait for the rest of their frame, or for a consumer.
  package var keptBytes: Int { kept.count - keptStart }

  /// Nothing is left of what arrived.
  package var isEmpty: Bool { keptBytes == 0 && input.isEmpty }

  package mutating func feed(_ bytes: UnsafeRawBufferPointer) { input = bytes }

  /// Passes over the next frame if it is longer than `bytes` and not whole yet: what is kept of it is dropped, and the
  /// rest is thrown away as it arrives. Returns the request's id, which stands first in every client's message; 0 if it
  /// does not; nil if there is no such frame.
  package mutating func passOver(framesLongerThan bytes: Int) throws(FrameError) -> UInt32? {
    guard passingBytes == 0 else { return nil }
    let wanted = Frame.headerBytes + Self.idBytes
    if keptBytes > 0 { takeInput(upTo: wanted) } else if keptStart > 0 { releaseKept() }
    let isKept = keptBytes > 0
    let start = keptStart
    let head: [UInt8] = isKept ? Array(kept[start...].prefix(wanted)) : Array(input.prefix(wanted))
    guard head.count == wanted else { return nil }
    guard head[0] == 0 else { throw .unknownFlags(head[0]) }
    let length = head[1..<Frame.headerBytes].reduce(0) { $0 << 8 | Int($1) }
    guard length <= frameBytesMax else { throw .tooLong(bytes: length, limit: frameBytesMax) }
    let total = Frame.headerBytes + length
    guard length > bytes, keptBytes + input.count < total else { return nil }
    passingBytes = total - keptBytes - input.count
    kept = []
    keptStart = 0
    input = UnsafeRawBufferPointer(start: nil, count: 0)
    guard UInt64(head[Frame.headerBytes]) == Self.idKey else { return 0 }
    return head.dropFirst(Frame.headerBytes + 1).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// What the first field of every client's message begins with, in one byte.
  private static let idKey = WireKey.encoded(Fields.ClientMessage.requestID, .fixed32)
  /// The bytes of that key and of its number.
  private static let idBytes = 5

  /// The next whole message, without its header; nil if there is none yet. It is valid until the next call.
  package mutating func next() throws(FrameError) -> UnsafeRawBufferPointer? {
    if passingBytes > 0 {
      let passed = min(passingBytes, input.count)
      passingBytes -= passed
      input = UnsafeRawBufferPointer(rebasing: input[passed...])
      if passingBytes > 0 { return nil }
    }
    if keptBytes > 0 { return try nextKept() }
    if keptStart > 0 { releaseKept() }
    guard input.count >= Frame.headerBytes, let base = input.baseAddress else { return nil }
    let length = try checked(Frame.length(inHeader: base), flags: input[0])
    let total = Frame.headerBytes + length
    guard input.count >= total else { return nil }
    let frame = UnsafeRawBufferPointer(start: base + Frame.headerBytes, count: length)
    input = UnsafeRawBufferPointer(rebasing: input[total...])
    return frame
  }

  /// Copies what is left of the input, whose memory belongs to the caller again.
  package mutating func keepRest() {
    if keptStart > 0 {
      kept.removeFirst(keptStart)
      keptStart = 0
    }
    kept.append(contentsOf: input)
    input = UnsafeRawBufferPointer(start: nil, count: 0)
    if kept.isEmpty { releaseKept() }
  }

  /// The next frame of the kept bytes, with as many bytes of the input as it lacks.
  private mutating func nextKept() throws(FrameError) -> UnsafeRawBufferPointer? {
    takeInput(upTo: Frame.headerBytes)
    guard keptBytes >= Frame.headerBytes else { return nil }
    let start = keptStart
    // `!` because the header's five bytes are there.
    let length = try checked(
      kept.withUnsafeBytes { Frame.length(inHeader: $0.baseAddress! + start) }, flags: kept[start])
    takeInput(upTo: Frame.headerBytes + length)
    guard keptBytes >= Frame.headerBytes + length else { return nil }
    keptStart += Frame.headerBytes + length
    // It may leave the closure because the array is neither changed nor released before the decoder's next call, and
    // what is handed out is valid until then only.
    return kept.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[start + Frame.headerBytes..<keptStart]) }
  }

  /// Moves bytes of the input to the kept ones until these are `count`, or the input is empty.
  private mutating func takeInput(upTo count: Int) {
    let missing = min(count - keptBytes, input.count)
    guard missing > 0 else { return }
    kept.append(contentsOf: input[..<missing])
    input = UnsafeRawBufferPointer(rebasing: input[missing...])
  }

  private func checked(_ length: Int?, flags: UInt8) throws(FrameError) -> Int {
    guard let length else { throw .unknownFlags(flags) }
    guard length <= frameBytesMax else { throw .tooLong(bytes: length, limit: frameBytesMax) }
    return length
  }

  private mutating func releaseKept() {
    kept.removeAll(keepingCapacity: kept.capacity <= WireLimits.keptFrameBytesMax)
    keptStart = 0
  }
}
