/// How a request ended well: what it changed and which commit it saw or made.
public struct Completion: Sendable, Equatable {
  public var rowsChanged: Int64
  public var lastInsertRowID: Int64
  public var rowsReturned: Int64

  /// The number of the commit that the result saw (reads) or made (writes). It grows with each commit over the life of
  /// the database, restarts of the server included: what was committed later has a larger number. While the server
  /// keeps the database open it grows by one each time; some numbers are skipped when it is opened anew.
  public var commitSequence: UInt64
  public var transaction: TransactionStatus

  /// The shape's id, if the request carried the statement's bytes.
  public var shape: ShapeID?

  /// A step of a batch whose conditions did not hold.
  public var isSkipped: Bool

  public init(
    rowsChanged: Int64 = 0, lastInsertRowID: Int64 = 0, rowsReturned: Int64 = 0, commitSequence: UInt64 = 0,
    transaction: TransactionStatus = .none, shape: ShapeID? = nil, isSkipped: Bool = false
  ) {
    self.rowsChanged = rowsChanged
    self.lastInsertRowID = lastInsertRowID
    self.rowsReturned = rowsReturned
    self.commitSequence = commitSequence
    self.transaction = transaction
    self.shape = shape
    self.isSkipped = isSkipped
  }
}

/// Whether the request ran in an open transaction, with the numbers of the wire.
public enum TransactionStatus: UInt32, Sendable {
  case none = 0
  case read = 1
  case write = 2
  case ended = 3
}
