import Foundation
import SQLite
import Testing

private let subject = Expression<String>("subject")
private let emails = VirtualTable("emails")

/// Words between commas, without case.
private func words(_ text: String) -> (String, Range<String.Index>)? {
  guard let start = text.firstIndex(where: { $0 != "," }) else { return nil }
  let end = text[start...].firstIndex(of: ",") ?? text.endIndex
  return (text[start..<end].lowercased(), start..<end)
}

/// Tokenizers of the program, for tables of FTS4 and FTS5.
@Suite struct TokenizerTests {
  static let modules = ["fts4", "fts5"]

  private func module(_ name: String, _ tokenizer: Tokenizer) -> Module {
    name == "fts4"
      ? .FTS4(FTS4Config().column(subject).tokenizer(tokenizer))
      : .FTS5(FTS5Config().column(subject).tokenizer(tokenizer))
  }

  @Test(arguments: modules, Place.embedded)
  func `a tokenizer of the program finds words`(_ name: String, _ place: Place) throws {
    let open = try place.open()
    let db = open.db
    try db.registerTokenizer("commas", next: words)
    try db.run(emails.create(module(name, .Custom("commas"))))
    for text in ["Grüße aus Rom,Ännchen", "other,,words", "", ",", "last one,"] {
      try db.run(emails.insert(subject <- text))
    }
    #expect(try db.column(emails.match("\"Grüße aus Rom\""), subject) == ["Grüße aus Rom,Ännchen"])
    #expect(try db.column(emails.match("ännchen"), subject) == ["Grüße aus Rom,Ännchen"])
    #expect(try db.column(emails.match("words"), subject) == ["other,,words"])
    #expect(try db.column(emails.match("nothing"), subject) == [])
    // Another connection that registered none says so, and leaves the table as it is.
    guard place == .file else { return }
    let other = try open.another()
    if name == "fts5" { #expect(throws: Result.self) { try other.scalar(emails.match("words").count) } }
    try other.registerTokenizer("commas", next: words)
    #expect(try other.scalar(emails.match("words").count) == 1)
  }

  @Test func `the text names the module and the tokenizer`() {
    #expect(
      same(
        emails.create(.FTS4([subject], tokenize: .Custom("commas"))).sql,
        #"CREATE VIRTUAL TABLE "emails" USING fts4("subject", tokenize="SQLite.swift" "commas")"#))
  }

  @Test(arguments: modules)
  func `a tokenizer that misbehaves harms nobody`(_ name: String) throws {
    let db = try Place.memory.open().db
    let other = "another text, and longer"
    let hostile: [(String) -> (String, Range<String.Index>)?] = [
      { _ in nil },
      // Never goes on.
      { ("x", $0.startIndex..<$0.startIndex) },
      // A place in another text.
      { _ in ("x", other.startIndex..<other.endIndex) },
      { ("", $0.startIndex..<$0.endIndex) },
      { (String(repeating: "y", count: 100_000), $0.startIndex..<$0.endIndex) },
      { ("a\0b", $0.startIndex..<$0.index(after: $0.startIndex)) },
    ]
    for (number, next) in hostile.enumerated() {
      let table = VirtualTable("t\(number)")
      try db.registerTokenizer("hostile\(number)", next: next)
      try db.run(table.create(module(name, .Custom("hostile\(number)"))))
      try db.run(table.insert(subject <- "some text, é"))
      _ = try db.scalar(table.count)
      _ = try? db.scalar(table.match("x").count)
    }
    #expect(throws: Result.self) { try db.run(emails.create(module(name, .Custom("nobody")))) }
    #expect(try db.integrityCheck().isEmpty)
  }
}
