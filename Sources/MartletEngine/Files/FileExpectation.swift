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
  var identities = Identities()
  /// One place for each part. Not a dictionary, because each commit asks for three of them.
  struct Identities: Equatable, Sendable {
    private var database: FileIdentity?
    private var log: FileIdentity?
    private var shared: FileIdentity?
    private var journal: FileIdentity?

    subscript(part: Part) -> FileIdentity? {
      get {
        switch part {
        case .database: database
        case .log: log
        case .shared: shared
        case .journal: journal
        }
      }
      set {
        switch part {
        case .database: database = newValue
        case .log: log = newValue
        case .shared: shared = newValue
        case .journal: journal = newValue
        }
      }
    }
  }

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

  /// What is wrong with one file for a connection that is opened now, to read: neither a second name, nor that a log
  /// has gone of which all was copied, changes what it would read.
  func readingFault(of part: Part, _ status: FileStatus?, named name: @autoclosure () -> String) -> FileFault? {
    var status = status
    status?.links = 1
    guard let fault = fault(of: part, status, named: name()) else { return nil }
    return part == .log && logBytes == 0 && (status.map { $0.kind == .file && $0.bytes == 0 } ?? true) ? nil : fault
  }

  /// Which of the two has lost its name, if the log has to be copied for it and can be; nil otherwise.
  ///
  /// An empty file under the log's name is as good as none: SQLite makes one for a connection that is opened later. The
  /// open shared file orders the connections that have it, with a name or without; a new one under its name would be
  /// another program's, which knows nothing of this log.
  func lostPart(log: FileStatus?, shared: FileStatus?) -> Part? {
    if let shared, shared.kind != .file || shared.identity != identities[.shared] { return nil }
    guard let log else { return .log }
    if log.kind == .file, log.identity != identities[.log] { return log.bytes == 0 ? .log : nil }
    return shared == nil && fault(of: .log, log, named: "") == nil ? .shared : nil
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
