/// What `@Table` and `@Selection` say where a type cannot be what they make of it.
///
/// Always true: each message is compared in full, with its line and its fix-its.
import Testing

@Suite struct TableMessageTests {
  @Test(arguments: [
    (
      "@Table class Reminder { let id = 1 }",
      "1: A table is a struct: its rows are values. Write 'struct' here. → Make it a 'struct'"
    ),
    (
      "@Table actor Reminder { let id: Int }",
      "1: A table is a struct: its rows are values. Write 'struct' here. → Make it a 'struct'"
    ),
    (
      "@Table enum Kind { case note(String) }",
      "1: Write '@Selection' here, and make 'Kind' the type of a property of a '@Table struct'. → Write '@Selection'"
    ),
    (
      "@Selection class Row { let id: Int }",
      "1: A selection is a struct or an enum: its rows are values. Write 'struct' here. → Make it a 'struct'"
    ),
    ("@Table struct Empty {}", "1: Give 'Empty' at least one stored property: each is a column."),
    ("@Table(name) struct Reminder { let id: Int }", "1: Write the name as a plain text: @Table(\"remindersLists\")."),
  ])
  func `a type that is no table`(source: String, message: String) { #expect(Expansion(source).messages == [message]) }

  @Test(arguments: [
    (
      "let id = 7",
      "2: 'id' would never be read from a row: a `let` keeps its value. Make it a `var`. → Make it a `var`"
    ),
    ("var title = make()", "2: Write the type of 'title': `var title: <#Type#>`. → Write the type of 'title'"),
    ("var state = .open", "2: Write the type of 'state': `var state: <#Type#>`. → Write the type of 'state'"),
    ("var (a, b) = (1, 2)", "2: Declare each column by itself: `var title: String`."),
    ("var action: () -> Void", "2: A function cannot be stored in a column. Mark 'action' with '@Ephemeral'."),
    (
      "var action: (@Sendable () -> Void)?",
      "2: A function cannot be stored in a column. Mark 'action' with '@Ephemeral'."
    ),
    ("var point: (Int, Int)", "2: A tuple cannot be stored in a column. Make 'point' a '@Selection' struct."),
    (
      "@Column(\"x\") var title: String { \"\" }",
      "2: A computed property is no column. Remove '@Column', or store the property. → Remove '@Column'"
    ),
    ("@Column(\"\") var title: String", "2: Write the column's name between the quotes, or nothing at all."),
    ("@Column(name) var title: String", "2: Write the column's name as a plain text: \"is_completed\"."),
    (
      "@Column(as: kind) var title: String",
      "2: Write the representation as a type: `as: Date.UnixTimeRepresentation.self`."
    ),
    (
      "@Column(primaryKey: isKey) var title: String",
      "2: Write `primaryKey: true` or `primaryKey: false`: the macro cannot compute it."
    ),
    (
      "@Ephemeral var isSelected: Bool",
      "2: Give 'isSelected' a value: no row brings one for an '@Ephemeral' property."
    ),
    (
      "@Column(\"other\") var title: String",
      "1: Two columns are called 'other'. Give one of them another name with '@Column(\"name\")'."
    ),
    (
      "@Column(primaryKey: true) var title: String; let id: Int",
      "2: 'id' is the key by its name. Write '@Column(primaryKey: false)' above it, or remove 'primaryKey: true' here."
    ),
    (
      "@Column(primaryKey: true) var a: Int; @Column(primaryKey: true) var b: Int",
      "2: Put 'a' and 'b' into one '@Selection struct' and make that the key: `let id: ID`."
    ),
  ])
  func `a property that is no column`(property: String, message: String) {
    #expect(Expansion("@Table struct Reminder {\n\(property)\nvar other: Int }").messages == [message])
  }

  @Test(arguments: [
    ("case none", "2: Give the case 'none' a value, which is its column: `case none(Bool)`. → Give it a 'Bool'"),
    ("case link(String, Int)", "2: Put the values of 'link' into one '@Selection struct': a case has one value."),
    ("", "1: Give 'Kind' at least one case with a value: each is a column."),
  ])
  func `a case that is no column`(element: String, message: String) {
    #expect(Expansion("@Selection enum Kind {\n\(element)\n}").messages == [message])
  }

  @Test func `an attribute in another place`() {
    #expect(
      Expansion("@Ephemeral func f() {}").messages == [
        "1: Write '@Ephemeral' above a property of a '@Table' or '@Selection' type."
      ])
    #expect(Expansion("@CasePathable struct S {}").messages == ["1: Write '@CasePathable' above an enum."])
  }

  @Test func `fix-its write what the sentence says`() {
    #expect(Expansion("@Table class Reminder { let id: Int }").fixed == "@Table struct Reminder { let id: Int }")
    #expect(Expansion("@Table struct A { let id = 7 }").fixed == "@Table struct A { var id = 7 }")
    #expect(
      Expansion("@Table struct A { var x = make() }").fixed == "@Table struct A { var x: <#Type#> = make() }")
    #expect(
      Expansion("@Table enum Kind { case note(String) }").fixed == "@Selection enum Kind { case note(String) }")
  }

  @Test func `what is in order is silent`() {
    let source = """
      @Table("x", schema: nil) struct Reminder {
        let id: Int // the key
        var title = "" /* a text */
        static let limit = 3
        lazy var cached = 1
        @Ephemeral var note: String?
        var a = 1, b: Int, c = [String]()
        var d = Date(), e = Priority.low, f = -2.5, g = 1 + 2, h = try! make() as Int
        var i = Optional<Int>.none, j = [1: "x"], k = (3), l = UUID(uuidString: "")!
        var m: Int { 0 }
        var n = 0 { didSet { print(n) } }
      }
      """
    #expect(Expansion(source).messages.isEmpty)
  }
}
