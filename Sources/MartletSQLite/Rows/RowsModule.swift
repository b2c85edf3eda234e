import CSQLite

/// The virtual tables `martlet_list(?)` and `martlet_rows(?)`: a bound parameter read as a table.
///
/// Always true: they exist only as functions in FROM (eponymous only) and hold nothing of their own; a parameter that
/// is NULL, missing or anything but bound rows is an empty table. Bindings cannot reach into views or triggers, so
/// these tables cannot either.
enum RowsModule {
  static func register(on handle: OpaquePointer) throws(SQLiteError) {
    for (name, columns) in [("martlet_list", 1), ("martlet_rows", SQLiteLimits.rowsColumnsMax)] {
      // The number is passed as the pointer itself, because it only tells `connect` how many columns to declare.
      let result = sqlite3_create_module_v2(
        handle, name, module, UnsafeMutableRawPointer(bitPattern: columns), nil)
      if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
    }
  }

  /// SQLite keeps the address, so it is allocated once and never freed.
  // Unsafe but shared because it is written before the first connection sees it and never after.
  private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    var callbacks = sqlite3_module()
    callbacks.iVersion = 0
    callbacks.xCreate = nil
    callbacks.xConnect = { connection, columns, _, _, table, _ in
      RowsModule.connect(connection, columnCount: Int(bitPattern: columns), table)
    }
    callbacks.xBestIndex = { table, info in RowsModule.chooseIndex(of: table, info) }
    callbacks.xDisconnect = { table in
      guard let table else { return SQLITE_OK }
      // It is what `connect` allocated, because SQLite passes back what it was given.
      UnsafeMutableRawPointer(table).assumingMemoryBound(to: RowsTable.self).deallocate()
      return SQLITE_OK
    }
    callbacks.xOpen = { _, cursor in
      let opened = UnsafeMutablePointer<RowsCursor>.allocate(capacity: 1)
      opened.initialize(to: RowsCursor())
      // A cursor of SQLite's because `RowsCursor` begins with SQLite's own part.
      cursor?.pointee = UnsafeMutableRawPointer(opened).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    callbacks.xClose = { cursor in
      RowsModule.rows(cursor).deallocate()
      return SQLITE_OK
    }
    callbacks.xFilter = { cursor, _, _, count, values in
      RowsModule.rows(cursor).pointee.start(with: count > 0 ? values?[0] : nil)
      return SQLITE_OK
    }
    callbacks.xNext = { cursor in
      RowsModule.rows(cursor).pointee.row += 1
      return SQLITE_OK
    }
    callbacks.xEof = { cursor in
      let rows = RowsModule.rows(cursor)
      return rows.pointee.row >= rows.pointee.rowCount ? 1 : 0
    }
    callbacks.xColumn = { cursor, context, index in
      RowsModule.rows(cursor).pointee.result(column: Int(index), to: context)
      return SQLITE_OK
    }
    callbacks.xRowid = { cursor, rowID in
      rowID?.pointee = Int64(RowsModule.rows(cursor).pointee.row) + 1
      return SQLITE_OK
    }
    let kept = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    kept.initialize(to: callbacks)
    return UnsafePointer(kept)
  }()

  @inline(__always)
  private static func rows(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<RowsCursor> {
    // Never nil because SQLite passes back what `xOpen` gave it, and `RowsCursor` begins with SQLite's own part.
    UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: RowsCursor.self)
  }

  private static func connect(
    _ connection: OpaquePointer?, columnCount: Int,
    _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    let sql = columnCount == 1 ? FixedSQL.listTable : FixedSQL.rowsTable(columnCount: columnCount)
    let result = sqlite3_declare_vtab(connection, sql)
    guard result == SQLITE_OK else { return result }
    let made = UnsafeMutablePointer<RowsTable>.allocate(capacity: 1)
    made.initialize(to: RowsTable(hiddenColumn: Int32(clamping: columnCount)))
    // A table of SQLite's because `RowsTable` begins with SQLite's own part.
    table?.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  /// There is one way to read the table: with the parameter if it is given, and as an empty one if it is not.
  private static func chooseIndex(
    of table: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
  ) -> Int32 {
    guard let table, let info else { return SQLITE_ERROR }
    // It is a `RowsTable` because `connect` made every table of this module.
    let hidden = UnsafeMutableRawPointer(table).assumingMemoryBound(to: RowsTable.self).pointee.hiddenColumn
    var isGivenLater = false
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.iColumn == hidden, Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ else { continue }
      guard constraint.usable != 0 else {
        isGivenLater = true
        continue
      }
      info.pointee.aConstraintUsage[index].argvIndex = 1
      info.pointee.aConstraintUsage[index].omit = 1
      info.pointee.estimatedRows = SQLiteLimits.presumedRows
      info.pointee.estimatedCost = Double(SQLiteLimits.presumedRows)
      return SQLITE_OK
    }
    // The planner then tries another order of the tables, in which the parameter is known.
    if isGivenLater { return SQLITE_CONSTRAINT }
    info.pointee.estimatedRows = 1
    info.pointee.estimatedCost = 1
    return SQLITE_OK
  }
}

/// A virtual table of SQLite's with what this module adds: SQLite's own part first.
struct RowsTable {
  var base = sqlite3_vtab()
  var hiddenColumn: Int32
}
