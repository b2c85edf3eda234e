/// Reads a format of `printf` into what is copied and what is converted, as SQLite reads it.
///
/// Always true: a conversion that SQLite does not know ends the format, as it does there.
struct FormatScanner {
  enum Part {
    case plain(Range<Int>)
    case conversion(FormatConversion)
  }

  private let format: UnsafeRawBufferPointer
  private var offset = 0

  /// The format ends at its first zero.
  init(_ format: UnsafeRawBufferPointer) { self.format = format }

  private var current: UInt8 { offset < format.count ? format[offset] : 0 }

  private mutating func step() -> UInt8 {
    offset += 1
    return current
  }

  /// The next part; nil at the end. `integer` returns the next argument, for a width or precision of `*`.
  mutating func next(integer: () -> Int64) -> Part? {
    guard current != 0 else { return nil }
    let start = offset
    if current != UInt8(ascii: "%") {
      while current != 0, current != UInt8(ascii: "%") { offset += 1 }
      return .plain(start..<offset)
    }
    guard step() != 0 else { return .plain(start..<start + 1) }
    var conversion = FormatConversion()
    readFlags(of: &conversion, integer: integer)
    conversion.letter = current
    if current != 0 { offset += 1 }
    return .conversion(conversion)
  }

  /// Leaves the offset at the letter of the conversion.
  private mutating func readFlags(of conversion: inout FormatConversion, integer: () -> Int64) {
    while true {
      switch current {
      case UInt8(ascii: "-"): conversion.isLeft = true
      case UInt8(ascii: "+"), UInt8(ascii: " "): conversion.sign = current
      case UInt8(ascii: "#"): conversion.isAlternate = true
      case UInt8(ascii: "!"): conversion.isAlternate2 = true
      case UInt8(ascii: "0"): conversion.padsWithZeroes = true
      case UInt8(ascii: ","): conversion.hasThousands = true
      case UInt8(ascii: "l"):
        if step() == UInt8(ascii: "l") { offset += 1 }
        return
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        conversion.width = readNumber()
        if current != UInt8(ascii: "."), current != UInt8(ascii: "l") { return }
        continue
      case UInt8(ascii: "*"):
        setWidth(Int32(truncatingIfNeeded: integer()), of: &conversion)
        let following = step()
        if following != UInt8(ascii: "."), following != UInt8(ascii: "l") { return }
        continue
      case UInt8(ascii: "."):
        if step() == UInt8(ascii: "*") {
          let given = Int32(truncatingIfNeeded: integer())
          conversion.precision = given >= 0 ? given : given >= -Int32.max ? -given : -1
          offset += 1
        } else {
          conversion.precision = readNumber()
        }
        if current != UInt8(ascii: "l") { return }
        continue
      default: return
      }
      if step() == 0 { return }
    }
  }

  private func setWidth(_ given: Int32, of conversion: inout FormatConversion) {
    conversion.width = given
    guard given < 0 else { return }
    conversion.isLeft = true
    conversion.width = given >= -Int32.max ? -given : 0
  }

  /// Digits from here on, as a number of 31 bits.
  private mutating func readNumber() -> Int32 {
    var number: UInt32 = 0
    while current &- UInt8(ascii: "0") < 10 {
      number = number &* 10 &+ UInt32(current - UInt8(ascii: "0"))
      offset += 1
    }
    return Int32(number & 0x7FFF_FFFF)
  }
}

/// One conversion, after its widths and precisions were read.
struct FormatConversion: Equatable {
  var isLeft = false
  /// `+` or space before numbers that are not negative; 0 for nothing.
  var sign: UInt8 = 0
  var isAlternate = false
  var isAlternate2 = false
  var padsWithZeroes = false
  var hasThousands = false
  var width: Int32 = 0
  /// -1 for none.
  var precision: Int32 = -1
  var letter: UInt8 = 0

  /// The conversion alone, for SQLite to carry out; integers are taken as 64 bits.
  var specification: [CChar] {
    var text = [UInt8(ascii: "%")]
    if isLeft { text.append(UInt8(ascii: "-")) }
    if sign != 0 { text.append(sign) }
    if isAlternate { text.append(UInt8(ascii: "#")) }
    if isAlternate2 { text.append(UInt8(ascii: "!")) }
    if padsWithZeroes { text.append(UInt8(ascii: "0")) }
    if hasThousands { text.append(UInt8(ascii: ",")) }
    if width > 0 { text += Array(String(width).utf8) }
    if precision >= 0 { text += Array(".\(precision)".utf8) }
    if kind == .integer { text += [UInt8(ascii: "l"), UInt8(ascii: "l")] }
    text.append(letter)
    return text.map { CChar(bitPattern: $0) } + [0]
  }

  enum Kind: Equatable { case integer, real, text, character, percent, nothing, unknown }

  var kind: Kind {
    switch letter {
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "o"), UInt8(ascii: "x"),
      UInt8(ascii: "X"), UInt8(ascii: "p"), UInt8(ascii: "r"):
      .integer
    case UInt8(ascii: "f"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"), UInt8(ascii: "G"): .real
    case UInt8(ascii: "s"), UInt8(ascii: "z"), UInt8(ascii: "q"), UInt8(ascii: "Q"), UInt8(ascii: "w"): .text
    case UInt8(ascii: "c"): .character
    case UInt8(ascii: "%"): .percent
    case UInt8(ascii: "n"): .nothing
    default: .unknown
    }
  }
}
