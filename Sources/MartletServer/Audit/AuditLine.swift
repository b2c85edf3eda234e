internal import Foundation
internal import MartletValues

/// A line of JSON that is being written, field by field.
///
/// Always true: whatever a text holds, it stays inside of its quotation marks and the line has no break; a terminal
/// that shows the line is told nothing by it.
struct AuditLine {
  private(set) var bytes: [UInt8]

  /// Takes the bytes over, which saves a copy; whoever has them takes `bytes` back after `end`.
  init(_ bytes: inout [UInt8]) {
    self.init(fieldsOnly: &bytes)
    self.bytes.append(UInt8(ascii: "{"))
  }

  /// Without the brace.
  init(fieldsOnly bytes: inout [UInt8]) {
    self.bytes = bytes
    bytes = []
  }

  mutating func text(_ name: String, _ text: String?) {
    guard let text else { return }
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    Self.escape(text, into: &bytes)
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ",")])
  }

  /// Writes the time in UTC.
  mutating func time(_ name: String, _ time: Date) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    for byte in ISODate.text(of: time).utf8 { bytes.append(byte == UInt8(ascii: " ") ? UInt8(ascii: "T") : byte) }
    bytes.append(contentsOf: [UInt8(ascii: "Z"), UInt8(ascii: "\""), UInt8(ascii: ",")])
  }

  mutating func number(_ name: String, _ number: (some BinaryInteger)?) {
    if let number { word(name, String(number)) }
  }

  /// An object with a list of values for each column.
  mutating func values(_ name: String, _ columns: [AuditedValues]) {
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    for (index, column) in columns.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      quoted("\(column.column.table).\(column.column.column)")
      bytes.append(contentsOf: [UInt8(ascii: ":"), UInt8(ascii: "[")])
      for (place, value) in column.values.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        self.value(value)
      }
      if column.moreCount > 0 { quoted("… \(column.moreCount) more", after: !column.values.isEmpty) }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(contentsOf: [UInt8(ascii: "}"), UInt8(ascii: ",")])
  }

  /// A blob as `x'…'`, and a number that JSON has no word for as a text.
  private mutating func value(_ value: Value) {
    switch value {
    case .null, .rows: bytes.append(contentsOf: "null".utf8)
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .real(let number):
      number.isFinite ? bytes.append(contentsOf: "\(number)".utf8) : quoted("\(number)")
    case .text(let text): quoted(text)
    case .blob(let blob):
      let shown = blob.prefix(AuditLimits.textScalarsMax / 2 - 2)
      let digits = shown.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
      quoted("x'\(digits)" + (shown.count < blob.count ? "…" : "'"))
    }
  }

  private mutating func quoted(_ text: String, after isLater: Bool = false) {
    if isLater { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    Self.escape(text, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// What needs no quotation marks.
  mutating func word(_ name: String, _ word: String) {
    begin(name)
    bytes.append(contentsOf: word.utf8)
    bytes.append(UInt8(ascii: ","))
  }

  /// Fields that were written before.
  mutating func raw(_ fields: [UInt8]) { bytes.append(contentsOf: fields) }

  /// The comma of the last field becomes the brace.
  mutating func end() {
    if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
    bytes.append(contentsOf: [UInt8(ascii: "}"), UInt8(ascii: "\n")])
  }

  private mutating func begin(_ name: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: ":")])
  }

  /// Cut if it is long, with an ellipsis in place of the rest.
  static func escape(_ text: String, into bytes: inout [UInt8]) {
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < AuditLimits.textScalarsMax else { return bytes.append(contentsOf: "…".utf8) }
      count += 1
      switch scalar {
      case "\"": bytes.append(contentsOf: "\\\"".utf8)
      case "\\": bytes.append(contentsOf: "\\\\".utf8)
      case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      default:
        if isHidden(scalar) {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8)
          }
        } else {
          bytes.append(contentsOf: String(scalar).utf8)
        }
      }
    }
  }

  /// What moves the cursor, ends a line, or changes how what follows is read.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
    default: false
    }
  }
}
