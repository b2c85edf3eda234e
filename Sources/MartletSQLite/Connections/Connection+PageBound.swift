/// How large a writer's database may become.
extension Connection {
  /// What `PRAGMA max_page_count` is for a statement, and what it was when the connection opened.
  struct PageBound {
    var usual: Int
    /// Bytes that were asked for; nil: the usual bound holds.
    var wanted: Int?
    /// The database was smaller, so the bound is what was asked for.
    var isExact = true
  }

  /// From here on the file grows to so many bytes at most, as SQLite counts pages; nil: as large as SQLite lets it. A
  /// file that is larger stays and does not grow. A statement that needs more fails with `SQLiteCode.full`.
  ///
  /// Costs something only if the bound changes. Called before each statement, so that none runs within the bound of
  /// another.
  package func boundFile(toBytes bytes: Int?) throws(SQLiteError) {
    if pageBound == nil, bytes == nil { return }
    if let bound = pageBound, bound.isExact, bound.wanted == bytes { return }
    let wasArmed = limiter.suspend()
    defer { limiter.resume(wasArmed) }
    var bound = PageBound(usual: 0)
    if let known = pageBound {
      bound = known
    } else {
      bound.usual = try number(of: FixedSQL.readMaxPages)
    }
    let pages = bytes.map { max(1, $0 / pageBytes) } ?? bound.usual
    bound.wanted = bytes
    bound.isExact = try number(of: FixedSQL.maxPages(min(pages, bound.usual))) == min(pages, bound.usual)
    pageBound = bound
  }

  private func number(of fixedSQL: String) throws(SQLiteError) -> Int {
    guard let number = try text(of: fixedSQL).flatMap({ Int($0) }), number > 0 else {
      throw SQLiteError(extendedCode: SQLiteCode.internal, message: "\(fixedSQL) gave no number")
    }
    return number
  }
}
