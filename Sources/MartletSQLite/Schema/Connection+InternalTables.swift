/// Bounds what SQLite's own tables hold that it reads as a whole.
extension Connection {
  /// The table that has grown beyond its bound with the rows that a statement has put there; nil if none has.
  ///
  /// Its rows are not counted after each statement, or a dump with a statement for each would take the square of them:
  /// only when it may have grown by a part of what it had, or by many bytes.
  package func internalTable(
    overfilledBy statement: Statement, objects: Int
  ) throws(SQLiteError) -> InternalTable? {
    guard !authorizer.isOwned, !statement.access.fills.isEmpty else { return nil }
    for table in InternalTable.allCases where statement.access.fills.contains(table) {
      let pages = try usedPages()
      if let tally = internalTallies[table], !mayHaveGrown(tally, pages) { continue }
      internalTallies[table] = nil
      // If nobody knows what the statement did, it counts as having filled each.
      guard try text(of: FixedSQL.isThere(table)) != nil else { continue }
      let mostRows = table.mostRows(objects: objects)
      let (rows, bytes) = try count(FixedSQL.size(of: table), mostRows: mostRows)
      if rows > mostRows || bytes > table.mostBytes(objects: objects) { return table }
      internalTallies[table] = InternalTally(rows: rows, changes: totalChanges, pages: pages)
    }
    return nil
  }

  /// One of the tables that are read with the schema, if it has more rows than it may: only a file can have come with
  /// that.
  package func overfullInternalTable(objects: Int) throws(SQLiteError) -> InternalTable? {
    for table in InternalTable.allCases where table.isOfSchema {
      guard try text(of: FixedSQL.isThere(table)) != nil else { continue }
      let mostRows = table.mostRows(objects: objects)
      if try count(FixedSQL.rowCount(of: table), mostRows: mostRows).rows > mostRows { return table }
    }
    return nil
  }

  private func mayHaveGrown(_ tally: InternalTally, _ pages: Int) -> Bool {
    let changed = totalChanges &- tally.changes
    return changed < 0 || changed >= max(1, tally.rows / SQLiteLimits.internalTallyDivisor)
      || pages - tally.pages > SQLiteLimits.internalTallyPages
  }

  private func usedPages() throws(SQLiteError) -> Int {
    let all = try text(of: FixedSQL.readPageCount).flatMap { Int($0) } ?? 0
    return all - (try text(of: FixedSQL.readFreePages).flatMap { Int($0) } ?? 0)
  }

  private func count(_ fixedSQL: String, mostRows: Int) throws(SQLiteError) -> (rows: Int, bytes: Int) {
    let statement = try prepare(fixedSQL, for: .engine)
    try statement.bind(Int64(mostRows) + 1, at: 1)
    guard try statement.step() else { return (0, 0) }
    return (Int(clamping: statement.value(at: 0).integer), Int(clamping: statement.value(at: 1).integer))
  }
}
