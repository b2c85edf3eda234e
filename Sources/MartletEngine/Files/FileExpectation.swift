/// What the files of an open database must look like: the rules, without the system.
///
/// Always true: pure; whatever differs from what was opened is a fault, and the first one found is told.
struct FileExpectation: Equatable, Sendable {
  /// The files of a database, by what follows its name.
  enum Part: String, CaseIterable, Sendable {
    case database = ""
    case log = "-wal"
    case shared = "-shm"
    case journal = "-journal"
  }

  /// What was there when the database was opened; nil for a file that was not.
  var identities: [Part: FileIdentity] = [:]
  /// The file has been this long, and only the writer makes it shorter.
  var databaseBytes: Int64 = 0
  /// The frames that are in the log reach so far.
  var logBytes: Int64 = 0

  /// What is wrong with one file; nil if it is the one that was opened. Asked with each commit, so the name is made
  /// only if there is something to say.
  func fault(of part: Part, _ status: FileStatus?, named name: @autoclosure () -> String) -> FileFault? {
    guard let wanted = identities[part] else { return nil }
    guard let status else { return FileFault(.missing, of: name()) }
    if let fault = Self.kindFault(status, named: name()) { return fault }
    if status.identity != wanted { return FileFault(.replaced, of: name()) }
    if status.links != 1 { return FileFault(.hardLinked, of: name()) }
    let bytesMin =
      switch part {
      case .database: databaseBytes
      case .log: logBytes
      case .shared, .journal: Int64(0)
      }
    return status.bytes < bytesMin ? FileFault(.truncated, of: name()) : nil
  }

  /// What keeps a file from being opened; nil if it may be, or is not there.
  static func openingFault(_ status: FileStatus?, named file: String) -> FileFault? {
    guard let status else { return nil }
    if let fault = kindFault(status, named: file) { return fault }
    return status.links == 1 ? nil : FileFault(.hardLinked, of: file)
  }

  private static func kindFault(_ status: FileStatus, named name: @autoclosure () -> String) -> FileFault? {
    switch status.kind {
    case .file: nil
    case .link: FileFault(.symbolicLink, of: name())
    case .directory, .other: FileFault(.notRegular, of: name())
    }
  }
}
