import Foundation

/// Tokens that follow each other, and where they stand in a text.
///
/// Always true: a character of the text is read once, whatever the tokens are. A bit for each token says whether the
/// tokens up to it fit the characters just read (Baeza-Yates and Gonnet), so 64 of them cost what one does.
struct WildcardSegment {
  private let tokens: [WildcardToken]
  /// Words of 64 tokens.
  private let words: Int
  /// For each character of ASCII, which tokens it fits: `words` words for each.
  private var narrow: [UInt64] = []
  /// The same for the other characters: all from one of these up to the next one fit the same tokens.
  private var starts: [UInt32] = []
  private var wide: [UInt64] = []
  /// The only bytes with which a place can begin; nil if it can begin with others. The second is 0 if there is only
  /// one.
  private var heads: (UInt8, UInt8)?

  init(_ tokens: [WildcardToken]) {
    self.tokens = tokens
    words = (tokens.count + 63) / 64
    if tokens.isEmpty { return }
    switch tokens[0] {
    case .character(let character) where character < 0x80: heads = (UInt8(character), 0)
    case .letter(let small): heads = (UInt8(small), UInt8(small & ~0x20))
    default: break
    }
    prepareNarrow()
    prepareWide()
  }

  private mutating func prepareNarrow() {
    narrow = [UInt64](repeating: 0, count: 128 * words)
    for (index, token) in tokens.enumerated() {
      let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
      switch token {
      case .character(let character):
        if character < 0x80 { narrow[Int(character) * words + word] |= bit }
      case .letter(let small):
        narrow[Int(small) * words + word] |= bit
        narrow[Int(small & ~0x20) * words + word] |= bit
      case .any, .set:
        for character in 0..<128 where token.fits(UInt32(character)) { narrow[character * words + word] |= bit }
      }
    }
  }

  private mutating func prepareWide() {
    var boundaries: Set<UInt32> = [0x80]
    for token in tokens {
      switch token {
      case .character(let character): boundaries.formUnion([character, character &+ 1])
      case .set(let ranges, _):
        for range in ranges { boundaries.formUnion([range.lowerBound, range.upperBound &+ 1]) }
      case .any, .letter: break
      }
    }
    starts = boundaries.filter { $0 >= 0x80 }.sorted()
    wide = [UInt64](repeating: 0, count: starts.count * words)
    for (place, start) in starts.enumerated() {
      for (index, token) in tokens.enumerated() where token.fits(start) {
        wide[place * words + index / 64] |= UInt64(1) << UInt64(index % 64)
      }
    }
  }

  // MARK: - Places

  /// Where the tokens end if the text begins with them; otherwise nil.
  func end(in text: UnsafeRawBufferPointer, meter: inout WorkMeter) throws(WorkStopped) -> Int? {
    var reader = CharacterReader(text)
    for token in tokens {
      guard !reader.isAtEnd, token.fits(reader.next()) else { return nil }
    }
    try meter.spend(reader.offset)
    return reader.offset
  }

  /// Where the first place of the tokens at or after `from` ends.
  func search(
    in text: UnsafeRawBufferPointer, from: Int, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    if tokens.isEmpty { return from }
    return try scan(text, from: from, stopsAtFirst: true, meter: &meter)
  }

  /// Whether the text ends with the tokens, none of which stands before `from`.
  func ends(_ text: UnsafeRawBufferPointer, from: Int, meter: inout WorkMeter) throws(WorkStopped) -> Bool {
    if tokens.isEmpty { return true }
    // Each byte that begins a character is at least one character.
    var start = text.count
    var left = tokens.count
    while left > 0, start > from {
      start -= 1
      if text[start] & 0xC0 != 0x80 { left -= 1 }
      try meter.spend(1)
    }
    return try scan(text, from: start, stopsAtFirst: false, meter: &meter) != nil
  }

  private func scan(
    _ text: UnsafeRawBufferPointer, from: Int, stopsAtFirst: Bool, meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    try narrow.withUnsafeBufferPointer { narrow throws(WorkStopped) in
      try wide.withUnsafeBufferPointer { wide throws(WorkStopped) in
        if words == 1 {
          return try scanOneWord(text, from, stopsAtFirst, narrow, wide, &meter)
        }
        return try scanWords(text, from, stopsAtFirst, narrow, wide, &meter)
      }
    }
  }

  private func scanOneWord(
    _ text: UnsafeRawBufferPointer, _ from: Int, _ stopsAtFirst: Bool, _ narrow: UnsafeBufferPointer<UInt64>,
    _ wide: UnsafeBufferPointer<UInt64>, _ meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    let last = UInt64(1) << UInt64(tokens.count - 1)
    var state: UInt64 = 0
    var reader = CharacterReader(text)
    reader.offset = from
    var jump = heads.map { HeadSearch($0) }
    while !reader.isAtEnd {
      let begun = reader.offset
      let stop = min(text.count, begun + SQLiteLimits.workLookBytes)
      while reader.offset < stop {
        let byte = text[reader.offset]
        if byte < 0x80 {
          reader.offset += 1
          state = (state << 1 | 1) & narrow[Int(byte)]
        } else {
          state = (state << 1 | 1) & wide[place(of: reader.next())]
        }
        if state == 0 {
          jump?.move(&reader, stop)
        } else if state & last != 0, stopsAtFirst {
          try meter.spend(reader.offset - begun)
          return reader.offset
        }
      }
      try meter.spend(reader.offset - begun)
    }
    return !stopsAtFirst && state & last != 0 ? text.count : nil
  }

  private func scanWords(
    _ text: UnsafeRawBufferPointer, _ from: Int, _ stopsAtFirst: Bool, _ narrow: UnsafeBufferPointer<UInt64>,
    _ wide: UnsafeBufferPointer<UInt64>, _ meter: inout WorkMeter
  ) throws(WorkStopped) -> Int? {
    let last = UInt64(1) << UInt64((tokens.count - 1) % 64)
    var state = [UInt64](repeating: 0, count: words)
    var reader = CharacterReader(text)
    reader.offset = from
    var jump = heads.map { HeadSearch($0) }
    while !reader.isAtEnd {
      let begun = reader.offset
      let stop = min(text.count, begun + SQLiteLimits.workLookBytes)
      while reader.offset < stop {
        let byte = text[reader.offset]
        let masks: UnsafePointer<UInt64>?
        if byte < 0x80 {
          reader.offset += 1
          masks = narrow.baseAddress.map { $0 + Int(byte) * words }
        } else {
          let place = place(of: reader.next())
          masks = wide.baseAddress.map { $0 + place * words }
        }
        guard let masks else { return nil }
        var (carry, some) = (UInt64(1), UInt64(0))
        for word in 0..<words {
          let before = state[word]
          state[word] = (before << 1 | carry) & masks[word]
          carry = before >> 63
          some |= state[word]
        }
        if some == 0 {
          jump?.move(&reader, stop)
        } else if state[words - 1] & last != 0, stopsAtFirst {
          try meter.spend((reader.offset - begun) * words)
          return reader.offset
        }
      }
      try meter.spend((reader.offset - begun) * words)
    }
    return !stopsAtFirst && state[words - 1] & last != 0 ? text.count : nil
  }

  /// Which of `starts` a character that is not ASCII belongs to.
  private func place(of character: UInt32) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= character { low = middle } else { high = middle }
    }
    return low
  }
}

/// Finds the next byte with which a segment may begin.
///
/// Always true: both bytes are ASCII, so each is a whole character. No part of the text is searched twice for either.
private struct HeadSearch {
  private let heads: (UInt8, UInt8)
  /// Where each occurs next, as far as was looked.
  private var known = (-1, -1)

  init(_ heads: (UInt8, UInt8)) { self.heads = heads }

  /// Moves to the next of them, or to `stop`.
  @inline(__always)
  mutating func move(_ reader: inout CharacterReader, _ stop: Int) {
    // A byte that is near is found faster by this loop than by a call of `memchr`.
    for _ in 0..<8 {
      guard reader.offset < stop else { return }
      let byte = reader.bytes[reader.offset]
      if byte == heads.0 || byte == heads.1 { return }
      reader.offset += 1
    }
    leap(&reader, stop)
  }

  private mutating func leap(_ reader: inout CharacterReader, _ stop: Int) {
    let offset = reader.offset
    if known.0 < offset { known.0 = Self.next(heads.0, in: reader.bytes, offset, stop) }
    if heads.1 != 0, known.1 < offset { known.1 = Self.next(heads.1, in: reader.bytes, offset, stop) }
    reader.offset = min(stop, heads.1 != 0 ? min(known.0, known.1) : known.0)
  }

  private static func next(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, _ from: Int, _ stop: Int) -> Int {
    guard from < stop, let base = bytes.baseAddress else { return stop }
    guard let found = memchr(base + from, Int32(byte), stop - from) else { return stop }
    return base.distance(to: UnsafeRawPointer(found))
  }
}
