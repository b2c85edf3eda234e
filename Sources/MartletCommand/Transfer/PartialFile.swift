import MartletSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is being written and has another name meanwhile.
///
/// Always true: nothing has the file's own name before it is complete; what has that name already is not replaced (on a
/// file system without hard links, unless it came in the moment between the look and the renaming); and whatever ends
/// the writing (an error, Control-C, a signal that ends the program) leaves neither.
struct PartialFile {
  /// Where to write.
  let path: String
  let finalPath: String

  /// Throws if there is something of that name. Nothing is made yet.
  init(for path: String) throws {
    guard !FileText.exists(path) else { throw Self.exists(path) }
    finalPath = path
    self.path = "\(path).partial-\(getpid())"
    discard()
    for ending in Self.endings { UnfinishedFiles.began(self.path + ending) }
  }

  /// Of the file, and of what SQLite writes beside it.
  private static let endings = ["", "-journal", "-wal", "-shm"]

  /// The file is complete and closed: gives it its name.
  func complete() throws {
    // A second name and not a new one, because that fails if there is such a file by now.
    if link(path, finalPath) == 0 { return discard() }
    if errno == EEXIST { throw Self.exists(finalPath) }
    // Not every file system has files of two names. Between this look and the renaming a file may still come.
    guard !FileText.exists(finalPath) else { throw Self.exists(finalPath) }
    guard rename(path, finalPath) == 0 else {
      throw CommandFailure.fileNotRenamed(path, to: finalPath)
    }
    discard()
  }

  /// Takes away what was written, and what SQLite writes beside it.
  func discard() {
    for ending in Self.endings {
      unlink(path + ending)
      UnfinishedFiles.ended(path + ending)
    }
  }

  /// The error, and what has become of the file.
  func explaining(_ error: any Error) -> any Error {
    switch error {
    case is CancellationError: CommandFailure.interrupted(withoutFile: finalPath)
    case is SQLiteError: CommandFailure.explaining(error, doing: finalPath)
    default: error
    }
  }

  private static func exists(_ path: String) -> CommandFailure {
    CommandFailure.fileExists(path)
  }
}
