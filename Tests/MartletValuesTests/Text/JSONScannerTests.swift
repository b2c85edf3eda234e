/// The words of JSON, which the server reads in tokens and keys, and the command in files.
import Testing

@testable import MartletValues

@Suite struct JSONScannerTests {
  private static func mistake(in json: String, _ read: (inout JSONScanner) throws -> Void) -> JSONScanner.Mistake? {
    var scanner = JSONScanner(Array(json.utf8))
    do {
      try read(&scanner)
      return nil
    } catch { return error as? JSONScanner.Mistake }
  }

  @Test func `a text is what stands between the quotes, with its escapes`() throws {
    let table: [(json: String, text: String)] = [
      (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9é""#, "éé"),
      (#""\ud83d\udc4d""#, "👍"), (#""\u0000""#, "\0"),
    ]
    for (json, text) in table {
      var scanner = JSONScanner(Array(json.utf8))
      #expect(try scanner.text() == Array(text.utf8), "\(json)")
      #expect(scanner.isAtEnd, "\(json)")
    }
  }

  @Test func `what is no text says where and why`() {
    let half = "half of a character is missing."
    let digits = "behind \\u come four hexadecimal digits."
    let table: [(json: String, offset: Int, problem: String)] = [
      (#""a"#, 0, "this text does not end."), (#""\x""#, 2, "there is no such escape."),
      ("\"a\nb\"", 2, "a text has no line breaks and other control characters but as escapes."),
      (#""\ud83d""#, 7, half), (#""\ud83d\n""#, 7, half), (#""\ud83d\u0041""#, 13, half), (#""\udc4d""#, 7, half),
      (#""\u12"#, 3, digits), (#""\u12g4""#, 3, digits), ("\"\\", 2, "there is no such escape."),
    ]
    for (json, offset, problem) in table {
      let found = Self.mistake(in: json) { _ = try $0.text() }
      #expect(found == JSONScanner.Mistake(offset: offset, problem: problem), "\(json)")
    }
  }

  @Test func `a number is the text that stood there`() throws {
    for (json, isWhole) in [("0", true), ("-12", true), ("1.50", false), ("1E+3", false), ("0e-1", false)] {
      var scanner = JSONScanner(Array(json.utf8))
      #expect(try scanner.number() == JSONScanner.Number(text: json, isWhole: isWhole))
    }
    for json in ["-", "01", "-00", "1.", ".5", "1e", "1e+", "+1"] {
      #expect(Self.mistake(in: json) { _ = try $0.number() } != nil, "\(json)")
    }
  }

  @Test func `there are three words, and nothing else begins a value`() throws {
    for word in JSONScanner.Word.allCases {
      var scanner = JSONScanner(Array(word.rawValue.utf8))
      #expect(try scanner.word() == word)
    }
    for json in ["", "nul", "True", "x"] {
      let found = Self.mistake(in: json) { _ = try $0.word() }
      #expect(found == JSONScanner.Mistake(offset: 0, problem: "here stands no value."), "\(json)")
    }
  }
}
