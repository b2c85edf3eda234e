internal import MartletProtobuf

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
    var fields: WireReader
    var message: Int
    /// A bit for each field that may stand once and has.
    var seen: UInt64 = 0
  }

  private let depthMax: Int
  private let messagesMax: Int
  private var level: Level
  /// The messages around this one, the outermost first.
  private var outer: [Level] = []
  private var messages = 1

  private init(_ bytes: UnsafeRawBufferPointer, depthMax: Int, messagesMax: Int) {
    self.depthMax = depthMax
    self.messagesMax = messagesMax
    level = Level(fields: WireReader(bytes), message: 0)
    outer.reserveCapacity(32)
  }

  static func scan(_ bytes: UnsafeRawBufferPointer, depthMax: Int, messagesMax: Int) -> Finding {
    var scan = WireScan(bytes, depthMax: depthMax, messagesMax: messagesMax)
    while true {
      if let field = scan.level.fields.next() {
        if field.wireType == .delimited, let finding = scan.enter(field) { return finding }
      } else if scan.level.fields.isMalformed {
        return .malformed
      } else if let around = scan.outer.popLast() {
        scan.level = around
      } else {
        return .sound
      }
    }
  }

  /// Steps into a field if it is a message; nil if all is well.
  private mutating func enter(_ field: WireReader.Field) -> Finding? {
    let fields = GrammarShape.statement.messages[level.message]
    guard field.number < UInt32(fields.count), let known = fields[Int(field.number)] else { return nil }
    if !known.isRepeated {
      let bit = UInt64(1) << UInt64(field.number)
      guard level.seen & bit == 0 else { return .malformed }
      level.seen |= bit
    }
    messages += 1
    guard messages <= messagesMax else { return .tooMany }
    guard outer.count + 1 < depthMax else { return .tooDeep }
    outer.append(level)
    level = Level(fields: WireReader(field.bytes), message: known.message)
    return nil
  }
}
