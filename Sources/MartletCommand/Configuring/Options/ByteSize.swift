/// A number of bytes as an operator writes it: `512M`, `2G`, `2GiB`.
///
/// Always true: a number without a unit is refused, because it could mean several.
struct ByteSize {
  let bytes: Int

  /// Nil if the text is no such number, or more than fits.
  init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0 else { return nil }
    let shift: Int
    switch text[digits.endIndex...].uppercased() {
    case "K", "KIB": shift = 10
    case "M", "MIB": shift = 20
    case "G", "GIB": shift = 30
    case "T", "TIB": shift = 40
    default: return nil
    }
    guard number <= Int.max >> shift else { return nil }
    bytes = number << shift
  }
}
