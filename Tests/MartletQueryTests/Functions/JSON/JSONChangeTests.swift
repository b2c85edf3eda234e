/// Changes of documents that follow each other: one call of SQLite's where that is the same, and calls of calls
/// everywhere else.
import Foundation
import MartletQuery
import MartletValues
import Testing

@Suite struct JSONChangeTests {
  private typealias Changed = SQLQueryExpression<Author.JSONRepresentation>

  let sample: Sample

  init() throws {
    sample = try Sample()
    try sample.addDocuments()
  }

  private static func link(_ number: Int) -> Link {
    Link(title: "l\(number)", homepage: URL(string: "https://\(number).example")!)  // because the test writes it
  }

  private static let kinds = 18

  private static func change(_ kind: Int, _ n: Int, _ document: Changed) -> Changed {
    switch kind {
    case 0: document.jsonSet(\.name, "n\(n)")
    case 1: document.jsonSet(\.links, [link(n), link(n + 1)])
    case 2: document.jsonSet(\.links[0], link(n))
    case 3: document.jsonSet(\.links[1], link(n))
    case 4: document.jsonSet(\.links[-1], link(n))
    case 5: document.jsonSet(\.links[0].title, "t\(n)")
    case 6: document.jsonSet(\.links[-1].title, "t\(n)")
    case 7: document.jsonInsert(\.links, [link(n)])
    case 8: document.jsonInsert(\.links[0], link(n))
    case 9: document.jsonInsert(\.links[2].title, "i\(n)")
    case 10: document.jsonInsert(\.name, "i\(n)")
    case 11: document.jsonReplace(\.links, [link(n)])
    case 12: document.jsonReplace(\.links[0], link(n))
    case 13: document.jsonReplace(\.links[-1].title, "r\(n)")
    case 14: document.jsonAppend(\.links, link(n))
    case 15: document.jsonInsert(\.links[-1].title, "a\(n)")
    case 16: document.jsonSet(\.isActive, n % 2 == 0)
    default: document.jsonRemove(\.links)
    }
  }

  private func text(_ expression: Changed) throws -> String {
    guard case .text(let text) = try sample.run(Values(expression)).row(0)[0] else { return "NULL" }
    return text
  }

  private static func bound(_ text: String) -> Changed {
    Changed(.bind(.text(text)), as: Author.JSONRepresentation.self)
  }

  @Test func `changes that are written together are those that follow each other`() throws {
    var random = SystemRandomNumberGenerator()
    for round in 0..<400 {
      let start = round % 3 == 0 ? "{}" : #"{"name":"x","links":[{"title":"a"},{"title":"b"}],"isActive":true}"#
      let kinds = (0..<Int.random(in: 2...7, using: &random)).map { _ in Int.random(in: 0..<Self.kinds, using: &random)
      }
      var together = Self.bound(start)
      var apart = start
      for (index, kind) in kinds.enumerated() {
        together = Self.change(kind, 10 * index, together)
        apart = try text(Self.change(kind, 10 * index, Self.bound(apart)))
      }
      #expect(try text(together) == apart, "\(kinds) of \(start)")
    }
  }

  @Test func `assignments of a place and of what is in it are both made`() throws {
    try sample.run(
      Document.find(1).update {
        $0.author[\.links] = [Self.link(1), Self.link(2)]
        $0.author[\.links[0].title] = "second"
        $0.author[\.name] = "N"
        $0.author[\.isActive] = false
      })
    let author = try #require(try sample.all(Document.find(1).select(\.author)).first)
    #expect(author.links.map(\.title) == ["second", "l2"] && author.name == "N" && !author.isActive)
    let sql = Document.update {
      $0.author[\.name] = "N"
      $0.author[\.isActive] = false
    }.sql
    #expect(sql.split(separator: "json_set(").count == 2, "places that are apart are one call")
  }

  @Test func `more changes than a function has arguments are several calls`() throws {
    var document = Self.bound("{}")
    for number in 0..<150 { document = Self.change(0, number, document) }
    #expect(try text(document) == #"{"name":"n149"}"#)
  }
}
