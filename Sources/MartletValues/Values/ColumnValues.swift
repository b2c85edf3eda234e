/// The values of one column of a batch, packed by kind.
///
/// Always true: each array is empty, or has a slot for every row; `ends` never decreases and stays within `data`.
/// A column of one kind marks NULLs in `nulls` (empty: none); a mixed column tells each row's kind in `tags`.
public struct ColumnValues: Sendable, Equatable {
  /// The kinds, with the numbers that they have on the wire.
  public enum Kind: UInt8, Sendable {
    case null = 0
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case mixed = 5
  }

  public var kind = Kind.null
  public var nulls: [UInt8] = []
  public var integers: [Int64] = []
  public var reals: [Double] = []
  public var ends: [UInt32] = []
  public var data: [UInt8] = []
  public var tags: [UInt8] = []

  public init() {}

  /// Empties the column and keeps its memory, unless it is much.
  public mutating func reset() {
    kind = .null
    // Most arrays of a column are never used, and emptying even an empty one costs.
    if !nulls.isEmpty { nulls.removeAll(keepingCapacity: true) }
    if !integers.isEmpty { integers.removeAll(keepingCapacity: true) }
    if !reals.isEmpty { reals.removeAll(keepingCapacity: true) }
    if !ends.isEmpty { ends.removeAll(keepingCapacity: true) }
    if !data.isEmpty { data.removeAll(keepingCapacity: data.capacity <= ValueLimits.keptColumnBytesMax) }
    if !tags.isEmpty { tags.removeAll(keepingCapacity: true) }
  }

  /// How much a batch has used of the arrays that grow large.
  package struct Room: Sendable, Equatable {
    var integers = 0
    var reals = 0
    var ends = 0
    var data = 0
  }

  package var room: Room {
    Room(integers: integers.count, reals: reals.count, ends: ends.count, data: data.count)
  }

  /// Makes room for about as much as another batch has used, so that the arrays do not grow step by step. Some more,
  /// because rows are not all of one size.
  package mutating func reserve(_ room: Room) {
    if room.integers > 0 { integers.reserveCapacity(room.integers + room.integers / 8) }
    if room.reals > 0 { reals.reserveCapacity(room.reals + room.reals / 8) }
    if room.ends > 0 { ends.reserveCapacity(room.ends + room.ends / 8) }
    if room.data > 0 { data.reserveCapacity(room.data + room.data / 8) }
  }

  public var byteCount: Int {
    nulls.count + tags.count + data.count + 8 * (integers.count + reals.count) + 4 * ends.count + 8
  }
}

// MARK: - Writing

extension ColumnValues {
  // Each append names the row that it is for, so that a column needs no count of its own. Rows come in order.

  @inlinable
  public mutating func appendInteger(_ value: Int64, row: Int) {
    if kind == .integer && nulls.isEmpty {
      integers.append(value)
    } else {
      prepare(.integer, row: row)
      integers.append(value)
      finish(row: row)
    }
  }

  @inlinable
  public mutating func appendReal(_ value: Double, row: Int) {
    if kind == .real && nulls.isEmpty {
      reals.append(value)
    } else {
      prepare(.real, row: row)
      reals.append(value)
      finish(row: row)
    }
  }

  @inlinable
  public mutating func appendText(_ bytes: UnsafeRawBufferPointer, row: Int) {
    appendBytes(bytes, as: .text, row: row)
  }

  @inlinable
  public mutating func appendBlob(_ bytes: UnsafeRawBufferPointer, row: Int) {
    appendBytes(bytes, as: .blob, row: row)
  }

  /// Bytes beyond 4 GiB in one batch cannot be told apart by `ends`; batches are bounded far below that.
  @inlinable
  mutating func appendBytes(_ bytes: UnsafeRawBufferPointer, as newKind: Kind, row: Int) {
    if kind == newKind && nulls.isEmpty {
      data.append(contentsOf: bytes)
      ends.append(UInt32(truncatingIfNeeded: data.count))
    } else {
      prepare(newKind, row: row)
      data.append(contentsOf: bytes)
      ends.append(UInt32(truncatingIfNeeded: data.count))
      finish(row: row)
    }
  }

  public mutating func appendNull(row: Int) {
    switch kind {
    case .null: break
    case .mixed:
      tags.append(Kind.null.rawValue)
      fill(rows: row + 1)
    default:
      while nulls.count <= row / 8 { nulls.append(0) }
      nulls[row / 8] |= 1 << UInt8(row % 8)
      fill(rows: row + 1)
    }
  }

  public mutating func append(_ value: Value, row: Int) {
    switch value {
    case .null, .rows: appendNull(row: row)
    case .integer(let integer): appendInteger(integer, row: row)
    case .real(let real): appendReal(real, row: row)
    case .text(var text): text.withUTF8 { appendText(UnsafeRawBufferPointer($0), row: row) }
    case .blob(let blob): blob.withUnsafeBytes { appendBlob($0, row: row) }
    }
  }

  /// Makes room for a value of `newKind` at `row`: from all NULL to that kind, or from another kind to mixed.
  @usableFromInline
  mutating func prepare(_ newKind: Kind, row: Int) {
    if kind == .null {
      kind = newKind
      if row > 0 {
        nulls = Array(repeating: 0xFF, count: row / 8)
        if row % 8 > 0 { nulls.append((1 << UInt8(row % 8)) - 1) }
      }
    } else if kind != newKind && kind != .mixed {
      tags = (0..<row).map { isNull(at: $0) ? Kind.null.rawValue : kind.rawValue }
      nulls = []
      kind = .mixed
    }
    if kind == .mixed { tags.append(newKind.rawValue) }
    fill(rows: row, also: newKind)
  }

  /// After a value of `row` was appended: the arrays of other kinds keep their slot for every row.
  @usableFromInline
  mutating func finish(row: Int) {
    if !nulls.isEmpty, nulls.count <= row / 8 { nulls.append(0) }
    fill(rows: row + 1)
  }

  /// Pads the arrays that are in use to `rows` slots.
  private mutating func fill(rows: Int, also newKind: Kind = .null) {
    if !integers.isEmpty || kind == .integer || newKind == .integer {
      while integers.count < rows { integers.append(0) }
    }
    if !reals.isEmpty || kind == .real || newKind == .real {
      while reals.count < rows { reals.append(0) }
    }
    if !ends.isEmpty || kind == .text || kind == .blob || newKind == .text || newKind == .blob {
      while ends.count < rows { ends.append(UInt32(truncatingIfNeeded: data.count)) }
    }
  }
}

// MARK: - Reading

extension ColumnValues {
  /// The kind of one row's value; never `.mixed`.
  @inlinable
  public func kind(at row: Int) -> Kind { withUnsafePointer(to: self) { $0.kind(at: row) } }

  @inlinable
  public func isNull(at row: Int) -> Bool { withUnsafePointer(to: self) { $0.isNull(at: row) } }

  /// The bytes of one row's text or blob.
  @inlinable
  public func range(at row: Int) -> Range<Int> { withUnsafePointer(to: self) { $0.range(at: row) } }

  public func value(at row: Int) throws(InvalidText) -> Value {
    switch kind(at: row) {
    case .null, .mixed: return .null
    case .integer: return .integer(integers[row])
    case .real: return .real(reals[row])
    case .blob: return .blob(Array(data[range(at: row)]))
    case .text:
      let range = range(at: row)
      let text = data.withUnsafeBufferPointer { String(validUTF8: UnsafeBufferPointer(rebasing: $0[range])) }
      guard let text else { throw InvalidText() }
      return .text(text)
    }
  }

  /// Whether the arrays agree with `rowCount` and with each other; asked of every batch that came over a wire.
  public func isWellFormed(rowCount: Int) -> Bool {
    func fits(_ count: Int, needed: Bool) -> Bool { count == rowCount || (count == 0 && !needed) }
    let present = Set(kind == .mixed ? tags : [kind.rawValue])
    guard present.allSatisfy({ $0 < Kind.mixed.rawValue }) else { return false }
    guard kind != .mixed || (tags.count == rowCount && nulls.isEmpty) else { return false }
    guard nulls.isEmpty || nulls.count == (rowCount + 7) / 8 else { return false }
    let bytes = present.contains(Kind.text.rawValue) || present.contains(Kind.blob.rawValue)
    guard fits(integers.count, needed: present.contains(Kind.integer.rawValue)),
      fits(reals.count, needed: present.contains(Kind.real.rawValue)), fits(ends.count, needed: bytes)
    else { return false }
    var last: UInt32 = 0
    for end in ends {
      if end < last { return false }
      last = end
    }
    return Int(last) <= data.count
  }
}

/// Columns where they lie. A pointer, because for a method of the column itself the compiler copies the column first,
/// which counts references to each of its arrays.
extension UnsafePointer<ColumnValues> {
  /// The kind of one row's value; never `.mixed`.
  @inlinable
  public func kind(at row: Int) -> ColumnValues.Kind {
    switch pointee.kind {
    case .mixed: ColumnValues.Kind(rawValue: pointee.tags[row]) ?? .null
    case .null: .null
    default: isNull(at: row) ? .null : pointee.kind
    }
  }

  @inlinable
  public func isNull(at row: Int) -> Bool {
    if pointee.nulls.isEmpty {
      return pointee.kind == .null || (pointee.kind == .mixed && pointee.tags[row] == 0)
    }
    return pointee.nulls[row / 8] & (1 << UInt8(row % 8)) != 0
  }

  /// The bytes of one row's text or blob.
  @inlinable
  public func range(at row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(pointee.ends[row - 1]))..<Int(pointee.ends[row])
  }
}
