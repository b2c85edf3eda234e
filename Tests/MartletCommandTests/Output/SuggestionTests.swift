/// Which name is near enough to be suggested.
import Testing

@testable import MartletCommand

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("j", ["v"], nil), ("ab", ["ac"], nil), ("ab", ["abc"], "abc"), ("itmes", ["items"], "items"),
      ("tot", ["top"], "top"), ("x", ["xy"], nil), ("", ["a"], nil), ("ITEMS", ["item"], "item"),
      ("items", ["items"], nil), ("items", ["items", "itemz"], "itemz"), ("Shop", ["shop"], "shop"),
    ] as [(String, [String], String?)])
  func `the nearest name is suggested`(name: String, names: [String], nearest: String?) {
    #expect(Suggestion.nearest(to: name, among: names) == nearest)
  }
}
