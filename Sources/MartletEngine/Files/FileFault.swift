import MartletValues

/// What can be wrong with the files of a database, and how an operator and a client are told.
///
/// Always true: the words name the file as the directory calls it, and nothing that is in it.
struct FileFault: Error, Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case missing
    /// Another file has the name.
    case replaced
    /// The file has another name too, under which another program may write to it.
    case hardLinked
    case symbolicLink
    case notRegular
    /// The file is shorter than what has been written to it.
    case truncated
    /// The data directory's path leads somewhere else, or nowhere.
    case directoryGone
    /// The log belongs to the file that was there before, and would be replayed into this one.
    case foreignLog
    case unreadable(SystemFailure)
  }

  var kind: Kind
  /// The file's name in the directory, such as `shop.sqlite-wal`.
  var file: String

  init(_ kind: Kind, of file: String) {
    self.kind = kind
    self.file = file
  }

  /// What is wrong, as the middle of a sentence.
  var words: String {
    switch kind {
    case .missing: "\(file) is not there any more"
    case .replaced: "\(file) is another file than the one that was opened"
    case .hardLinked: "\(file) has a second name (a hard link)"
    case .symbolicLink: "\(file) is a symbolic link"
    case .notRegular: "\(file) is not a regular file"
    case .truncated: "\(file) was cut short"
    case .directoryGone: "the data directory was moved, removed or unmounted"
    case .foreignLog: "\(file) belongs to another database file"
    case .unreadable(let failure): "\(file) cannot be looked at (\(failure.words))"
    }
  }

  /// What has to be done before the database takes writes again.
  var remedy: String {
    switch kind {
    case .missing, .directoryGone: "Put it back where it was"
    case .replaced, .truncated: "Put the right file back"
    case .hardLinked: "Remove the other name"
    case .symbolicLink, .notRegular: "Put the file itself there"
    case .foreignLog: "Move it away, or put the file that it belongs to back"
    case .unreadable: "Give the server its rights on the directory back"
    }
  }

  /// For writes to a database that was open when it happened.
  func fencedError(database: String) -> RequestError {
    .writingStopped(database: database, words, remedy: remedy)
  }

  /// For whoever wants to read from such a database and cannot.
  func readingError(database: String) -> RequestError {
    .readingStopped(database: database, words, remedy: remedy)
  }

  /// For whoever wants to write again before the cause is gone.
  func stillThere(database: String) -> RequestError {
    var error = fencedError(database: database)
    error.code = .failedPrecondition
    error.message = "The database \(database) stays fenced, because the cause is still there: \(words). \(remedy)."
    return error
  }

  /// For a write that was committed to files that were gone by then.
  func outcomeUnknown(database: String) -> RequestError {
    .filesChangedInCommit(database: database, words, remedy: remedy)
  }

  /// For a database that is not opened because of it.
  func refusal(database: String) -> RequestError {
    if case .unreadable(let failure) = kind, failure.isOfDescriptors { return .noDescriptors(database: database) }
    return .filesRefused(database: database, words, remedy: remedy)
  }
}
