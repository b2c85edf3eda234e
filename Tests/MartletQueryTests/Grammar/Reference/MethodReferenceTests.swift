/// Every public method of the builder has an example that calls it, makes the nodes that it claims, survives being
/// bytes, and runs; docs/METHODS.md is made of them.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite
import MartletTestSupport
import Testing

@Suite struct MethodReferenceTests {
  let examples = MethodReference.topics.flatMap(\.examples)

  @Test func `every public method of the builder has an example`() throws {
    let surface = try BuilderSurface()
    #expect(surface.members.count > 300)
    let shown = Set(examples.flatMap(\.members))
    #expect(Set(surface.members.keys).subtracting(shown).sorted() == [], "these have no example")
    #expect(shown.subtracting(surface.members.keys).sorted() == [], "these are no public methods")
    #expect(surface.stale.sorted() == [], "these are left out and not there")
  }

  @Test func `an example calls the methods that it is named for`() throws {
    let surface = try BuilderSurface()
    for example in examples {
      #expect(!example.spelling.isEmpty)
      for member in example.members {
        let declarations = surface.members[member] ?? []
        #expect(
          declarations.contains { MethodCall(of: $0).stands(in: example.spelling) },
          "\(member) does not stand in: \(example.spelling)")
      }
    }
  }

  @Test func `an example makes the nodes that it claims`() throws {
    let grammar = try GrammarText()
    for example in examples {
      let made = try grammar.names(in: example.statement.tree)
      #expect(!example.makes.isEmpty)
      #expect(Set(example.makes).subtracting(made).sorted() == [], "\(example.members): \(example.spelling)")
    }
  }

  @Test func `the SQL that the page shows is what a server makes of the bytes`() throws {
    for example in examples {
      let tree = example.statement.tree
      let bytes = tree.serialized
      let decoded = try ASTStatement.decode(bytes)
      #expect(decoded == tree, "\(example.spelling)")
      let rendered = try StatementRenderer(sqliteVersion: 3_099_000).render(decoded)
      #expect(rendered.sql == example.statement.sql)
      #expect(rendered.sql.contains(example.sql) || example.isExpression)
      #expect(example.statement.built.failure == nil)
      #expect(example.statement.serialized.bytes == bytes, "\(example.spelling)")
    }
  }

  @Test func `each example runs on the SQLite that the page says`() throws {
    let installed = SQLiteLibrary.version
    for example in examples {
      let sample = try Sample.forMethods()
      let needed = try example.needs.map(Self.number) ?? 0
      if needed <= installed {
        #expect(throws: Never.self, "\(example.statement.sql)") { try sample.run(example.statement) }
      } else {
        #expect(throws: (any Error).self, "it runs on an older one: \(example.spelling)") {
          try sample.run(example.statement)
        }
      }
    }
  }

  /// `3.45` as SQLite counts: 3045000.
  private static func number(_ version: String) throws -> Int {
    let parts = try version.split(separator: ".").map { try #require(Int($0)) }
    try #require(parts.count == 2)
    return parts[0] * 1_000_000 + parts[1] * 1000
  }

  @Test func `the page is fresh`() throws {
    let page = MethodReference.page()
    if ProcessInfo.processInfo.environment["MARTLET_WRITE_PAGES"] != nil {
      try page.write(to: MethodReference.path, atomically: true, encoding: .utf8)
    }
    let committed = try String(contentsOf: MethodReference.path, encoding: .utf8)
    // The first line that differs says more than two whole pages.
    let lines = zip(page.components(separatedBy: "\n"), committed.components(separatedBy: "\n"))
    let difference = lines.first { $0 != $1 }
    #expect(difference == nil && page.count == committed.count, "write it anew: see the top of the page")
  }

  @Test(arguments: [
    ("func", "like", false, "$0.title.like(\"a\")", true), ("func", "like", false, "$0.title.unlike(\"a\")", false),
    ("func", "like", false, "like(1)", false), ("func", "where", true, "Note.where { $0.id > 1 }", true),
    ("func", "where", true, "Note.all.where { $0.id > 1 }", false),
    ("func", "where", false, "Note.where { $0.id > 1 }", false),
    ("func", "where", false, "Note.all.where { $0.id > 1 }", true),
    ("func", "where", false, "Note\n  .where { $0.id > 1 }", true), ("var", "now", true, "$0.date < .now", true),
    ("func", "<", true, "$0.id < 1", true), ("func", "<", true, "$0.id <= 1", false),
    ("func", "!", true, "!$0.isDone", true), ("func", "-", true, "-$0.id", true),
    ("func", "-", true, "$0.id-1", false), ("init", "init", false, "Owner(1)", true),
    ("init", "init", false, "Other(1)", false), ("subscript", "subscript", false, "$0.author[\\.name]", true),
  ])
  func `a call is told from other text`(
    keyword: String, name: String, isStatic: Bool, text: String, stands: Bool
  ) {
    var declaration = PublicDeclaration(line: 1, keyword: keyword, name: name, owner: "Owner")
    declaration.isStatic = isStatic
    #expect(MethodCall(of: declaration).stands(in: text) == stands)
  }
}
