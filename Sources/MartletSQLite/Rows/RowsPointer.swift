import CSQLite

/// Rows that a program sent as one parameter, column by column, where the virtual tables read them.
///
/// Always true: every column has memory for `rowCount` rows and every text lies within its column's bytes, so a cursor
/// reads without checks. The memory is a copy of its own and lives as long as the object, which a binding retains.
package final class RowsPointer {
  /// The kinds of columns, with the numbers that they have in a batch of rows.
  package enum Kind: UInt8, Sendable {
    case null = 0
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case mixed = 5
  }

  /// One column as its owner holds it; empty if the kind has no use for an array.
  package struct Source {
    package var kind: Kind
    package var nulls: UnsafeBufferPointer<UInt8>
    package var tags: UnsafeBufferPointer<UInt8>
    package var integers: UnsafeBufferPointer<Int64>
    package var reals: UnsafeBufferPointer<Double>
    package var ends: UnsafeBufferPointer<UInt32>
    package var data: UnsafeBufferPointer<UInt8>

    package init(
      kind: Kind, nulls: UnsafeBufferPointer<UInt8>, tags: UnsafeBufferPointer<UInt8>,
      integers: UnsafeBufferPointer<Int64>, reals: UnsafeBufferPointer<Double>, ends: UnsafeBufferPointer<UInt32>,
      data: UnsafeBufferPointer<UInt8>
    ) {
      self.kind = kind
      self.nulls = nulls
      self.tags = tags
      self.integers = integers
      self.reals = reals
      self.ends = ends
      self.data = data
    }
  }

  /// What a column looks like to a cursor.
  struct Column {
    var kind = Kind.null
    var nulls: UnsafePointer<UInt8>?
    var tags: UnsafePointer<UInt8>?
    var integers: UnsafePointer<Int64>?
    var reals: UnsafePointer<Double>?
    var ends: UnsafePointer<UInt32>?
    var data: UnsafePointer<UInt8>?
  }

  /// What SQLite calls the pointer; a pointer of any other kind is no rows.
  static let typeName = StaticString("martlet_rows")

  package let rowCount: Int
  package let columnCount: Int
  let columns: UnsafeMutablePointer<Column>
  private var allocations: [UnsafeMutableRawPointer] = []

  /// Room for `columnCount` columns of `rowCount` rows, all NULL until they are set.
  package init(rowCount: Int, columnCount: Int) {
    self.rowCount = max(0, rowCount)
    self.columnCount = max(0, columnCount)
    columns = .allocate(capacity: self.columnCount)
    columns.initialize(repeating: Column(), count: self.columnCount)
  }

  deinit {
    for allocation in allocations { allocation.deallocate() }
    columns.deallocate()
  }

  /// Copies one column. False, and nothing changed, if the arrays do not fit `rowCount` or each other.
  package func setColumn(_ index: Int, _ source: Source) -> Bool {
    guard index >= 0, index < columnCount, isWellFormed(source) else { return false }
    columns[index] = Column(
      kind: source.kind, nulls: copy(source.nulls), tags: copy(source.tags), integers: copy(source.integers),
      reals: copy(source.reals), ends: copy(source.ends), data: copy(source.data))
    return true
  }

  private func isWellFormed(_ source: Source) -> Bool {
    var holds = (integers: false, reals: false, bytes: false)
    func note(_ kind: Kind) {
      switch kind {
      case .integer: holds.integers = true
      case .real: holds.reals = true
      case .text, .blob: holds.bytes = true
      case .null, .mixed: break
      }
    }
    if source.kind == .mixed {
      guard source.tags.count >= rowCount else { return false }
      for tag in source.tags {
        guard let kind = Kind(rawValue: tag), kind != .mixed else { return false }
        note(kind)
      }
    } else {
      note(source.kind)
    }
    guard !holds.integers || source.integers.count >= rowCount, !holds.reals || source.reals.count >= rowCount,
      !holds.bytes || source.ends.count >= rowCount,
      source.nulls.isEmpty || source.nulls.count >= (rowCount + 7) / 8
    else { return false }
    var last: UInt32 = 0
    for end in source.ends {
      if end < last { return false }
      last = end
    }
    return Int(last) <= source.data.count
  }

  private func copy<Element: BitwiseCopyable>(_ source: UnsafeBufferPointer<Element>) -> UnsafePointer<Element>? {
    guard let start = source.baseAddress, !source.isEmpty else { return nil }
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: source.count)
    memory.initialize(from: start, count: source.count)
    allocations.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }

  /// Binds with a reference of SQLite's own, which it gives up when the binding is replaced, cleared or finalized.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    // Retained because the binding outlives this call; SQLite calls the destructor exactly once, also on failure.
    let reference = Unmanaged.passRetained(self).toOpaque()
    // A static string's address is constant because it lies in the program's own data, as SQLite demands of the name.
    let name = UnsafeRawPointer(Self.typeName.utf8Start).assumingMemoryBound(to: CChar.self)
    return sqlite3_bind_pointer(statement, index, reference, name) { reference in
      guard let reference else { return }
      // Releases the reference above, because SQLite is done with the binding.
      Unmanaged<RowsPointer>.fromOpaque(reference).release()
    }
  }
}
