import MartletValues
import Testing

@Suite struct SimpleNameTests {
  @Test(arguments: ["a", "Z", "0", "_", "-", "main", "my-shop_2", String(repeating: "x", count: 64)])
  func `a name is letters, digits, underscores and hyphens`(name: String) { #expect(SimpleName.isValid(name)) }

  @Test(arguments: [
    "", " ", "a b", "a.b", "../a", "a/b", "ä", "a\u{0}", "a\n", "{a}", "*", "'", String(repeating: "x", count: 65),
    "\u{FF41}",
  ])
  func `nothing else is a name, and none that a file system or SQL reads otherwise`(name: String) {
    #expect(!SimpleName.isValid(name))
  }

  @Test func `of all bytes, 64 may stand in a name`() {
    #expect((UInt8.min...UInt8.max).count(where: SimpleName.isPart) == 64)
  }

  @Test func `the rule says whose name it is, and how long`() {
    #expect(SimpleName.rule("A role's name") == "A role's name is 1 to 64 letters, digits, underscores and hyphens.")
  }
}
