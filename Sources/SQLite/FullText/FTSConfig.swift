/// What the configurations of FTS4 and FTS5 have in common.
public class FTSConfig {
  /// What may be said of a column.
  public enum ColumnOption: Sendable {
    /// The column is kept, and not searched.
    case unindexed
  }

  /// Where the texts are that the table indexes.
  enum Content {
    case own
    case external(String)
    case none
  }

  var columnDefinitions: [(column: Node, options: [ColumnOption])] = []
  var tokenizerValue: Tokenizer?
  var prefixes: [Int] = []
  var content = Content.own

  init() {}

  /// A column.
  @discardableResult
  public func column(_ column: any Expressible, _ options: [ColumnOption] = []) -> Self {
    columnDefinitions.append((column.node, options))
    return self
  }

  /// Columns.
  @discardableResult
  public func columns(_ columns: [any Expressible]) -> Self {
    for column in columns { self.column(column) }
    return self
  }

  /// Columns, with what is said of each.
  @discardableResult
  public func columns(_ columns: [(any Expressible, [ColumnOption])]) -> Self {
    for (column, options) in columns { self.column(column, options) }
    return self
  }

  /// How texts are cut into words.
  @discardableResult
  public func tokenizer(_ tokenizer: Tokenizer?) -> Self {
    tokenizerValue = tokenizer
    return self
  }

  /// Lengths of prefixes that have an index of their own.
  @discardableResult
  public func prefix(_ prefix: [Int]) -> Self {
    prefixes += prefix
    return self
  }

  /// The texts are those of another table or view, which somebody keeps in step.
  @discardableResult
  public func externalContent(_ schema: any SchemaType) -> Self {
    content = .external(schema.clauses.from.name)
    return self
  }

  /// The table finds rows, and keeps no texts.
  @discardableResult
  public func contentless() -> Self {
    content = .none
    return self
  }

  func options() -> [(String, String)] { [] }

  func contentOptions() -> [(String, String)] {
    var options: [(String, String)] = []
    if !prefixes.isEmpty { options.append(("prefix", prefixes.map(String.init).joined(separator: ","))) }
    switch content {
    case .own: break
    case .external(let name): options.append(("content", name))
    case .none: options.append(("content", ""))
    }
    return options
  }
}

/// What a table of FTS4 is made with.
public final class FTS4Config: FTSConfig {
  /// What `matchinfo` returns.
  public enum MatchInfo: String, Sendable {
    /// The format of FTS3, which is smaller.
    case fts3
  }

  /// In which order rows are kept.
  public enum Order: String, Sendable {
    case asc
    case desc
  }

  private var compressFunction: String?
  private var uncompressFunction: String?
  private var languageColumn: String?
  private var matchInfoValue: MatchInfo?
  private var orderValue: Order?

  public override init() {}

  /// Functions by which texts are compressed and come back.
  @discardableResult
  public func compress(_ functionName: String) -> Self {
    compressFunction = functionName
    return self
  }

  /// The function by which compressed texts come back.
  @discardableResult
  public func uncompress(_ functionName: String) -> Self {
    uncompressFunction = functionName
    return self
  }

  /// A hidden column that says which language a row is in.
  @discardableResult
  public func languageId(_ columnName: String) -> Self {
    languageColumn = columnName
    return self
  }

  /// What `matchinfo` returns.
  @discardableResult
  public func matchInfo(_ matchInfo: MatchInfo) -> Self {
    matchInfoValue = matchInfo
    return self
  }

  /// In which order rows are kept, and fastest read.
  @discardableResult
  public func order(_ order: Order) -> Self {
    orderValue = order
    return self
  }

  override func options() -> [(String, String)] {
    var options: [(String, String)] = []
    for (column, settings) in columnDefinitions where settings.contains(.unindexed) {
      options.append(("notindexed", column.columnName ?? ""))
    }
    if let languageColumn { options.append(("languageid", languageColumn)) }
    if let compressFunction { options.append(("compress", compressFunction)) }
    if let uncompressFunction { options.append(("uncompress", uncompressFunction)) }
    if let matchInfoValue { options.append(("matchinfo", matchInfoValue.rawValue)) }
    if let orderValue { options.append(("order", orderValue.rawValue)) }
    return options
  }
}

/// What a table of FTS5 is made with.
public final class FTS5Config: FTSConfig {
  /// What the index keeps about each word.
  public enum Detail: String, Sendable {
    /// Rows, columns and positions.
    case full
    /// Rows and columns: no phrases.
    case column
    /// Rows: no phrases, and no searches of one column.
    case none
  }

  private var detailValue: Detail?
  private var rowidColumn: String?
  private var columnSizeValue: Int?

  public override init() {}

  /// Which column of the table with the texts is their row's number.
  @discardableResult
  public func contentRowId(_ column: any Expressible) -> Self {
    rowidColumn = column.node.columnName
    return self
  }

  /// Whether lengths of texts are kept: 0 or 1.
  @discardableResult
  public func columnSize(_ size: Int) -> Self {
    columnSizeValue = size
    return self
  }

  /// What the index keeps about each word.
  @discardableResult
  public func detail(_ detail: Detail) -> Self {
    detailValue = detail
    return self
  }

  override func options() -> [(String, String)] {
    var options: [(String, String)] = []
    if let rowidColumn { options.append(("content_rowid", rowidColumn)) }
    if let columnSizeValue { options.append(("columnsize", String(columnSizeValue))) }
    if let detailValue { options.append(("detail", detailValue.rawValue)) }
    return options
  }
}
