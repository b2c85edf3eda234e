/// The modules that SQLite has: full text, and boxes in space.
extension Module {
  /// `fts4("subject", "body")`
  public static func FTS4(_ column: any Expressible, _ more: any Expressible...) -> Module { FTS4([column] + more) }

  /// `fts4("subject", "body", tokenize=porter)`
  public static func FTS4(_ columns: [any Expressible] = [], tokenize tokenizer: Tokenizer? = nil) -> Module {
    FTS4(FTS4Config().columns(columns).tokenizer(tokenizer))
  }

  /// A table of FTS4 as the configuration says.
  public static func FTS4(_ config: FTS4Config) -> Module {
    var arguments: [ModuleArgument] = config.columnDefinitions.map { .expression($0.column) }
    if let tokenizer = config.tokenizerValue { arguments.append(.tokenizer(tokenizer)) }
    return Module(name: "fts4", arguments: arguments + options(of: config))
  }

  /// A table of FTS5 as the configuration says.
  public static func FTS5(_ config: FTS5Config) -> Module {
    var arguments: [ModuleArgument] = config.columnDefinitions.map { column, options in
      options.contains(.unindexed) ? .unindexed(column) : .expression(column)
    }
    if let tokenizer = config.tokenizerValue { arguments.append(.fullTextTokenizer(tokenizer)) }
    return Module(name: "fts5", arguments: arguments + options(of: config))
  }

  private static func options(of config: FTSConfig) -> [ModuleArgument] {
    (config.contentOptions() + config.options()).map { .option($0.0, $0.1) }
  }

  /// `rtree("id", "minX", "maxX")`: boxes, each with a number and a pair of bounds for each dimension.
  public static func RTree<T: Value, U: Value>(
    _ primaryKey: Expression<T>, _ pairs: (Expression<U>, Expression<U>)...
  ) -> Module where T.Datatype == Int64, U.Datatype == Double {
    Module("rtree", [primaryKey] + pairs.flatMap { [$0.0, $0.1] as [any Expressible] })
  }
}

extension VirtualTable {
  /// `("emails" MATCH 'wonder*')`: rows of the full-text table that the search finds.
  public func match(_ pattern: String) -> Expression<Bool> { matching(pattern.bound) }

  /// `("emails" MATCH "pattern")`
  public func match(_ pattern: Expression<String>) -> Expression<Bool> { matching(pattern.node) }

  /// `("emails" MATCH "pattern")`, NULL if the pattern is.
  public func match(_ pattern: Expression<String?>) -> Expression<Bool?> { matching(pattern.node) }

  private func matching<T>(_ pattern: Node) -> Expression<T> {
    Expression(.infix(.match, Node.column(clauses.from.alias ?? clauses.from.name), pattern))
  }

  /// `SELECT * FROM "emails" WHERE ("emails" MATCH 'wonder*')`
  public func match(_ pattern: String) -> VirtualTable { filter(match(pattern) as Expression<Bool>) }

  /// `SELECT * FROM "emails" WHERE ("emails" MATCH "pattern")`
  public func match(_ pattern: Expression<String>) -> VirtualTable { filter(match(pattern) as Expression<Bool>) }

  /// `SELECT * FROM "emails" WHERE ("emails" MATCH "pattern")`
  public func match(_ pattern: Expression<String?>) -> VirtualTable { filter(match(pattern) as Expression<Bool?>) }
}
