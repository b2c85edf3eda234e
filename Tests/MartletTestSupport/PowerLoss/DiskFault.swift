/// A disk operation that fails.
package struct DiskFault: Sendable, Equatable, CustomStringConvertible {
  package enum Operation: String, Sendable, CaseIterable {
    case write
    case sync
    case truncate
    case open
    case read
  }

  package enum Kind: String, Sendable, CaseIterable {
    /// EIO, and nothing was done.
    case failed
    /// ENOSPC, and nothing was done.
    case full
    /// EIO, and half of the bytes were written.
    case torn
    /// ENOSPC, and half of the bytes were written.
    case short
    /// EDQUOT, and nothing was done: SQLite takes it for EIO.
    case quota
  }

  package enum Files: String, Sendable, CaseIterable {
    case any
    case database
    case log
  }

  package var operation: Operation
  package var kind: Kind
  package var files: Files

  /// Which one fails, counted from 1 since the fault was armed.
  package var number: Int

  /// All that come after it fail too.
  package var isPersistent: Bool

  package init(
    _ operation: Operation, _ kind: Kind = .failed, on files: Files = .any, number: Int, isPersistent: Bool = false
  ) {
    self.operation = operation
    self.kind = kind
    self.files = files
    self.number = number
    self.isPersistent = isPersistent
  }

  package var description: String {
    "\(operation.rawValue) \(number) of \(files.rawValue) \(kind.rawValue)\(isPersistent ? ", for good" : "")"
  }
}
