internal import MartletDatabase
internal import MartletQuery
internal import MartletValues
internal import Synchronization

/// What gives elements one by one, and may fail at each.
public protocol FailableIterator: IteratorProtocol {
  /// The next element, or nil after the last.
  func failableNext() throws -> Element?
}

extension FailableIterator {
  /// The next element, or nil after the last. Ends the program if `failableNext` would throw.
  public func next() -> Element? {
    do { return try failableNext() } catch {
      // It ends here because a sequence cannot throw, and ending the rows early would hide some.
      fatalError("\(error) Use `failableNext` where this can happen.")
    }
  }
}

/// The rows of a query, one by one.
///
/// Always true: it reads some rows ahead of what it is asked for, twice as many each time; other statements of the
/// connection may run between two rows. An error comes behind the rows that were read before it.
// Unchecked because what changes is under the mutex, or touched only while the connection is kept for it.
public final class RowIterator: FailableIterator, @unchecked Sendable {
  public typealias Element = Row

  private let connection: Connection
  private let rows: ValueRows
  private let shape: ([ResultColumn]) -> RowLayout
  /// The statement, for an error that tells of it.
  private let failed: (Connection) -> Statement?
  /// Never waits for the connection while it is locked: a transaction of another thread may ask for rows, too.
  private let current = Mutex(Current())
  private var layout: RowLayout?
  private var ahead = 1

  /// The rows that were read last.
  private struct Current: Sendable {
    var layout: RowLayout?
    var block = RowBlock(RowBatch())
    /// The next row of the block.
    var place = 0
    /// How many rows the block has.
    var end = 0

    mutating func next() -> Row? {
      guard place < end, let layout else { return nil }
      defer { place += 1 }
      return Row(layout, block, place)
    }
  }

  init(
    _ connection: Connection, _ statement: () -> SerializedStatement, shape: @escaping ([ResultColumn]) -> RowLayout,
    failed: @escaping (Connection) -> Statement?
  ) throws {
    self.connection = connection
    self.shape = shape
    self.failed = failed
    rows = try connection.call(failed(connection)) { try $0.rows(of: statement()) }
    // A server tells what is wrong with a query with its first rows; an embedded database has told it.
    if connection.isRemote { _ = try read() }
  }

  // SQLite's statement is let go of while nobody else uses the connection.
  deinit { connection.exclusively { rows.finish() } }

  /// The next row, or nil after the last. Throws `Result`.
  public func failableNext() throws -> Row? {
    // The connection is needed for a block of rows, and not for each of them.
    if let row = current.withLock({ $0.next() }) { return row }
    return try connection.exclusively {
      // Another thread may have read meanwhile.
      if let row = current.withLock({ $0.next() }) { return row }
      return try read() ? current.withLock { $0.next() } : nil
    }
  }

  /// Reads a block of rows; false behind the last.
  private func read() throws -> Bool {
    var batch = current.withLock { current in
      let batch = RowBlock.take(&current.block)
      current = Current()
      return batch
    }
    let hasRows = try connection.call(failed(connection)) { _ in
      try rows.nextBatch(into: &batch, rowsMax: ahead, bytesMax: RowLimits.aheadBytesMax)
    }
    guard hasRows else { return false }
    let block = RowBlock(batch)
    ahead = min(2 * ahead, RowLimits.aheadRowsMax)
    let layout = layout ?? shape(rows.columns.map { ResultColumn(name: $0.name, table: $0.table) })
    self.layout = layout
    current.withLock { $0 = Current(layout: layout, block: block, place: 0, end: block.rowCount) }
    return true
  }

  /// What `transform` makes of each row that is left. Throws `Result`, and what `transform` throws.
  public func map<T>(_ transform: (Row) throws -> T) throws -> [T] {
    var elements: [T] = []
    while let row = try failableNext() { elements.append(try transform(row)) }
    return elements
  }

  /// What `transform` makes of each row that is left, without nil.
  public func compactMap<T>(_ transform: (Row) throws -> T?) throws -> [T] {
    try map(transform).compactMap { $0 }
  }
}
