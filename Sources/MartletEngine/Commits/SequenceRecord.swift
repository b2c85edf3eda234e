/// The bytes that keep, beside a database, how far the numbers of its commits have been given out.
///
/// Always true: a record that was cut off or changed is no record. There are two places for it, and the one that is
/// written is never the one that holds the larger number, so a write that fails half-way loses nothing.
struct SequenceRecord: Equatable {
  var through: UInt64

  private static let title = "martlet commits "
  static let byteCount = 54
  /// Where the two places begin: in different blocks of any disk.
  static let offsets: [Int] = [0, 4096]

  var bytes: [UInt8] {
    let digits = String(through)
    let text = Self.title + String(repeating: "0", count: 20 - digits.count) + digits + " "
    let sum = String(Self.checksum(text.utf8), radix: 16)
    return Array((text + String(repeating: "0", count: 16 - sum.count) + sum + "\n").utf8)
  }

  init(through: UInt64) { self.through = through }

  /// Nil if the bytes are no record.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    let start = Self.title.utf8.count
    guard bytes.count == Self.byteCount,
      let number = UInt64(String(decoding: bytes[start..<(start + 20)], as: UTF8.self)),
      number <= EngineLimits.sequenceMax
    else { return nil }
    through = number
    guard self.bytes == bytes else { return nil }
  }

  /// The number that counts, of what is in the two places.
  static func latest(_ places: [SequenceRecord?]) -> UInt64? { places.compactMap { $0?.through }.max() }

  /// The place to write next.
  static func nextPlace(_ places: [SequenceRecord?]) -> Int {
    let numbers = places.map { $0?.through ?? 0 }
    return places[0] == nil || numbers[0] <= numbers[1] && places[1] != nil ? 0 : 1
  }

  /// FNV-1a, of 64 bits: against accidents, not against people.
  private static func checksum(_ text: some Sequence<UInt8>) -> UInt64 {
    text.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
