import CSQLite

/// `printf` and `format`: SQLite's own conversions, one at a time, and repeated characters without its loop.
///
/// Always true: a result beyond the longest value is NULL, as SQLite has it; nothing that would be longer is made
/// first.
extension BuiltinCall {
  mutating func format() throws(WorkStopped) {
    guard count > 0, let format = text(0) else { return sqlite3_result_null(context) }
    guard let output = sqlite3_str_new(sqlite3_context_db_handle(context)) else {
      return sqlite3_result_error_nomem(context)
    }
    var isTaken = false
    defer { if !isTaken { sqlite3_free(sqlite3_str_finish(output)) } }
    var arguments = FormatArguments(self)
    var scanner = FormatScanner(format)
    loop: while sqlite3_str_errcode(output) == SQLITE_OK, let part = scanner.next(integer: { arguments.integer() }) {
      let before = Int(sqlite3_str_length(output))
      switch part {
      case .plain(let range):
        Self.append(UnsafeRawBufferPointer(rebasing: format[range]), to: output)
      case .conversion(let conversion):
        guard convert(conversion, &arguments, output) else { break loop }
      }
      // What is read of an argument may be more than what is written of it.
      try meter.spend(64 + Int(sqlite3_str_length(output)) - before + arguments.bytesRead)
      arguments.bytesRead = 0
    }
    if sqlite3_str_errcode(output) == SQLITE_NOMEM { return sqlite3_result_error_nomem(context) }
    let length = sqlite3_str_length(output)
    isTaken = true
    guard let text = sqlite3_str_finish(output) else {
      return sqlite3_result_null(context)
    }
    martlet_sqlite_result_text_owned(context, text, UInt64(length))
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to output: OpaquePointer) {
    // Bytes may be read as characters of C because a character of C is one byte too.
    sqlite3_str_append(output, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
  }

  /// False if the format ends.
  private func convert(
    _ conversion: FormatConversion, _ arguments: inout FormatArguments, _ output: OpaquePointer
  ) -> Bool {
    switch conversion.kind {
    case .integer: martlet_sqlite_append_integer(output, conversion.specification, arguments.integer())
    case .real: martlet_sqlite_append_real(output, conversion.specification, arguments.real())
    case .text:
      // Bytes may be read as characters of C because a character of C is one byte too.
      let text = arguments.text()?.baseAddress?.assumingMemoryBound(to: CChar.self)
      var plain = conversion
      // The letter `z` is SQLite's for memory that it frees.
      if conversion.letter == UInt8(ascii: "z") { plain.letter = UInt8(ascii: "s") }
      martlet_sqlite_append_text(output, plain.specification, text)
    case .character: appendCharacter(of: arguments.text(), conversion, to: output)
    case .percent: martlet_sqlite_append_plain(output, conversion.specification)
    // Appending nothing still makes the result an empty text; otherwise it would be NULL.
    case .nothing: sqlite3_str_append(output, "", 0)
    case .unknown: return false
    }
    return true
  }

  /// The first character of a text, as often as the precision says.
  private func appendCharacter(
    of text: UnsafeRawBufferPointer?, _ conversion: FormatConversion, to output: OpaquePointer
  ) {
    var character: [UInt8] = [text.flatMap(\.first) ?? 0]
    if let text, character[0] & 0xC0 == 0xC0 {
      while character.count < 4, character.count < text.count, text[character.count] & 0xC0 == 0x80 {
        character.append(text[character.count])
      }
    }
    var width = Int64(conversion.width)
    let repeats = max(0, Int64(conversion.precision) - 1)
    if repeats > 0 {
      width -= repeats
      if width > 1, !conversion.isLeft {
        appendSpaces(width - 1, to: output)
        width = 0
      }
      append(character, times: repeats, to: output)
    }
    let continuations = character.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 1 : 0) }
    if width > 0 { width += Int64(continuations) }
    width -= Int64(character.count)
    if width > 0, !conversion.isLeft { appendSpaces(width, to: output) }
    append(character, times: 1, to: output)
    if width > 0, conversion.isLeft { appendSpaces(width, to: output) }
  }

  private func appendSpaces(_ count: Int64, to output: OpaquePointer) {
    sqlite3_str_appendchar(output, Int32(clamping: count), 0x20)
  }

  private func append(_ character: [UInt8], times: Int64, to output: OpaquePointer) {
    if character.count == 1 {
      return sqlite3_str_appendchar(output, Int32(clamping: times), CChar(bitPattern: character[0]))
    }
    guard times * Int64(character.count) <= Int64(bytesMax) else {
      // The result is too long: this call notes that, and takes no memory.
      return sqlite3_str_appendchar(output, Int32.max, 0x20)
    }
    for _ in 0..<times {
      character.withUnsafeBytes { Self.append($0, to: output) }
      if sqlite3_str_errcode(output) != SQLITE_OK { return }
    }
  }
}

/// The arguments after the format, one after the other; if there are no more, 0 and no text.
private struct FormatArguments {
  private let call: BuiltinCall
  private var used = 1
  var bytesRead = 0

  init(_ call: BuiltinCall) { self.call = call }

  private mutating func next() -> OpaquePointer? {
    guard used < call.count else { return nil }
    used += 1
    return call[used - 1]
  }

  mutating func integer() -> Int64 { next().map { sqlite3_value_int64($0) } ?? 0 }

  mutating func real() -> Double { next().map { sqlite3_value_double($0) } ?? 0 }

  mutating func text() -> UnsafeRawBufferPointer? {
    guard let value = next(), let text = BuiltinCall.text(value) else { return nil }
    bytesRead += text.count
    return text
  }
}
