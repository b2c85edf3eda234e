/// A look at a serialized tree before it is decoded: how deep it is, how many messages it has, and whether any that may
/// stand once stands twice.
///
/// Always true: no recursion, no allocation that grows with the input beyond its depth, and time linear in its bytes. A
/// decoder that merges a repeated `oneof` copies what it has each time, so 160 KB of one would cost it half a minute.
struct WireScan {
  enum Finding: Equatable {
    case sound
    case malformed
    case tooDeep
    case tooMany
  }

  private struct Level {
    var end: Int
    var message: Int
    /// A bit for each field that may stand once and has.
    var seen: UInt64 = 0
  }

  private let bytes: UnsafeRawBufferPointer
  private let depthMax: Int
  private let messagesMax: Int
  private var position = 0
  private var levels: [Level] = []
  private var messages = 1

  private init(_ bytes: UnsafeRawBufferPointer, depthMax: Int, messagesMax: Int) {
    self.bytes = bytes
    self.depthMax = depthMax
    self.messagesMax = messagesMax
    levels.reserveCapacity(32)
    levels.append(Level(end: bytes.count, message: 0))
  }

  static func scan(_ bytes: UnsafeRawBufferPointer, depthMax: Int, messagesMax: Int) -> Finding {
    var scan = WireScan(bytes, depthMax: depthMax, messagesMax: messagesMax)
    while let level = scan.levels.last {
      if scan.position == level.end {
        scan.levels.removeLast()
      } else if let finding = scan.field(in: level) {
        return finding
      }
    }
    return .sound
  }

  /// Steps over one field, or into it where it is a message; nil where all is well.
  private mutating func field(in level: Level) -> Finding? {
    // A larger number would be another field to a decoder that keeps 32 bits of it.
    guard let tag = varint(before: level.end), tag >= 8, tag <= UInt64(UInt32.max) else { return .malformed }
    switch tag & 7 {
    case 0: return varint(before: level.end) == nil ? .malformed : nil
    case 1: return skip(8, before: level.end)
    case 5: return skip(4, before: level.end)
    case 2:
      guard let length = varint(before: level.end), length <= UInt64(level.end - position) else { return .malformed }
      // Fits because it is at most what is left.
      let end = position + Int(length)
      return enter(tag >> 3, until: end)
    default: return .malformed
    }
  }

  private mutating func enter(_ number: UInt64, until end: Int) -> Finding? {
    let top = levels.count - 1
    let fields = GrammarShape.statement.messages[levels[top].message]
    guard number < UInt64(fields.count), let field = fields[Int(number)] else {
      position = end
      return nil
    }
    if !field.isRepeated {
      let bit = UInt64(1) << number
      guard levels[top].seen & bit == 0 else { return .malformed }
      levels[top].seen |= bit
    }
    messages += 1
    guard messages <= messagesMax else { return .tooMany }
    guard levels.count < depthMax else { return .tooDeep }
    levels.append(Level(end: end, message: field.message))
    return nil
  }

  private mutating func skip(_ count: Int, before end: Int) -> Finding? {
    guard count <= end - position else { return .malformed }
    position += count
    return nil
  }

  private mutating func varint(before end: Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end && shift < 64 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
