import Foundation

/// Finds a text inside another in linear time, whatever the two are.
///
/// Always true: it compares byte by byte as long as that costs little, and by the Two-Way algorithm of Crochemore and
/// Perrin when a text turns out to be made to slow that down; both find the first occurrence, and neither needs memory.
struct ByteSearch {
  private let needle: UnsafeRawBufferPointer
  /// Bytes that were compared and then had to be compared again.
  private var wasted = 0
  private var twoWay: TwoWay?

  /// The needle has at least one byte and stays valid for as long as the search.
  init(for needle: UnsafeRawBufferPointer) { self.needle = needle }

  /// Where the needle first occurs in the text at or after `from`.
  mutating func next(
    in text: UnsafeRawBufferPointer, from: Int, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    let last = text.count - needle.count
    guard from <= last, let base = text.baseAddress, let first = needle.first else { return nil }
    var position = from
    while position <= last {
      if wasted > 1_024 + 4 * needle.count {
        let search: TwoWay
        if let twoWay { search = twoWay } else { search = try TwoWay(needle, meter: &meter) }
        twoWay = search
        return try search.next(in: text, from: position, meter: &meter)
      }
      guard let found = memchr(base + position, Int32(first), last - position + 1) else {
        try meter.spend(last - position + 1)
        return nil
      }
      let start = base.distance(to: UnsafeRawPointer(found))
      var same = 1
      while same < needle.count, text[start + same] == needle[same] { same += 1 }
      // The search for the first byte takes many bytes at a time.
      try meter.spend((start - position) / 8 + same)
      if same == needle.count { return start }
      wasted += same
      position = start + 1
    }
    return nil
  }
}

/// The needle cut at its critical position, so that no byte of a text has to be looked at more than twice.
private struct TwoWay {
  private let needle: UnsafeRawBufferPointer
  /// The last byte of the left part; -1 if that is empty.
  private let cut: Int
  private let period: Int
  private let isPeriodic: Bool

  init(_ needle: UnsafeRawBufferPointer, meter: inout WorkMeter) throws(WorkStopped) {
    self.needle = needle
    let up = try Self.largestSuffix(needle, isReversed: false, meter: &meter)
    let down = try Self.largestSuffix(needle, isReversed: true, meter: &meter)
    let (cut, period) = up.start > down.start ? up : down
    var isPeriodic = true
    for index in 0..<cut + 1 where needle[index] != needle[index + period] {
      isPeriodic = false
      break
    }
    self.cut = cut
    self.isPeriodic = isPeriodic
    self.period = isPeriodic ? period : max(cut + 1, needle.count - cut - 1) + 1
  }

  /// The suffix that is the greatest in the order of bytes or in the reverse one: the index before it, and its period.
  private static func largestSuffix(
    _ needle: UnsafeRawBufferPointer, isReversed: Bool, meter: inout WorkMeter
  ) throws(WorkStopped) -> (start: Int, period: Int) {
    var start = -1
    var candidate = 0
    var offset = 1
    var period = 1
    while candidate + offset < needle.count {
      try meter.spend(1)
      let new = needle[candidate + offset]
      let old = needle[start + offset]
      if new == old {
        if offset == period {
          candidate += period
          offset = 1
        } else {
          offset += 1
        }
      } else if (new < old) != isReversed {
        candidate += offset
        offset = 1
        period = candidate - start
      } else {
        start = candidate
        candidate = start + 1
        offset = 1
        period = 1
      }
    }
    return (start, period)
  }

  func next(
    in text: UnsafeRawBufferPointer, from: Int, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    let count = needle.count
    var position = from
    // The needle is known to match where it lies now, up to this index; -1: nothing is known.
    var memory = -1
    while position <= text.count - count {
      var index = max(cut, memory) + 1
      let begun = index
      while index < count, needle[index] == text[position + index] { index += 1 }
      try meter.spend(index - begun + 1)
      guard index >= count else {
        position += index - cut
        memory = -1
        continue
      }
      index = cut
      while index > memory, needle[index] == text[position + index] { index -= 1 }
      try meter.spend(cut - index)
      if index <= memory { return position }
      position += period
      memory = isPeriodic ? count - period - 1 : -1
    }
    return nil
  }
}
