import CSQLite

/// What looking at some pages of a file found.
package struct PageSlice: Sendable, Equatable {
  /// Pages that were looked at.
  package var pages: Int
  /// Pages whose checksum does not hold, or that cannot be read; pages count from 1.
  package var damaged: [Int]
  /// The page to go on with; nil at the end of the file.
  package var next: Int?
}

extension Connection {
  /// Whether the file's pages have checksums; false if it is empty.
  package var hasPageChecksums: Bool { pageFile?.pointee.hasChecksums ?? false }

  var pageFile: UnsafeMutablePointer<PageFile>? { pageFile(of: "main") }

  /// Nil if there is no such schema, or if it is in memory.
  func pageFile(of schema: String) -> UnsafeMutablePointer<PageFile>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(handle, schema, SQLITE_FCNTL_FILE_POINTER, &file)
    return result == SQLITE_OK ? PageFileMethods.pageFile(file) : nil
  }

  /// What a commit writes to the log goes there as one write, right before its sync. Only for connections that sync
  /// each commit: without the sync, others would see a commit before it is in the file.
  func gatherFrames() { pageFile?.pointee.gathersFrames = true }

  func apply(_ checksums: PageChecksums) throws(SQLiteError) {
    guard !isTransient else { return }
    var result = SQLITE_OK
    if checksums == .unverified {
      var verifies: Int32 = 0
      result = sqlite3_file_control(handle, "main", PageFileRequest.setVerifies, &verifies)
    }
    // SQLCipher takes reserved bytes of a page for its own use, and could not vacuum such a file.
    if result == SQLITE_OK, checksums != .off, access == .writer, !SQLiteLibrary.hasKeys {
      // For a file that has pages already, this takes effect only when VACUUM rewrites the file.
      var reserved = Int32(PageChecksum.bytes)
      result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
    }
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  /// Compares the checksums of up to `count` pages of the file from `page` on, free ones included, past SQLite's cache.
  /// Nil if the file has no checksums. Pages that lie in the write-ahead log only are not looked at.
  ///
  /// May be called beside writers: a page whose checksum does not hold is read again, since a checkpoint may have been
  /// writing it.
  package func verifyPages(from page: Int, count: Int) -> PageSlice? {
    guard let file = pageFile else { return nil }
    file.pointee.refresh()
    guard file.pointee.hasChecksums else { return nil }
    let first = max(1, page)
    let total = file.pointee.pageCount()
    let end = min(total, first - 1 + max(1, count))
    var slice = PageSlice(pages: 0, damaged: [], next: end < total ? end + 1 : nil)
    guard first <= end else { return slice }
    for page in first...end {
      slice.pages += 1
      if !holds(page, in: file) { slice.damaged.append(page) }
    }
    return slice
  }

  private func holds(_ page: Int, in file: UnsafeMutablePointer<PageFile>) -> Bool {
    for attempt in 0..<4 {
      if file.pointee.pageHolds(page) == true { return true }
      if attempt < 3 { sqlite3_sleep(2) }
    }
    // The page may be gone, if the file was cut meanwhile.
    return page > file.pointee.pageCount()
  }
}
