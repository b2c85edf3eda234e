import Synchronization

/// Who has to know of each database's file that a connection opens, attached ones too, and keeps something of it while
/// it is open, such as a lock.
///
/// Always true: what is kept goes after SQLite has closed the file; one of these lives as long as the process.
package final class FileKeeper: Sendable {
  /// What is kept of a file, given its full path; nil if there is no file yet. Throws why SQLite is to refuse it.
  package typealias Keep =
    @Sendable (_ path: String, _ isReadOnly: Bool) throws(Refusal) -> (any AnyObject & Sendable)?

  /// Why a file is not opened.
  package enum Refusal: Error {
    case served
    case notLockable

    var code: Int32 { self == .served ? SQLiteCode.servedFile : SQLiteCode.notLockable }
  }

  /// What SQLite calls the file system that asks.
  let name: String
  private let keep: Keep
  private let registration = Mutex<Bool?>(nil)

  package init(name: String, keep: @escaping Keep) {
    self.name = name
    self.keep = keep
  }

  func take(_ path: String, isReadOnly: Bool) throws(Refusal) -> (any AnyObject & Sendable)? {
    try keep(path, isReadOnly)
  }

  /// Whether SQLite accepted the file system; `register` is called the first time.
  func isRegistered(_ register: (FileKeeper) -> Bool) -> Bool {
    registration.withLock { known in
      if let known { return known }
      let result = register(self)
      known = result
      return result
    }
  }
}

extension FileKeeper: Equatable {
  package static func == (one: FileKeeper, other: FileKeeper) -> Bool { one === other }
}
