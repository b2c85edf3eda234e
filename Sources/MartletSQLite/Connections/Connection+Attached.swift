import CSQLite

/// The files of a connection: the main one, and those that were attached to it.
///
/// Always true: a commit to an attached file says nothing of the main one's log.
extension Connection {
  func watchWAL() {
    guard access == .writer else { return }
    // Unretained because the connection owns the handle that calls.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { context, _, schema, pages in
        guard let context, let schema else { return SQLITE_OK }
        // Unretained because the handle that calls belongs to the connection.
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.committed(to: schema, pages: pages)
        return SQLITE_OK
      }, context)
  }

  private func committed(to schema: UnsafePointer<CChar>, pages: Int32) {
    if sqlite3_stricmp(schema, "main") == 0 { return logGauge.committed(pages: pages) }
    attachedLogs[String(cString: schema)] = pages
  }

  /// Moves the logs of attached files that are longer than `bytes` into their files, as far as that needs no waiting.
  package func checkpointAttached(over bytes: Int) {
    guard !attachedLogs.isEmpty else { return }
    for (schema, pages) in attachedLogs {
      guard let file = pageFile(of: schema) else {
        // It was detached.
        attachedLogs[schema] = nil
        continue
      }
      guard Int(pages) * (file.pointee.pageBytes + 24) > bytes else { continue }
      var (inLog, done): (Int32, Int32) = (0, 0)
      let result = sqlite3_wal_checkpoint_v2(handle, schema, SQLITE_CHECKPOINT_PASSIVE, &inLog, &done)
      // The next commit begins the log anew if all of it was moved, and is counted anew.
      if result == SQLITE_OK, inLog == done { attachedLogs[schema] = nil }
    }
  }

  /// What a `FileKeeper` keeps of the main file.
  package var kept: (any AnyObject & Sendable)? { pageFile?.pointee.kept }

  /// What a `FileKeeper` keeps of each file that is open here.
  package var keptOfAll: [any AnyObject & Sendable] {
    var all: [any AnyObject & Sendable] = []
    var index: Int32 = 0
    while let name = sqlite3_db_name(handle, index) {
      if let kept = pageFile(of: String(cString: name))?.pointee.kept { all.append(kept) }
      index += 1
    }
    return all
  }
}
