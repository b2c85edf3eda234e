/// What `@DatabaseFunction` says where SQL could not call the function.
import Testing

@Suite struct FunctionMessageTests {
  @Test(arguments: [
    ("func f() async -> Int { 1 }", "2: Remove 'async': SQLite waits for the answer."),
    ("@MainActor func f() -> Int { 1 }", "2: Make it 'nonisolated': SQLite calls it on the thread of the statement."),
    ("func f<T>(_ x: T) -> Int { 1 }", "2: Write the types themselves: SQL calls one function."),
    ("func f(_ x: Int...) -> Int { 1 }", "2: Write each argument: SQL calls it with as many."),
    ("func f(_ x: inout Int) -> Int { 1 }", "2: Take a value that a column can hold."),
    ("func f(_ x: () -> Int) -> Int { 1 }", "2: Take a value that a column can hold."),
    (
      "func f(_ x: some Sequence<Int>, y: Int) -> Int { 1 }",
      "2: Give the sequence a tuple of what one row brings: `some Sequence<(String, separator: String)>`."
    ),
    ("var f: Int = 1", "1: Compute the property: `var isEnabled: Bool { … }`, or write a function."),
    ("struct F {}", "1: Write '@DatabaseFunction' above a function or a computed property."),
  ])
  func `a function that SQL cannot call`(source: String, message: String) {
    #expect(Expansion("@DatabaseFunction\n\(source)").messages == [message])
  }

  @Test func `arguments of the attribute`() {
    #expect(
      Expansion("@DatabaseFunction(name) func f() -> Int { 1 }").messages == [
        "1: Write the function's name as a plain text."
      ])
    #expect(
      Expansion("@DatabaseFunction(as: ((Int) -> Int).self) func f() -> Int { 1 }").messages == [
        "1: Write 0 types in 'as:', one for each argument of 'f'."
      ])
    #expect(
      Expansion("@DatabaseFunction(as: Int.self) func f() -> Int { 1 }").messages == [
        "1: Write the types as a function's: `as: (([String].JSONRepresentation) -> Bool).self`."
      ])
  }

  @Test func `a function within a function`() {
    #expect(
      Expansion("func g() {\n@DatabaseFunction func f() -> Int { 1 }\n}").messages == [
        "2: Move the function out of the one that holds it, into a file or a type."
      ])
  }
}
