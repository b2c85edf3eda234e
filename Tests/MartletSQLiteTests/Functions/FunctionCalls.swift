/// Random calls of functions with nasty values, and what a connection answers to them.
///
/// Always true: the same seed gives the same calls. Texts are bound as blobs and cast, so that they need not be UTF-8.
import MartletSQLite

/// A small generator of numbers that is the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

enum CallValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case json([UInt8])
  case blob([UInt8])
}

struct FunctionCall {
  var name: String
  var arguments: [CallValue]

  var sql: String {
    let list = arguments.enumerated().map { index, value in
      switch value {
      case .text: "cast(?\(index + 1) AS TEXT)"
      case .json: "json(cast(?\(index + 1) AS TEXT))"
      default: "?\(index + 1)"
      }
    }
    return "SELECT \(name)(\(list.joined(separator: ", ")))"
  }
}

/// What came of a call: a value with its type and bytes, or SQLite's code and words.
enum CallAnswer: Equatable {
  case value(CallValue, subtype: UInt32)
  case failure(Int32, String)
}

/// A connection that answers calls, with the statements that it has compiled.
final class FunctionOracle {
  let connection: Connection
  private var statements: [String: Statement] = [:]

  init(keepsLibraryFunctions: Bool) throws {
    var setup = ConnectionSetup()
    setup.keepsLibraryFunctions = keepsLibraryFunctions
    connection = try Connection(path: ":memory:", label: "oracle", access: .writer, setup: setup, clock: { 0 })
  }

  func answer(_ call: FunctionCall) -> CallAnswer {
    do throws(SQLiteError) {
      let sql = call.sql
      if statements.count > 500 { statements = [:] }
      let statement: Statement
      if let known = statements[sql] { statement = known } else { statement = try connection.prepare(sql) }
      statements[sql] = statement
      defer { statement.reset() }
      for (index, value) in call.arguments.enumerated() { try bind(value, to: statement, at: index + 1) }
      guard try statement.step() else { return .failure(-1, "no row") }
      return Self.read(statement.value(at: 0))
    } catch {
      return .failure(error.extendedCode, error.message)
    }
  }

  private func bind(_ value: CallValue, to statement: Statement, at index: Int) throws(SQLiteError) {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .real(let real): try statement.bind(real, at: index)
    case .text(let bytes), .blob(let bytes), .json(let bytes):
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(SQLiteError) in try statement.bindBlob(bytes, at: index) }
      }
      try result.get()
    }
  }

  private static func read(_ value: RowValue) -> CallAnswer {
    let subtype = value.subtype
    switch value.type {
    case .null: return .value(.null, subtype: subtype)
    case .integer: return .value(.integer(value.integer), subtype: subtype)
    case .real: return .value(.real(value.real), subtype: subtype)
    case .text: return .value(.text(Array(value.textBytes)), subtype: subtype)
    case .blob: return .value(.blob(Array(value.blobBytes)), subtype: subtype)
    }
  }
}

/// Makes calls of the functions that are replaced.
struct CallGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> FunctionCall {
    switch Int.random(in: 0..<22, using: &random) {
    case 0, 1: FunctionCall(name: "instr", arguments: related(2))
    case 2, 3: FunctionCall(name: "replace", arguments: related(3))
    case 4:
      FunctionCall(name: pick(["trim", "ltrim", "rtrim"]), arguments: related(Int.random(in: 1...2, using: &random)))
    case 5...8: like()
    case 9, 10: FunctionCall(name: pick(["printf", "format"]), arguments: format())
    case 11, 12, 18: jsonEdit()
    case 13...16: glob()
    case 19: jsonPaths("json_remove", 31...36)
    case 20: jsonPaths("json_extract", 31...36)
    default: FunctionCall(name: "json_patch", arguments: [json(), json()])
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  // MARK: - Values

  private static let pieces: [[UInt8]] = [
    Array("a".utf8), Array("b".utf8), Array("ab".utf8), Array("A".utf8), Array("é".utf8), Array("É".utf8),
    Array("日".utf8), Array("🦅".utf8), [0x80], [0xA9], [0xC3], [0xC3, 0xA9, 0xA9], [0xED, 0xA0, 0x80],
    [0xF0, 0x90], [0xFF], [0xFE, 0x81], [0xC0, 0x80], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBD], [0], Array(" ".utf8),
    Array("\n".utf8), Array("1".utf8), Array("%".utf8), Array("_".utf8), Array("'".utf8), Array("\"".utf8),
    Array("\\".utf8),
  ]

  private mutating func bytes(_ most: Int = 12) -> [UInt8] {
    // A small alphabet makes repetitions, and those make searches hard.
    let alphabet = chance(2) ? Array(Self.pieces[0..<4]) : Self.pieces
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...most, using: &random) { bytes += pick(alphabet) }
    return bytes
  }

  private mutating func value(_ bytes: [UInt8]) -> CallValue {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .null
    case 1: .integer(pick([0, 1, -1, 11, 1_011, .min, .max]))
    case 2: .real(pick([0, -0.0, 0.1, 1e300, -.infinity, .nan, 11.5, 1e15]))
    case 3, 4: .blob(bytes)
    default: .text(bytes)
    }
  }

  /// Values of which the later ones often occur in the first.
  private mutating func related(_ count: Int) -> [CallValue] {
    let isLong = chance(8)
    let text = isLong ? Array(repeatElement(bytes(6), count: 400).joined()) + bytes() : bytes(30)
    var values = [value(text)]
    for _ in 1..<max(1, count) {
      var part = bytes(4)
      if !text.isEmpty, !chance(4) {
        let start = Int.random(in: 0..<text.count, using: &random)
        part = Array(text[start..<Int.random(in: start...text.count, using: &random)])
        if chance(3) { part += bytes(1) }
      }
      values.append(value(part))
    }
    return Array(values.prefix(count))
  }

  // MARK: - LIKE

  private mutating func like() -> FunctionCall {
    let isLong = chance(6)
    let text = isLong ? Array(repeatElement(bytes(5), count: 3_000).joined()) + bytes() : bytes(20)
    var pattern: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: pattern += Array("%".utf8)
      case 1: pattern += Array("_".utf8)
      case 2 where !text.isEmpty:
        let start = Int.random(in: 0..<text.count, using: &random)
        pattern += Array(text[start..<min(text.count, start + 9)])
      default: pattern += bytes(2)
      }
    }
    if isLong { pattern = Array("%".utf8) + pattern }
    if chance(50) { pattern += [UInt8](repeating: 0x61, count: 300) }
    var arguments = [value(pattern), value(text)]
    if chance(3) { arguments.append(value(pick([Array("\\".utf8), Array("a".utf8), Array("é".utf8)] + Self.pieces))) }
    return FunctionCall(name: "like", arguments: arguments)
  }

  // MARK: - GLOB

  private mutating func glob() -> FunctionCall {
    let isLong = chance(2)
    let text = isLong ? Array(repeatElement(bytes(5), count: 3_000).joined()) + bytes() : bytes(20)
    var pattern: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: pattern += Array("*".utf8)
      case 2: pattern += Array("?".utf8)
      case 3, 4: pattern += set()
      case 5 where !text.isEmpty:
        let start = Int.random(in: 0..<text.count, using: &random)
        pattern += Array(text[start..<min(text.count, start + 9)])
      default: pattern += bytes(2)
      }
    }
    if isLong { pattern = pick([Array("*".utf8), Array("*?".utf8), Array("*[^b]*".utf8), []]) + pattern }
    // The longer of two paths is taken if pattern and text are long together.
    if isLong, chance(2) { pattern = [UInt8](repeating: UInt8(ascii: "*"), count: 40) + pattern }
    if chance(50) { pattern += [UInt8](repeating: 0x61, count: 300) }
    return FunctionCall(name: "glob", arguments: [value(pattern), value(text)])
  }

  private mutating func set() -> [UInt8] {
    var set = Array(pick(["[", "[", "[^", "[]", "[^]", "[-", "[a-", "[^^"]).utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      set += Array(pick(["a", "b", "-", "-", "a-c", "é", "a-é", "é-日", "z-a", "^", "*", "?", "[", "A-Z", "--0"]).utf8)
      if chance(6) { set += bytes(1) }
    }
    return set + Array(pick(["]", "]", "]", "-]", ""]).utf8)
  }

  // MARK: - printf

  private mutating func format() -> [CallValue] {
    var format: [UInt8] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      format += bytes(2)
      format += [UInt8(ascii: "%")]
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        format += Array(pick(["-", "+", " ", "#", "!", "0", ","]).utf8)
      }
      if chance(2) { format += Array(pick(["*", "1", "7", "30", "0", "99999999999"]).utf8) }
      let letter = pick(Array("dsgzqQwcouxXfeEGin%prTS y".utf8))
      if chance(2) {
        // SQLite's own takes seconds to repeat a character a million times.
        let isShort = letter == UInt8(ascii: "c") || !chance(50)
        format += Array(("." + pick(isShort ? ["", "0", "3", "40"] : ["*", "2147483647", "9999999"])).utf8)
      }
      if chance(4) { format += Array(pick(["l", "ll"]).utf8) }
      format.append(letter)
    }
    var arguments = [chance(20) ? value(format) : .text(format)]
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      arguments.append(chance(3) ? .integer(pick([0, 1, -5, 12, 70, 1 << 40, .min, .max])) : value(bytes(5)))
    }
    return arguments
  }

  // MARK: - JSON

  private mutating func jsonText(_ depth: Int = 0) -> String {
    let space = chance(6) ? pick([" ", "\n", "\t\r"]) : ""
    let scalars = [
      "1", "-0", "0", "1.5e10", "1E-2", "\"é\"", "\"a\\u0041\\n\"", "true", "false", "null", "\"\"", "\"$.a\"",
    ]
    if depth > 3 || chance(3) { return space + pick(scalars) }
    let count = Int.random(in: 0...(chance(12) ? 40 : 4), using: &random)
    if chance(2) {
      return space + "[" + (0..<count).map { _ in jsonText(depth + 1) }.joined(separator: ",") + space + "]"
    }
    let members = (0..<count).map { _ in "\"\(label())\"\(space):\(jsonText(depth + 1))" }
    return space + "{" + members.joined(separator: ",") + space + "}"
  }

  private mutating func label() -> String { pick(["a", "b", "c", "d", "", "é", "a.b", "1", "x\\\"y", "key"]) }

  private static let malformed = [
    "", "[", "{", "[1,]", "{\"a\":1,}", "{\"a\"}", "01", "1.", "-", "[1 2]", "nul", "nullx", "\"\\x\"", "\"a", "1e",
    "--1",
    ".5", "1 1", "[]]", "\"\u{1}\"", "{1:2}", "{\"a\" 1}", "tru", "\"\\u12g4\"", "1..2", "1e5.5", "[,1]", "{,}",
    "{[]:1}", "{{}:1}", "+1",
  ]

  private mutating func json() -> CallValue {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: value(bytes(4))
    case 1: .text(Array(pick(Self.malformed).utf8))
    case 2: .blob(Array(jsonText().utf8))
    default: .text(Array(jsonText().utf8))
    }
  }

  private mutating func path() -> CallValue {
    if chance(25) { return value(bytes(4)) }
    if chance(25) {
      return .text(Array(pick(["", "a", "$a", "$.", "$[", "$[1", "$[#", "$[#-", "$.\"a", "$..a", "$[-1]"]).utf8))
    }
    var path = "$"
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: path += "[\(Int.random(in: 0...3, using: &random))]"
      case 2: path += pick(["[#]", "[#-1]", "[#-2]", "[4294967296]", "[00]"])
      case 3: path += ".\"\(label())\""
      default: path += "." + pick(["a", "b", "c", "d", "key", "1"])
      }
    }
    return .text(Array(path.utf8))
  }

  private mutating func jsonPaths(_ name: String, _ counts: ClosedRange<Int>) -> FunctionCall {
    var arguments = [json()]
    for _ in 0..<Int.random(in: counts, using: &random) { arguments.append(path()) }
    return FunctionCall(name: name, arguments: arguments)
  }

  private mutating func jsonEdit() -> FunctionCall {
    var arguments = [json()]
    let name = pick(["json_set", "json_insert", "json_replace"])
    // Of fewer than 16 values json_replace is SQLite's own.
    for _ in 0..<Int.random(in: name == "json_replace" ? 15...18 : 0...4, using: &random) {
      arguments.append(path())
      arguments.append(chance(3) ? .json(Array(jsonText().utf8)) : value(bytes(6)))
    }
    if chance(20) { arguments.append(.null) }
    return FunctionCall(name: name, arguments: arguments)
  }
}
