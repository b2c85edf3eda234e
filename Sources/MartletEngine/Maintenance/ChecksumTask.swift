import Dispatch
import MartletSQLite
package import MartletValues

/// Reports, adds or renews the page checksums of a database that no server has open.
///
/// Always true: the database's locks are held meanwhile; a file whose content is damaged stays as it is; what is
/// reported was compared page by page.
package enum ChecksumTask: String, Sendable, CaseIterable {
  /// Compares every page, and changes nothing.
  case status
  /// Gives each page a checksum, if the file has none.
  case on
  /// Makes every checksum anew, after a program wrote to the file that knows of none.
  case renew

  /// What a file's pages are like.
  package struct Report: Sendable, Equatable {
    package var hasChecksums: Bool
    /// Pages that were compared; 0 if there are no checksums.
    package var pages: Int
    /// The pages whose checksums do not hold, at most `EngineLimits.damagedPagesMax` of them; pages count from 1.
    package var damaged: [Int]
    package var damagedCount: Int
    /// The bytes of the log beside the file: what it holds was not compared.
    package var logBytes: Int64

    package init(hasChecksums: Bool, pages: Int, damaged: [Int], damagedCount: Int, logBytes: Int64) {
      self.hasChecksums = hasChecksums
      self.pages = pages
      self.damaged = damaged
      self.damagedCount = damagedCount
      self.logBytes = logBytes
    }
  }

  /// Carries the task out on the database `name` of the data directory at `path`. Blocks for as long as it takes to
  /// read the file and, but for `status`, to write it twice.
  ///
  /// Throws if a server has the directory or the file open, if there is no such database, if its content is
  /// damaged, or if the disk has no room for the copy that VACUUM makes.
  package func run(onDatabase name: String, in path: String, limits: Limits = Limits()) throws(RequestError) -> Report {
    guard DatabaseName.isValid(name) else { throw .databaseNameInvalid }
    let directory = try DataDirectory(path)
    defer { directory.release() }
    let files = try DatabaseFiles(name: name, in: directory, create: false)
    defer { files.release() }
    let before = try report(files, limits)
    switch self {
    case .status: return before
    case .on where before.hasChecksums: return before
    case .renew where !before.hasChecksums: throw .noChecksums(name)
    case .on, .renew:
      try rewrite(files, limits)
      return try report(files, limits)
    }
  }

  private func rewrite(_ files: DatabaseFiles, _ limits: Limits) throws(RequestError) {
    do throws(SQLiteError) {
      let connection = try open(files, .writer, self == .on ? .on : .unverified, limits)
      let words = try connection.text(of: MaintenanceSQL.checkWhole) ?? ""
      if words != "ok" { throw SQLiteError(extendedCode: SQLiteCode.corrupt, message: words) }
      let room = VacuumRoom(directory: files.directory.path)
      if let refusal = room.refusal(bytes: try connection.bytesInUse(), reserve: limits.diskFreeBytesMin) {
        throw SQLiteError(extendedCode: SQLiteCode.full, message: refusal.message)
      }
      try connection.vacuum()
      guard try connection.checkpoint(.truncate).isComplete else {
        throw SQLiteError(extendedCode: SQLiteCode.busy, message: "the log could not be copied")
      }
    } catch {
      switch error.code {
      case SQLiteCode.corrupt: throw .contentDamaged(files.name, error.message)
      case SQLiteCode.full: throw .noRoomForChecksums(error.message)
      default: throw files.explained(error)
      }
    }
  }

  private func report(_ files: DatabaseFiles, _ limits: Limits) throws(RequestError) -> Report {
    // Before SQLite opens it, and makes one if there is none.
    let logBytes = files.logBytes
    do throws(SQLiteError) {
      let connection = try open(files, .reader, .unverified, limits)
      var report = Report(hasChecksums: false, pages: 0, damaged: [], damagedCount: 0, logBytes: logBytes)
      var page: Int? = 1
      while let first = page, let slice = connection.verifyPages(from: first, count: EngineLimits.verifiedPagesPerSlice)
      {
        report.hasChecksums = true
        report.pages += slice.pages
        report.damagedCount += slice.damaged.count
        report.damaged += slice.damaged.prefix(max(0, EngineLimits.damagedPagesMax - report.damaged.count))
        page = slice.next
      }
      return report
    } catch {
      throw files.explained(error)
    }
  }

  private func open(
    _ files: DatabaseFiles, _ access: Connection.Access, _ checksums: PageChecksums, _ limits: Limits
  ) throws(SQLiteError) -> Connection {
    var setup = ConnectionSetup(limits: limits)
    setup.followsLinks = false
    setup.key = files.directory.key?.bytes
    setup.pageChecksums = checksums
    // A file of another program may be in another mode; who only looks at it does not change that.
    setup.keepsJournalMode = access == .reader
    return try Connection(
      path: files.path, label: "checksums", access: access, setup: setup, companion: files, check: files.confirm,
      clock: { DispatchTime.now().uptimeNanoseconds })
  }
}
