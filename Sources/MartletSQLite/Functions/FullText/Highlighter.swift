import CSQLite

/// Copies a text with marks around the phrases of the query, as FTS5's `highlight` and `snippet` do.
final class Highlighter: TokenReader {
  var instances: CoalescedInstances
  /// The tokens to copy; all if `rangeEnd` is 0.
  var rangeStart: Int32 = 0
  var rangeEnd: Int32 = 0

  private let text: UnsafeRawBufferPointer
  private let opening: UnsafeRawBufferPointer?
  private let closing: UnsafeRawBufferPointer?
  private(set) var output: OutputText
  private var position: Int32 = 0
  /// Bytes of the text that were copied or passed over.
  private var offset = 0

  init(
    _ call: FullTextCall, text: UnsafeRawBufferPointer, column: Int32, opening: UnsafeRawBufferPointer?,
    closing: UnsafeRawBufferPointer?
  ) {
    self.text = text
    self.opening = opening
    self.closing = closing
    instances = CoalescedInstances(call, column: column)
    output = OutputText(bytesMax: call.bytesMax)
    super.init(call.limiter)
  }

  override func token(start: Int, end: Int) -> Int32 {
    let position = position
    self.position += 1
    if rangeEnd > 0 {
      if position < rangeStart || position > rangeEnd { return SQLITE_OK }
      if rangeStart != 0, position == rangeStart { offset = start }
    }
    var result = SQLITE_OK
    if position == instances.start {
      copy(to: start)
      append(opening)
    }
    if position == instances.end {
      if rangeEnd != 0, instances.start < rangeStart { append(opening) }
      copy(to: end)
      append(closing)
      if output.failure == nil { result = instances.advance() }
    }
    if rangeEnd > 0, position == rangeEnd {
      copy(to: end)
      if position >= instances.start, position < instances.end { append(closing) }
    }
    switch output.failure {
    case .tooBig: return SQLITE_TOOBIG
    case .noMemory: return SQLITE_NOMEM
    case nil: return result
    }
  }

  func append(_ text: UnsafeRawBufferPointer?) {
    if let text { output.append(text) }
  }

  /// What is left of the text.
  func copyRest() { copy(to: text.count) }

  /// Copies up to a byte. Overlapping tokens may ask for a byte that was copied already; FTS5 then copies all that is
  /// left.
  private func copy(to end: Int) {
    let part = end >= offset ? text[min(offset, text.count)..<min(end, text.count)] : text[min(offset, text.count)...]
    output.append(UnsafeRawBufferPointer(rebasing: part).toFirstZero)
    offset = end
  }

  /// Makes the text the call's result.
  func give(to call: FullTextCall) {
    let context = call.context
    if output.count == 0, output.failure == nil { return martlet_sqlite_result_text_copy(context, "", 0) }
    output.withBytes { bytes in
      // Bytes may be read as characters of C because a character of C is one byte too.
      martlet_sqlite_result_text_copy(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count))
    }
  }
}

/// The instances of phrases in one column, those that overlap as one.
struct CoalescedInstances {
  private let call: FullTextCall
  private let column: Int32
  private var instances: PhraseInstances
  /// First and last token of the current one; -1 behind the last.
  private(set) var start: Int32 = -1
  private(set) var end: Int32 = -1

  init(_ call: FullTextCall, column: Int32) {
    self.call = call
    self.column = column
    instances = PhraseInstances(call)
  }

  /// Goes to the first one.
  mutating func begin() -> Int32 { advance() }

  mutating func advance() -> Int32 {
    start = -1
    end = -1
    while let instance = instances.current {
      if instance.column == column {
        let last = instance.offset - 1 + call.phraseSize(instance.phrase)
        if start < 0 {
          start = instance.offset
          end = last
        } else if instance.offset <= end {
          end = max(end, last)
        } else {
          break
        }
      }
      instances.advance()
    }
    return instances.failure
  }
}

extension FullTextCall {
  /// `highlight(table, column, opening, closing)`.
  func highlight() {
    guard count == 3 else {
      return sqlite3_result_error(context, "wrong number of arguments to function highlight()", -1)
    }
    let column = integer(0)
    var text: UnsafeRawBufferPointer?
    var result = columnText(column, &text)
    guard let text else {
      if result != SQLITE_OK { sqlite3_result_error_code(context, result) }
      return
    }
    let highlighter = Highlighter(
      self, text: text, column: column, opening: self.text(1), closing: self.text(2))
    if result == SQLITE_OK { result = highlighter.instances.begin() }
    if result == SQLITE_OK { result = tokenize(text, highlighter) }
    if result == SQLITE_OK {
      highlighter.copyRest()
      if highlighter.output.failure == .tooBig { return sqlite3_result_error_toobig(context) }
      return highlighter.give(to: self)
    }
    sqlite3_result_error_code(context, result)
  }
}
