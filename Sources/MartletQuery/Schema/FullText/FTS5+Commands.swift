import MartletAST

/// What an FTS5 table is told through its own name: keeping its index in order, and removing rows from it.
///
/// Always true: each is an INSERT into the column that is called like the table.
extension FTS5 {
  /// Merges the index into one piece, which is the fastest to search.
  public static func optimize() -> InsertOf<Self> { command("optimize") }

  /// Makes the index anew from the texts: those of the table, or of its content table.
  public static func rebuild() -> InsertOf<Self> { command("rebuild") }

  /// Fails if the index is damaged or, of a table with content elsewhere and `comparingContent`, not what the
  /// texts say.
  public static func integrityCheck(comparingContent: Bool = false) -> InsertOf<Self> {
    command("integrity-check", rank: comparingContent ? .literal(integer: 1) : nil)
  }

  /// Empties the index of a table whose texts are elsewhere or nowhere.
  public static func deleteAll() -> InsertOf<Self> { command("delete-all") }

  /// A part of the work of `optimize`: about as many pages of the index as `pages` says. Negative to begin it.
  public static func merge(pages: Int) -> InsertOf<Self> { command("merge", rank: .literal(integer: Int64(pages))) }

  /// How `rank` is computed: `bm25` with a weight for each column in its order.
  public static func setRank(weights: Double...) -> InsertOf<Self> {
    let weights = weights.map { $0.description }.joined(separator: ", ")
    return command("rank", rank: .literal(text: "bm25(\(weights))"))
  }

  /// A number that FTS5 can be told to keep: see `FullTextSetting`.
  public static func configure(_ setting: FullTextSetting, to value: Int) -> InsertOf<Self> {
    command(setting.rawValue, rank: .literal(integer: Int64(value)))
  }

  /// Removes a row from the index of a table whose texts are elsewhere or nowhere. The values must be those that were
  /// indexed.
  public static func deleteFromIndex<First: QueryExpression, Second: QueryExpression, each Other: QueryExpression>(
    rowid: some QueryExpression<Int>, _ columns: (TableColumns) -> (First, Second, repeat each Other),
    @ValuesBuilder<(First.QueryValue, Second.QueryValue, repeat (each Other).QueryValue)> values: () ->
      [[QueryFragment]]
  ) -> InsertOf<Self> {
    let names = QueryFragment.columns(columns, of: Self.placedColumns).compactMap(\.columnName)
    return deleting(rowid: rowid.queryFragment, names, values().first ?? [])
  }

  /// A row of one indexed column.
  public static func deleteFromIndex<E: QueryExpression>(
    rowid: some QueryExpression<Int>, _ column: (TableColumns) -> E,
    @ValuesBuilder<E.QueryValue> values: () -> [[QueryFragment]]
  ) -> InsertOf<Self> {
    deleting(
      rowid: rowid.queryFragment, column(columns).columnFragments.compactMap(\.columnName), values().first ?? [])
  }

  /// Triggers that keep the index of a table with its texts in `Content` in step with them: after each insert, update
  /// and delete there. The columns have the same names in both.
  public static func synchronizingTriggers<Content: Table, Key>(
    with content: Content.Type, rowID: KeyPath<Content.TableColumns, TableColumn<Content, Key>>,
    temporary: Bool = false, ifNotExists: Bool = false
  ) -> [CreateTrigger<Content>] where Key.QueryUnwrapped: QueryInteger {
    let key = Content.columns[keyPath: rowID].name
    let names = indexedColumnNames
    func values(of row: String) -> [QueryFragment] { names.map { .column($0, table: row) } }
    let removal = deleting(rowid: .column(key, table: OldRow.aliasName), names, values(of: OldRow.aliasName))
    let addition = InsertOf<Self>(
      parts: InsertParts(
        table: source, columns: ["rowid"] + names,
        source: .rows([[.column(key, table: NewRow.aliasName)] + values(of: NewRow.aliasName)])))
    let operations: [TriggerOperation<Content>] = [
      .insert { _ in addition },
      .update { _, _ in
        removal
        addition
      },
      .delete { _ in removal },
    ]
    return operations.map { operation in
      CreateTrigger(
        "\(tableName)_after_\(operation.eventName)", ifNotExists, .after, operation, isTemporary: temporary,
        SourceLocation(fileID: #fileID, line: #line, column: #column))
    }
  }

  private static func deleting(
    rowid: QueryFragment, _ names: [String], _ values: [QueryFragment]
  ) -> InsertOf<Self> {
    Insert(
      parts: InsertParts(
        table: source, columns: [tableName, "rowid"] + names,
        source: .rows([[.literal(text: "delete"), rowid] + values])))
  }

  private static func command(_ name: String, rank: QueryFragment? = nil) -> InsertOf<Self> {
    let values: [QueryFragment] = [.literal(text: name)] + (rank.map { [$0] } ?? [])
    return Insert(
      parts: InsertParts(
        table: source, columns: [tableName] + (rank == nil ? [] : ["rank"]), source: .rows([values])))
  }
}

/// Numbers that an FTS5 table keeps.
public struct FullTextSetting: RawRepresentable, Sendable, Hashable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// How many pieces of the index are merged by and by while rows are written: 0 (never) to 16, at first 4.
  public static let automerge = FullTextSetting(rawValue: "automerge")
  /// At how many pieces a write merges them at once: at first 16.
  public static let crisisMerge = FullTextSetting(rawValue: "crisismerge")
  /// How many pieces `merge` takes together: 2 to 16, at first 4.
  public static let userMerge = FullTextSetting(rawValue: "usermerge")
  /// The size of a page of the index in bytes: at first 1000.
  public static let pageSize = FullTextSetting(rawValue: "pgsz")
}
