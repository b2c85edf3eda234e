/// The grammar is closed: what the builder makes is all of it, and each tree means the same wherever it goes.
///
/// Always true: what no expression of the builder makes stands in a list here with the reason; an entry that has become
/// wrong fails.
import Foundation
import MartletAST
import MartletQuery
import MartletTestSupport
import SwiftProtobuf
import Testing

@Suite struct GrammarTests {
  /// What the builder does not make, and why.
  static let notBuilt: [String: String] = {
    let reasons: [String: [String]] = [
      "columns are named one by one, so that rows are as wide as their type": ["AllColumns.table", "ResultColumn.all"],
      "a table has a name of its own in its query": ["Column.schema", "Insert.alias", "TableFunction.schema"],
      "the query of a common table names its columns": ["CommonTable.columns"],
      "a join has a condition that is written out": ["Join.natural", "Join.using"],
      "joins go from left to right": ["JoinedTables.from", "JoinedTables.joins", "TableSource.joined"],
      "truth is a value that is bound, 0 or 1": ["Literal.Keyword.KEYWORD_FALSE", "Literal.Keyword.KEYWORD_TRUE"],
      "SQLite runs no NOT MATCH: the operator is an index's": ["Operator.OPERATOR_NOT_MATCH"],
      "`json_extract` does it, in both": [
        "Operator.OPERATOR_JSON_EXTRACT", "Operator.OPERATOR_JSON_EXTRACT_VALUE",
      ],
    ]
    return reasons.reduce(into: [:]) { result, entry in for name in entry.value { result[name] = entry.key } }
  }()

  @Test func `the builder makes every node, field and value of the grammar`() throws {
    let grammar = try GrammarText()
    let built = try GrammarExamples.all.reduce(into: Set<String>()) { names, statement in
      names.formUnion(try grammar.names(in: statement.tree))
    }
    let missing = grammar.allNames.subtracting(built)
    #expect(missing.subtracting(Self.notBuilt.keys).sorted() == [], "nothing builds these")
    #expect(Set(Self.notBuilt.keys).subtracting(missing).sorted() == [], "these are built by now")
  }

  @Test func `a tree is the same after it was bytes`() throws {
    for statement in GrammarExamples.all {
      let tree = statement.tree
      let bytes: [UInt8] = try tree.serializedBytes()
      #expect(try ASTStatement.decode(bytes) == tree, "\(statement.sql)")
    }
  }

  @Test func `a client shows the SQL that a server makes of the bytes`() throws {
    for statement in GrammarExamples.all {
      #expect(statement.built.failure == nil, "\(statement.sql)")
      let bytes: [UInt8] = try statement.tree.serializedBytes()
      let rendered = try StatementRenderer(sqliteVersion: 3_044_000).render(ASTStatement.decode(bytes))
      #expect(rendered.sql == statement.sql)
      #expect(rendered.parameterCount == statement.parameters.count, "\(statement.sql)")
    }
  }
}
