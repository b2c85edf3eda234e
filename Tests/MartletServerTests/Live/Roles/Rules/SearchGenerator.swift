/// Random statements that search: what somebody may ask who wants to know what is hidden in an index.
///
/// Always true: the same seed gives the same statement.
import MartletAST
import MartletTestSupport

struct SearchGenerator {
  private var random: SeededGenerator

  /// What stands in FROM: its name there, and columns that may be asked of it.
  private struct Source {
    let node: ASTTableSource
    let name: String
    let columns: [String]
    /// Whether it may be searched.
    let isIndex: Bool
  }

  private static let patterns = [
    "tea", "green*", "\"green tea\"", "other*", "FORBIDDEN*", "secret:FORBIDDEN*", "secret : tea", "title:green",
    "title: tea OR secret: words", "{title secret} : other", "- title : FORBIDDEN*", "^green", "NEAR(green tea)",
    "black NOT other",
    "tea AND secret: FORBIDDEN*", "(", "", "note: 3", "body: tea", "gre* -secret:FORBIDDEN", "highlight(1, '<', '>')",
    "%tea%", "*e?",
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  // MARK: - Statements

  mutating func statement() -> ASTStatement {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return update()
    case 1: return delete()
    case 2:
      let (first, second) = (select(depth: 1, width: 2), select(depth: 1, width: 2))
      return .compound(first, [(pick([.union, .unionAll, .except, .intersect]), second)])
    case 3:
      let inner = select(depth: 1, width: 2)
      let name = chance(80) ? "c" : pick(["pages", "papers"])
      return .with(
        [.named(name, columns: ["title", "body"], as: inner)],
        query(of: [table(name, ["title", "body"], "")], depth: 1))
    default: return select(depth: 2, width: nil)
    }
  }

  private mutating func select(depth: Int, width: Int?) -> ASTStatement {
    var sources = [source(depth: depth)]
    if chance(45) { sources.append(source(depth: depth)) }
    return query(of: sources, depth: depth, width: width)
  }

  private mutating func query(of sources: [Source], depth: Int, width: Int? = nil) -> ASTStatement {
    let count = width ?? Int.random(in: 1...3, using: &random)
    let columns = (0..<count).map { _ in value(sources, depth: depth) }
    let joined = sources.dropFirst().map { source in
      (
        kind: pick([ASTJoin.Kind.inner, .cross, .left]), node: source.node,
        on: chance(40) ? condition(sources, depth: 0) : nil
      )
    }
    let filter = chance(65) ? condition(sources, depth: depth) : nil
    let group = chance(10) ? value(sources, depth: 0) : nil
    let order = chance(50) ? [value(sources, depth: 0)] : []
    let limit = chance(20)
    return .select {
      $0.columns = columns.enumerated().map { .expression($1, as: "c\($0)") }
      $0.from = sources[0].node
      $0.joins = joined.map { .join($0.kind, $0.node, on: $0.on) }
      if let filter { $0.where = filter }
      if let group { $0.groupBy = [group] }
      $0.orderBy = order.map { .by($0) }
      if limit { $0.limit = .literal(Int64(5)) }
    }
  }

  private mutating func update() -> ASTStatement {
    let target = pick(
      SearchTwins.sources.filter { ["notes", "papers", "letters", "pages", "leaves"].contains($0.name) })
    let sources = [table(target.name, target.columns, "")]
    let column = target.name == "notes" ? pick(["title", "data"]) : target.columns[0]
    let new = chance(50) ? ASTExpression.literal("found") : value(sources, depth: 0)
    let filter = condition(sources, depth: 1)
    let returned = chance(40) ? value(sources, depth: 0) : nil
    return .update(target.name) {
      $0.assignments = [.set(column, new)]
      $0.where = filter
      if let returned { $0.returning = [.expression(returned)] }
    }
  }

  private mutating func delete() -> ASTStatement {
    let target = pick(
      SearchTwins.sources.filter { ["notes", "papers", "letters", "pages", "boxes"].contains($0.name) })
    let filter = condition([table(target.name, target.columns, "")], depth: 1)
    return .delete(from: target.name) { $0.where = filter }
  }

  // MARK: - Sources

  private func table(_ name: String, _ columns: [String], _ alias: String) -> Source {
    Source(
      node: .table(name, as: alias), name: alias.isEmpty ? name : alias, columns: columns,
      isIndex: ["papers", "letters", "pages", "leaves"].contains(name))
  }

  private mutating func source(depth: Int) -> Source {
    let chosen = pick(SearchTwins.sources)
    let alias = chance(60) ? "" : pick(["a", "b", "pages", "papers", "secret"])
    if chosen.name == "json" {
      let text = pick([#"["FORBIDDEN tea", 1, "2"]"#, "[1,2,3,4,5,6,7,8]", #"{"a":{"b":[1]}}"#])
      let name = pick(["json_each", "json_tree"])
      return Source(
        node: .function(name, [.literal(text)], as: alias), name: alias.isEmpty ? name : alias, columns: chosen.columns,
        isIndex: false)
    }
    guard depth > 1, chance(15) else { return table(chosen.name, chosen.columns, alias) }
    let inner = [table(chosen.name, chosen.columns, "")]
    let filter = chance(50) ? condition(inner, depth: 0) : nil
    let query = ASTStatement.select {
      $0.columns = chosen.columns.map { .expression(.column($0), as: $0) }
      $0.from = inner[0].node
      if let filter { $0.where = filter }
    }
    return Source(node: .subquery(query, as: "s"), name: "s", columns: chosen.columns, isIndex: false)
  }

  // MARK: - Expressions

  private mutating func column(_ sources: [Source]) -> ASTExpression {
    let source = pick(sources)
    if chance(3) { return .column(pick(["secret", "rank", "tenant", "rowid"])) }
    if chance(4) { return .column(source.name, pick([source.name, "secret", "rank", "tenant", "rowid"])) }
    let name = pick(source.columns)
    return chance(90) ? .column(source.name, name) : .column(name)
  }

  private mutating func value(_ sources: [Source], depth: Int) -> ASTExpression {
    let one = ASTExpression.literal(Int64.random(in: 0...2, using: &random))
    let open = sources.first(where: \.isIndex) ?? sources[0]
    let index = chance(80) ? ASTExpression.column(open.name) : column(sources)
    switch Int.random(in: 0..<70, using: &random) {
    case 0: return .function("highlight", index, one, .literal("<"), .literal(">"))
    case 1: return .function("snippet", index, one, .literal("<"), .literal(">"), .literal("…"), .literal(Int64(4)))
    case 2: return .function("bm25", index)
    case 3: return pick([.function("offsets", index), .function("matchinfo", index), .function("snippet", index)])
    case 4, 10, 11, 12: return .function(pick(["length", "upper", "typeof", "hex", "quote", "count"]), column(sources))
    case 5, 13, 14:
      return .function("json_extract", column(sources), .literal(pick(["$.n", "$.tags[0]", "$", "$.secret"])))
    case 6, 15: return .call(.concatenate, column(sources), column(sources))
    case 7...8 where depth > 0, 16...18 where depth > 0:
      return .subquery(query(of: [source(depth: 0)], depth: 0, width: 1))
    case 19, 20: return condition(sources, depth: 0)
    default: return column(sources)
    }
  }

  private mutating func condition(_ sources: [Source], depth: Int) -> ASTExpression {
    let pattern = ASTExpression.literal(pick(Self.patterns))
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .call(.match, column(sources), pattern)
    case 1, 2, 3, 4:
      guard let index = sources.first(where: \.isIndex) else { return .call(.like, column(sources), pattern) }
      return .call(.match, chance(50) ? .column(index.name, pick(index.columns)) : .column(index.name), pattern)
    case 5: return .function("match", pattern, column(sources))
    case 6:
      return .call(pick([.like, .glob, .equal, .notEqual, .less, .greaterOrEqual, .is]), column(sources), pattern)
    case 7: return .call(.equal, column(sources), .literal(Int64.random(in: -2...12, using: &random)))
    case 8: return .call(.equal, column(sources), column(sources))
    case 9 where depth > 0: return .exists(query(of: [source(depth: 0)], depth: 0, width: 1))
    case 10 where depth > 0:
      return .in(column(sources), [.subquery(query(of: [source(depth: 0)], depth: 0, width: 1))])
    case 11 where depth > 0: return .call(.not, condition(sources, depth: depth - 1))
    case 12, 13:
      guard depth > 0 else { return .call(.greater, column(sources), .literal(Int64(3))) }
      return .call(chance(75) ? .and : .or, condition(sources, depth: depth - 1), condition(sources, depth: depth - 1))
    default: return .call(.equal, column(sources), .literal("green tea 4"))
    }
  }
}
