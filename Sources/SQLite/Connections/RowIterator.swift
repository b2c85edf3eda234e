internal import MartletDatabase
internal import MartletQuery
internal import MartletValues

/// What gives elements one by one, and may fail at each.
public protocol FailableIterator: IteratorProtocol {
  /// The next element, or nil after the last.
  func failableNext() throws -> Element?
}

extension FailableIterator {
  /// The next element, or nil after the last. Ends the program where `failableNext` would throw.
  public func next() -> Element? {
    do { return try failableNext() } catch {
      // It ends here because a sequence cannot throw, and an end that is none would hide rows.
      fatalError("\(error) Use `failableNext` where this can happen.")
    }
  }
}

/// The rows of a query, one by one.
///
/// Always true: it reads some rows ahead of what it is asked for, twice as many each time; other statements of the
/// connection may run between two rows. An error comes behind the rows that were read before it.
// Unchecked because what changes is touched only while its connection is kept for it.
public final class RowIterator: FailableIterator, @unchecked Sendable {
  public typealias Element = Row

  private let connection: Connection
  private let rows: ValueRows
  private let shape: ([ResultColumn]) -> RowLayout
  private var layout: RowLayout?
  private var block = RowBlock(RowBatch())
  /// The next row of the block.
  private var place = 0
  private var ahead = 1

  init(
    _ connection: Connection, _ statement: () -> SerializedStatement, shape: @escaping ([ResultColumn]) -> RowLayout
  ) throws {
    self.connection = connection
    self.shape = shape
    rows = try connection.call { try $0.rows(of: statement()) }
    // A server tells what is wrong with a query with its first rows; an embedded database has told it.
    if connection.isRemote { _ = try read() }
  }

  // SQLite's statement is let go of while nobody else uses the connection.
  deinit { connection.exclusively { rows.finish() } }

  /// The next row, or nil after the last. Throws `Result`.
  public func failableNext() throws -> Row? {
    try connection.exclusively {
      if place == block.rowCount, try !read() { return nil }
      guard let layout else { return nil }
      defer { place += 1 }
      return Row(layout, block, place)
    }
  }

  /// Reads a block of rows; false behind the last.
  private func read() throws -> Bool {
    place = 0
    var batch = RowBlock.take(&block)
    block = RowBlock(RowBatch())
    let hasRows = try connection.call(nil, writes: false) { _ in
      try rows.nextBatch(into: &batch, rowsMax: ahead, bytesMax: RowLimits.aheadBytesMax)
    }
    guard hasRows else { return false }
    block = RowBlock(batch)
    ahead = min(2 * ahead, RowLimits.aheadRowsMax)
    if layout == nil { layout = shape(rows.columns.map { ResultColumn(name: $0.name, table: $0.table) }) }
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
