/// A disk operation that fails.
public struct DiskFault: Sendable, Equatable, CustomStringConvertible {
  public enum Operation: String, Sendable, CaseIterable {
    case write
    case sync
    case truncate
    case open
    case read
  }

  public enum Kind: String, Sendable, CaseIterable {
    /// EIO, and nothing was done.
    case failed
    /// ENOSPC, and nothing was done.
    case full
    /// EIO, and half of the bytes were written.
    case torn
    /// ENOSPC, and half of the bytes were written.
    case short
  }

  public enum Files: String, Sendable, CaseIterable {
    case any
    case database
    case log
  }

  public var operation: Operation
  public var kind: Kind
  public var files: Files

  /// Which one fails, counted from 1 since the fault was armed.
  public var number: Int

  /// All that come after it fail too.
  public var isPersistent: Bool

  public init(
    _ operation: Operation, _ kind: Kind = .failed, on files: Files = .any, number: Int, isPersistent: Bool = false
  ) {
    self.operation = operation
    self.kind = kind
    self.files = files
    self.number = number
    self.isPersistent = isPersistent
  }

  public var description: String {
    "\(operation.rawValue) \(number) of \(files.rawValue) \(kind.rawValue)\(isPersistent ? ", for good" : "")"
  }
}
