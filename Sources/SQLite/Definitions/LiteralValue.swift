internal import MartletAST
internal import MartletValues

/// What stands behind DEFAULT in a column's definition.
public enum LiteralValue: Equatable, Sendable {
  /// `'text'`, without its quotes.
  case stringLiteral(String)
  /// `12.5`, as it is written.
  case numericLiteral(String)
  /// `X'53'`: the digits.
  case blobLiteral(String)
  case NULL
  case TRUE
  case FALSE
  case CURRENT_TIME
  case CURRENT_DATE
  case CURRENT_TIMESTAMP
  /// Any other expression, as it is written.
  case expression(String)

  /// A number.
  public static func integer(_ value: Int64) -> LiteralValue { .numericLiteral(String(value)) }

  /// A number.
  public static func double(_ value: Double) -> LiteralValue { .numericLiteral(String(value)) }
}

extension LiteralValue: CustomStringConvertible {
  /// The value as SQL has it.
  public var description: String {
    switch self {
    case .stringLiteral(let text): text.quoted("'")
    case .numericLiteral(let number): number
    case .blobLiteral(let digits): "X\(digits.quoted("'"))"
    case .NULL: "NULL"
    case .TRUE: "TRUE"
    case .FALSE: "FALSE"
    case .CURRENT_TIME: "CURRENT_TIME"
    case .CURRENT_DATE: "CURRENT_DATE"
    case .CURRENT_TIMESTAMP: "CURRENT_TIMESTAMP"
    case .expression(let text): text
    }
  }
}

extension LiteralValue {
  private static let words: [String: LiteralValue] = [
    "NULL": .NULL, "TRUE": .TRUE, "FALSE": .FALSE, "CURRENT_TIME": .CURRENT_TIME, "CURRENT_DATE": .CURRENT_DATE,
    "CURRENT_TIMESTAMP": .CURRENT_TIMESTAMP,
  ]

  /// What SQLite says of a column's default; nil is a column that has none.
  init(_ text: String?) {
    guard let text, !text.isEmpty else {
      self = .NULL
      return
    }
    if let word = Self.words[text.uppercased()] {
      self = word
    } else if let content = Self.unquoted(text, "'") ?? Self.unquoted(text, "\"") {
      self = .stringLiteral(content)
    } else if text.first == "x" || text.first == "X", let digits = Self.unquoted(String(text.dropFirst()), "'"),
      digits.allSatisfy(\.isHexDigit)
    {
      self = .blobLiteral(digits)
    } else if Self.isNumber(text) {
      self = .numericLiteral(text)
    } else {
      self = .expression(text)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.contains { $0 >= 0x30 && $0 <= 0x39 } && text.allSatisfy { "0123456789+-.eExXabcdfABCDF".contains($0) }
      && (Double(text) != nil || Int64(text.drop { "+-".contains($0) }.dropFirst(2), radix: 16) != nil)
  }

  /// The text between quotes, if these are the only ones.
  private static func unquoted(_ text: String, _ quote: Unicode.Scalar) -> String? {
    let scalars = text.unicodeScalars
    guard scalars.count >= 2, scalars.first == quote, scalars.last == quote else { return nil }
    let content = String(scalars.dropFirst().dropLast())
    var single = String.UnicodeScalarView()
    var isSecond = false
    for scalar in content.unicodeScalars {
      guard scalar == quote else {
        if isSecond { return nil }
        single.append(scalar)
        continue
      }
      if isSecond { single.append(scalar) }
      isSecond.toggle()
    }
    return isSecond ? nil : String(single)
  }

  /// Whether the value is the same for every row, so that SQLite adds a column with it to a table that has rows.
  var isConstant: Bool {
    switch self {
    case .CURRENT_TIME, .CURRENT_DATE, .CURRENT_TIMESTAMP, .expression: false
    default: true
    }
  }

  var tree: ASTExpression {
    switch self {
    case .NULL: .null
    case .stringLiteral(let text): TreeValues.literal(.text(text))
    case .numericLiteral(let number):
      // Of `0x10`, Swift would make a real number, while SQLite has an integer.
      if let integer = Int64(number) {
        .literal(integer)
      } else {
        number.contains { "xX".contains($0) } ? raw : Double(number).map { .literal($0) } ?? raw
      }
    case .blobLiteral(let digits): Self.bytes(of: digits).map { .literal($0) } ?? raw
    case .TRUE: Self.keyword(.true)
    case .FALSE: Self.keyword(.false)
    case .CURRENT_TIME: Self.keyword(.currentTime)
    case .CURRENT_DATE: Self.keyword(.currentDate)
    case .CURRENT_TIMESTAMP: Self.keyword(.currentTimestamp)
    case .expression: raw
    }
  }

  private static func keyword(_ word: ASTLiteral.Keyword) -> ASTExpression {
    var node = ASTExpression()
    node.literal.keyword = word
    return node
  }

  private var raw: ASTExpression { .raw(ASTRaw.Part(stringLiteral: description)) }

  private static func bytes(of digits: String) -> [UInt8]? {
    let digits = Array(digits)
    guard digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    return bytes.contains(nil) ? nil : bytes.compactMap { $0 }
  }
}
