/// A tree to SQL: validates it first, then writes it, both with the same paths to its nodes.
///
/// Always true: a tree without raw nodes renders to one statement in which every name is quoted and every text escaped.
public struct StatementRenderer: Sendable {
  public var limits: Limits
  /// As `sqlite3_libversion_number` gives it.
  public var sqliteVersion: Int

  public init(limits: Limits = Limits(), sqliteVersion: Int = 3_040_001) {
    self.limits = limits
    self.sqliteVersion = sqliteVersion
  }

  /// - Parameter collectsSpans: whether the result can say which node gave which part of the SQL. It costs a little, so
  ///   render again with it where SQLite refused what was rendered without.
  /// - Throws: `.invalidStatement`, `.limit` or `.unsupported` with the path of the node at fault.
  public func render(_ statement: ASTStatement, collectsSpans: Bool = false) throws(RequestError) -> RenderedStatement {
    throw RequestError(.unimplemented, .unsupported, "This build renders no statements yet.")
  }
}
