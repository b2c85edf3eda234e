public import MartletValues

/// One tree as SQL text, with what a caller must know about it without reading the text.
///
/// Always true: `sql` is one statement unless the tree holds raw text, and holds no value that a program bound.
public struct RenderedStatement: Sendable, Equatable {
  public var sql: String

  /// The highest index that the tree uses; text of raw nodes may use more, which only SQLite can count.
  public var parameterCount: Int

  /// The list parameters by index, with the width of their rows (1 for a plain list).
  public var listParameters: [Int: Int]

  public var access: StatementAccess

  /// There is a raw node somewhere in the tree: a permission of its own.
  public var holdsRaw: Bool

  /// The permissions that running it needs, as far as the tree shows them.
  public var needs: Permissions

  /// SELECT, VALUES or RETURNING; true if the statement itself is raw, because only SQLite can tell.
  public var returnsRows: Bool

  /// It writes one row, as far as the tree shows, and SQLite looks at all of that before it changes anything.
  public var insertsOneRow: Bool

  /// Claims of whoever runs it that the conditions on rows ask for: parameters behind those of the tree, in this order.
  public var claims: [String] = []

  /// The last result column only checks rows that were written; no client gets it.
  public var checksNewRows = false

  /// Queries that must compile before the statement does: each has the conditions on rows alone with their table.
  /// Inside the statement, a name that the table lacks could be taken for a name of the tree.
  public var trials: [String] = []

  /// Nothing of it is evaluated for a row before the row's own condition.
  public var isGuarded = false

  /// Tables, in lower case, whose rows conditions find again by their rowid: each table must have one.
  public var lookups: [String] = []

  /// What SQLite may touch for it; empty without rules for tables.
  public var reach = TreeReach()

  /// What its bound values must be; empty without rules for tables.
  public var valueDemands = ValueDemands()

  /// Which node gave which part of `sql`; empty unless the renderer was told to collect them. A node comes after the
  /// nodes inside it.
  public var spans: [SourceSpan]

  /// The path of the innermost node whose text holds the byte at `offset`; empty if there is none or spans were
  /// not collected. Raw text is one node however long it is, so its path ends with the byte in it: `raw.parts[0]@17`.
  ///
  /// - Parameter offset: in bytes of UTF-8, as `sqlite3_error_offset` gives it; anything else finds nothing.
  public func path(atOffset offset: Int) -> String {
    guard let span = spans.first(where: { $0.range.contains(offset) }) else { return "" }
    return span.place.isRawText ? "\(span.path)@\(offset - span.range.lowerBound)" : span.path
  }

  /// The path of the node that stands inside the most others, the first of them in the text; empty if spans were
  /// not collected.
  public var deepestPath: String {
    var deepest: SourceSpan?
    for span in spans where span.place.depth > deepest?.place.depth ?? 0 { deepest = span }
    return deepest?.path ?? ""
  }
}
