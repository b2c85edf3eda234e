/// Bytes from a terminal in raw mode in, keys out.
///
/// Always true: an escape sequence may be cut anywhere; one that is not known gives no key and types nothing into the
/// line. Escape alone leaves a search, and takes nothing of the key that follows it.
struct KeyDecoder {
  private enum State {
    case plain
    case escape
    /// After `ESC [` with the parameter bytes so far, or after `ESC O`.
    case sequence([UInt8])
    case utf8([UInt8], missing: Int)
  }

  private var state = State.plain

  /// Escape has come, and nothing behind it yet.
  var isInEscape: Bool { if case .escape = state { true } else { false } }

  /// Nothing has come behind an escape in the time that a sequence takes.
  mutating func escapeEnded() -> Key? {
    guard isInEscape else { return nil }
    state = .plain
    return .leave
  }

  mutating func byteReceived(_ byte: UInt8) -> [Key] {
    let before = state
    state = .plain
    switch before {
    case .plain: return plain(byte).map { [$0] } ?? []
    case .escape: return escape(byte)
    case .sequence(let parameters): return sequence(byte, parameters: parameters).map { [$0] } ?? []
    case .utf8(var bytes, let missing):
      guard byte & 0xC0 == 0x80 else { return plain(byte).map { [$0] } ?? [] }
      bytes.append(byte)
      if missing > 1 {
        state = .utf8(bytes, missing: missing - 1)
        return []
      }
      return String(validating: bytes, as: UTF8.self)?.first.map { [.character($0)] } ?? []
    }
  }

  private mutating func plain(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: return .home
    case 0x02: return .left
    case 0x03: return .interrupt
    case 0x04: return .endOfInput
    case 0x05: return .end
    case 0x06: return .right
    case 0x08, 0x7F: return .backspace
    case 0x07: return .leave
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x0B: return .killToEnd
    case 0x0C: return .clearScreen
    case 0x0E: return .down
    case 0x10: return .up
    case 0x12: return .search
    case 0x15: return .killToStart
    case 0x17: return .killWord
    case 0x19: return .yank
    case 0x1A: return .suspend
    case 0x1B: state = .escape
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    case 0xC2..<0xE0: state = .utf8([byte], missing: 1)
    case 0xE0..<0xF0: state = .utf8([byte], missing: 2)
    case 0xF0..<0xF5: state = .utf8([byte], missing: 3)
    default: break
    }
    return nil
  }

  private mutating func escape(_ byte: UInt8) -> [Key] {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = .sequence([])
      return []
    case UInt8(ascii: "b"): return [.wordLeft]
    case UInt8(ascii: "f"): return [.wordRight]
    case 0x7F, 0x08: return [.killWord]
    default: return [.leave] + (plain(byte).map { [$0] } ?? [])
    }
  }

  private mutating func sequence(_ byte: UInt8, parameters: [UInt8]) -> Key? {
    guard (0x40...0x7E).contains(byte) else {
      if parameters.count < CommandLimits.keyBytesMax { state = .sequence(parameters + [byte]) }
      return nil
    }
    let text = String(decoding: parameters, as: UTF8.self)
    // `1;5` and `1;3`: with Control and with Alt.
    let isWord = text.hasSuffix(";5") || text.hasSuffix(";3")
    switch byte {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return isWord ? .wordRight : .right
    case UInt8(ascii: "D"): return isWord ? .wordLeft : .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      switch text {
      case "1", "7": return .home
      case "4", "8": return .end
      case "3": return .delete
      case "200": return .pasteBegan
      case "201": return .pasteEnded
      default: return nil
      }
    default: return nil
    }
  }
}

/// What a person types.
enum Key: Equatable {
  case character(Character)
  case enter
  case backspace, delete
  case left, right, up, down, home, end
  case wordLeft, wordRight
  case killToEnd, killToStart, killWord, yank
  case clearScreen
  case interrupt
  case tab
  /// Control-R.
  case search
  /// Control-G, or Escape alone: leaves a search.
  case leave
  /// Control-D: the end of input on an empty line, otherwise deletes.
  case endOfInput
  /// Control-Z.
  case suspend
  /// What comes until the end was pasted, as far as the terminal says so.
  case pasteBegan, pasteEnded
}
