/// The characters that `trim` takes away: which of them begins or ends a text, without a look at each.
///
/// Always true: if several fit, the one that comes first in the set is taken, as SQLite does; that only matters for
/// texts that are not UTF-8, whose characters can be prefixes of each other.
struct TrimSet {
  /// For each byte that is a character of its own, its place in the set; `Int.max` for the others.
  private var singles: [Int]
  private var hasSingles = false
  /// Places of characters of two to four bytes, by length and bytes.
  private var short: [UInt64: Int] = [:]
  /// Longer than any character of UTF-8: where they lie in the set, in its order.
  private var long: [(place: Int, bytes: Range<Int>)] = []
  private let set: UnsafeRawBufferPointer

  var isEmpty: Bool { !hasSingles && short.isEmpty && long.isEmpty }

  /// The set ends at its first zero.
  init(_ set: UnsafeRawBufferPointer, meter: inout WorkMeter) throws(WorkStopped) {
    self.set = set
    singles = [Int](repeating: .max, count: 256)
    var start = 0
    var place = 0
    while start < set.count, set[start] != 0 {
      var end = start + 1
      if set[start] >= 0xC0 {
        while end < set.count, set[end] & 0xC0 == 0x80 { end += 1 }
      }
      add(start..<end, at: place)
      try meter.spend(end - start == 1 ? 1 : 64)
      start = end
      place += 1
    }
  }

  private mutating func add(_ bytes: Range<Int>, at place: Int) {
    switch bytes.count {
    case 1:
      hasSingles = true
      singles[Int(set[bytes.lowerBound])] = min(singles[Int(set[bytes.lowerBound])], place)
    case 2...4:
      let key = Self.key(UnsafeRawBufferPointer(rebasing: set[bytes]))
      if short[key] == nil { short[key] = place }
    default: long.append((place, bytes))
    }
  }

  private static func key(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var key = UInt64(bytes.count)
    for byte in bytes { key = key << 8 | UInt64(byte) }
    return key
  }

  /// The length of the character of the set that the text begins or ends with; nil if there is none.
  func length(
    in text: UnsafeRawBufferPointer, atEnd: Bool, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    guard let edge = atEnd ? text.last : text.first else { return nil }
    var best = singles[Int(edge)]
    var length = best == .max ? nil : 1
    if short.isEmpty && long.isEmpty { return length }
    if text.count >= 2 && !short.isEmpty {
      for size in 2...min(4, text.count) {
        let part = UnsafeRawBufferPointer(rebasing: atEnd ? text.suffix(size) : text.prefix(size))
        if let place = short[Self.key(part)], place < best {
          best = place
          length = size
        }
      }
    }
    try meter.spend(64)
    for character in long where character.place < best && character.bytes.count <= text.count {
      let size = character.bytes.count
      let part = atEnd ? text.suffix(size) : text.prefix(size)
      try meter.spend(8)
      var same = 0
      while same < size, part[part.startIndex + same] == set[character.bytes.lowerBound + same] { same += 1 }
      try meter.spend(same)
      if same == size {
        best = character.place
        length = size
      }
    }
    return length
  }
}
