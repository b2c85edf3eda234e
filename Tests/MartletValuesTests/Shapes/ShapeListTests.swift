import MartletValues
import Testing

@Suite struct ShapeListTests {
  private static let id = "0123456789abcdef0123456789ABCDEF"

  @Test func `a list is read as it is written, whatever its notes hold`() throws {
    var list = ShapeList()
    let notes = [
      "", "SELECT 1", "a\n\tb\r\n  c ", "# x", "\u{1B}[31m\u{0}", "\u{2028}ü𝄞",
      String(repeating: "é", count: 2_000),
    ]
    for (number, note) in notes.enumerated() {
      let shape = ShapeID(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: .max)
      let answers = [list.add(shape, note: note), list.add(shape, note: "again")]
      #expect(answers == [true, false])
    }
    #expect(list.text.split(separator: "\n").count == notes.count)
    #expect(!list.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(try ShapeList(list.text) == list)
    #expect(list.entries[2].note == "a b c")
  }

  @Test func `blank lines and comments do not count, and an id stands there once`() throws {
    let text = "# shapes\n\n  \t\(Self.id)\tSELECT  1\r\n\r\n\(Self.id.lowercased()) other\n#\(Self.id)\n"
    let list = try ShapeList(text)
    #expect(list.entries.map(\.note) == ["SELECT 1"])
    #expect(list.contains(ShapeID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef)))
    #expect(try ShapeList("").entries.isEmpty)
  }

  @Test func `what is no shape is told with its line`() {
    for (text, line) in [
      ("x", 1), ("\(Self.id)0", 1), ("# a\n\(Self.id.dropLast())", 2), ("\(Self.id)\n\n0x\(Self.id)", 3),
      ("\(Self.id.dropLast())g SELECT", 1), ("\u{FEFF}\(Self.id)", 1), ("\(Self.id.dropLast(2))é", 1),
    ] {
      let error = #expect(throws: ShapeList.Invalid.self, "\(text)") { try ShapeList(text) }
      #expect(error?.line == line, "\(text)")
    }
  }

  @Test func `sets are equal whatever their order`() {
    let shapes = (0..<100).map { ShapeID(high: UInt64($0), low: 7) }
    #expect(RegisteredShapes(shapes) == RegisteredShapes(shapes.reversed()))
    #expect(RegisteredShapes(shapes) != RegisteredShapes(shapes.dropLast()))
    #expect(RegisteredShapes(shapes).contains(shapes[42]) && !RegisteredShapes([]).contains(shapes[0]))
  }
}
