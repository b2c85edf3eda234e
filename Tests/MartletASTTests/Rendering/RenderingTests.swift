/// Every node of the grammar, rendered, and given to the real library.
///
/// Always true: a field or value that no example uses fails a test, so a new node cannot be forgotten.
import Foundation
import MartletAST
import MartletTestSupport
import Testing

@Suite struct RenderingTests {
  @Test(arguments: Example.all) func `a tree becomes the SQL of its example`(_ example: Example) throws {
    let rendered = try StatementRenderer(sqliteVersion: example.sqliteVersion).render(example.tree)
    #expect(rendered.sql == example.sql)
    let withSpans = try StatementRenderer(sqliteVersion: example.sqliteVersion).render(
      example.tree, collectsSpans: true)
    #expect(withSpans.sql == example.sql)
  }

  @Test func `SQLite takes every example as one statement of the kind that the renderer says`() throws {
    let probe = SQLiteProbe(schema: Example.schema)
    for example in Example.all where example.sqliteVersion <= 3_040_001 {
      let rendered = try StatementRenderer().render(example.tree)
      let answer = probe.prepare(rendered.sql)
      #expect(answer.error == "", "\(rendered.sql)")
      #expect(answer.tail == "", "\(rendered.sql)")
      #expect(answer.parameterCount == rendered.parameterCount, "\(rendered.sql)")
      switch rendered.access {
      case .read: #expect(answer.isReadOnly && answer.columnCount > 0, "\(rendered.sql)")
      case .write, .schema: #expect(!answer.isReadOnly, "\(rendered.sql)")
      case .raw: #expect(rendered.holdsRaw)
      }
      if !rendered.holdsRaw { #expect(rendered.returnsRows == (answer.columnCount > 0), "\(rendered.sql)") }
    }
  }

  @Test func `the examples use every field and every value of the grammar`() throws {
    let grammar = try GrammarText()
    #expect(grammar.messages.count > 50 && grammar.enumerations.count > 12)
    let seen = try Example.all.reduce(into: Set<String>()) { try $0.formUnion(grammar.names(in: $1.tree)) }
    #expect(grammar.allNames.subtracting(seen).sorted() == [], "no example uses these")
  }

  @Test func `what SQLite says about an offset is found back in the tree`() throws {
    let probe = SQLiteProbe(schema: Example.schema)
    let tree = ASTStatement.select {
      $0.columns = [.expression(.column("id"))]
      $0.from = .table("items")
      $0.where = .call(
        .and, .call(.equal, .column("id"), .parameter(1)),
        .call(
          .in, .column("id"),
          .subquery(
            .select {
              $0.columns = [.expression(.column("missing"))]
              $0.from = .table("lists")
            })))
    }
    let rendered = try StatementRenderer().render(tree, collectsSpans: true)
    let answer = probe.prepare(rendered.sql)
    #expect(answer.error == "no such column: missing")
    #expect(
      rendered.path(atOffset: answer.errorOffset)
        == "select.where.call.arguments[1].call.arguments[1].subquery.select.columns[0].expression.column")
    #expect(rendered.path(atOffset: -1) == "" && rendered.path(atOffset: .max) == "")
  }

  @Test func `a span's path leads to a node of the tree`() throws {
    let grammar = try GrammarJSON()
    for example in Example.all where example.tree.insert.upserts.isEmpty {
      let json = try grammar.object(example.tree)
      let rendered = try StatementRenderer(sqliteVersion: example.sqliteVersion)
        .render(example.tree, collectsSpans: true)
      #expect(rendered.spans.count > 1 || example.tree.hasNoNodes)
      for span in rendered.spans {
        var node: Any? = json
        for component in span.path.split(separator: ".") {
          let parts = component.split(separator: "[")
          node = (node as? [String: Any])?[String(parts[0])]
          if parts.count > 1 { node = (node as? [Any])?[Int(parts[1].dropLast()) ?? -1] }
        }
        #expect(node != nil, "\(span.path)")
        #expect(span.range.upperBound <= rendered.sql.utf8.count)
      }
    }
  }

  @Test func `a chain of ten thousand operands stays within SQLite's depth`() throws {
    let probe = SQLiteProbe(schema: [])
    let operands = Array(repeating: ASTExpression.literal(Int64(1)), count: 9_990)
    let rendered = try StatementRenderer().render(.select { $0.columns = [.expression(.call(.add, operands))] })
    #expect(probe.evaluate(rendered.sql).integer == 9_990)
  }

  @Test func `the engine's own aggregate stands in for an order inside one`() throws {
    let tree = ASTStatement.select {
      $0.columns = [
        .expression(
          .function("Group_Concat", .column("t"), .literal(", ")) {
            $0.orderBy = [.by(.column("t"), .descending), .by(.column("u"), .ascending, nulls: .last)]
          })
      ]
      $0.from = .table("x")
    }
    let extensions = EngineExtensions(orderedAggregates: ["group_concat": "martlet_group_concat"])
    let rendered = try StatementRenderer(extensions: extensions).render(tree)
    let probe = { (name: String) in "max(CAST(\"\(name)\" AS INTEGER), 'a', 'a ', 'B')" }
    #expect(
      rendered.sql
        == "SELECT martlet_group_concat('dlal', \"t\", \(probe("t")), \"u\", \(probe("u")), \"t\", ', ')\nFROM \"x\"")
    let newer = try StatementRenderer(sqliteVersion: 3_044_000, extensions: extensions).render(tree)
    #expect(newer.sql.contains("ORDER BY \"t\" DESC, \"u\" ASC NULLS LAST)"))
  }
}

extension ASTStatement {
  fileprivate var hasNoNodes: Bool {
    switch kind {
    case .drop, .alterTable, .insert: true
    default: false
    }
  }
}
