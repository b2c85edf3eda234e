import CSQLite

/// `instr`, `replace` and the three `trim`s as SQLite defines them, in linear time.
extension BuiltinCall {
  /// `instr(text, part)`: bytes are counted if both are blobs, characters otherwise.
  mutating func instr() throws(WorkStopped) {
    let (left, right) = (type(0), type(1))
    if left == SQLITE_NULL || right == SQLITE_NULL { return sqlite3_result_null(context) }
    let isBlob = left == SQLITE_BLOB && right == SQLITE_BLOB
    guard !isBlob else { return give(try position(of: Self.blob(self[1]), in: Self.blob(self[0]), isText: false)) }
    // Asking for text changes a blob that another function may be reading too, so SQLite works on copies as well.
    let isMixed = left == SQLITE_BLOB || right == SQLITE_BLOB
    let copies = isMixed ? (sqlite3_value_dup(self[0]), sqlite3_value_dup(self[1])) : nil
    defer {
      sqlite3_value_free(copies?.0)
      sqlite3_value_free(copies?.1)
    }
    if isMixed, sqlite3_value_bytes(self[1]) == 0 { return sqlite3_result_int(context, 1) }
    guard let text = Self.text(copies?.0 ?? self[0]), let part = Self.text(copies?.1 ?? self[1]) else {
      return sqlite3_result_error_nomem(context)
    }
    give(try position(of: part, in: text, isText: true))
  }

  private func give(_ position: Int) { sqlite3_result_int(context, Int32(clamping: position)) }

  private static func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  /// Counted from 1; 0 if it does not occur. In a text, only the first byte of a character is a position.
  private mutating func position(
    of part: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, isText: Bool
  ) throws(WorkStopped) -> Int {
    guard let first = part.first else { return 1 }
    guard part.count <= text.count else { return 0 }
    let found: Int
    if isText, first & 0xC0 == 0x80 {
      // The part begins inside of a character. SQLite then finds it only at the very beginning of the text.
      guard text.prefix(part.count).elementsEqual(part) else { return 0 }
      found = 0
    } else {
      var search = ByteSearch(for: part)
      guard let place = try search.next(in: text, from: 0, meter: &meter) else { return 0 }
      found = place
    }
    guard isText else { return found + 1 }
    var position = 1
    var start = 1
    while start <= found {
      let end = min(found, start + SQLiteLimits.workLookBytes)
      for index in start...end where text[index] & 0xC0 != 0x80 { position += 1 }
      try meter.spend(end - start + 1)
      start = end + 1
    }
    return position
  }

  /// `replace(text, old, new)`.
  mutating func replace() throws(WorkStopped) {
    guard let text = self.text(0), let old = self.text(1) else { return sqlite3_result_null(context) }
    guard let first = old.first, first != 0 else { return sqlite3_result_value(context, self[0]) }
    guard let new = self.text(2) else { return sqlite3_result_null(context) }
    var search = ByteSearch(for: old)
    guard var found = try search.next(in: text, from: 0, meter: &meter) else { return giveCopy(text) }
    // A result that does not grow is never too long, as the text was not.
    let bytesMax = new.count > old.count ? self.bytesMax : text.count
    var output = OutputText(bytesMax: bytesMax, expected: text.count)
    var rest = 0
    while true {
      output.append(UnsafeRawBufferPointer(rebasing: text[rest..<found]))
      output.append(new)
      try meter.spend(found - rest + new.count)
      rest = found + old.count
      if output.failure != nil { break }
      guard let next = try search.next(in: text, from: rest, meter: &meter) else { break }
      found = next
    }
    output.append(UnsafeRawBufferPointer(rebasing: text[rest...]))
    if output.failure == .tooBig { return sqlite3_result_error_toobig(context) }
    give(output)
  }

  enum Side { case left, right, both }

  /// `trim(text, characters)`; of one argument, the spaces.
  mutating func trim(_ side: Side) throws(WorkStopped) {
    guard type(0) != SQLITE_NULL, let text = self.text(0) else { return sqlite3_result_null(context) }
    guard count > 1 else { return giveCopy(try Self.withoutSpaces(text, side, &meter)) }
    guard let characters = self.text(1) else { return sqlite3_result_null(context) }
    let set = try TrimSet(characters, meter: &meter)
    var rest = text
    if set.isEmpty { return giveCopy(rest) }
    if side != .right {
      while let length = try set.length(in: rest, atEnd: false, meter: &meter) {
        try meter.spend(length)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
      }
    }
    if side != .left {
      while let length = try set.length(in: rest, atEnd: true, meter: &meter) {
        try meter.spend(length)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropLast(length))
      }
    }
    giveCopy(rest)
  }

  private static func withoutSpaces(
    _ text: UnsafeRawBufferPointer, _ side: Side, _ meter: inout WorkMeter
  ) throws(WorkStopped) -> UnsafeRawBufferPointer {
    var (start, end) = (0, text.count)
    if side != .right {
      while start < end, text[start] == 0x20 { start += 1 }
    }
    if side != .left {
      while end > start, text[end - 1] == 0x20 { end -= 1 }
    }
    try meter.spend(text.count - (end - start))
    return UnsafeRawBufferPointer(rebasing: text[start..<end])
  }
}
