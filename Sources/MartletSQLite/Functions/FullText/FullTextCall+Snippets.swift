import CSQLite

/// The phrases in a window of tokens that only moves forward.
struct SnippetWindow {
  private let instances: [FullTextInstance]
  private let sizes: [Int32]
  private let width: Int64
  private var seen: [Int32]
  private var distinct = 0
  private var low = 0
  private var high = 0

  /// `instances` are in the order of their offsets; `sizes` are the tokens of each phrase.
  init(_ instances: [FullTextInstance], sizes: [Int32], width: Int32) {
    self.instances = instances
    self.sizes = sizes
    self.width = Int64(width)
    seen = [Int32](repeating: 0, count: sizes.count)
  }

  /// Moves the snippet to begin at a token, not before where it began.
  mutating func move(to start: Int32) {
    while low < instances.count, instances[low].offset < start {
      if low < high { remove(instances[low]) }
      low += 1
      high = max(high, low)
    }
    while high < instances.count, Int64(instances[high].offset) < Int64(start) + width {
      let phrase = Int(instances[high].phrase)
      if seen[phrase] == 0 { distinct += 1 }
      seen[phrase] += 1
      high += 1
    }
  }

  private mutating func remove(_ instance: FullTextInstance) {
    seen[Int(instance.phrase)] -= 1
    if seen[Int(instance.phrase)] == 0 { distinct -= 1 }
  }

  /// A thousand for each phrase that is there, and one for each time that it is there again.
  var score: Int { 1_000 * distinct + (high - low - distinct) }

  /// Where a snippet begins that has the phrases in its middle, in a text of `tokens` tokens.
  func centred(in tokens: Int32) -> Int32 {
    let first = low < high ? Int64(instances[low].offset) : -1
    let last = low < high ? Int64(instances[high - 1].offset) + Int64(sizes[Int(instances[high - 1].phrase)]) : 0
    var start = first - (width - (last - first)) / 2
    if start + width > Int64(tokens) { start = Int64(tokens) - width }
    return Int32(clamping: max(0, start))
  }
}

/// The tokens of a text that begin a sentence.
final class SentenceFinder: TokenReader {
  private let text: UnsafeRawBufferPointer
  private var position: Int32 = 0
  private(set) var starts: [Int32] = []

  init(_ text: UnsafeRawBufferPointer, _ limiter: ExecutionLimiter) {
    self.text = text
    super.init(limiter)
  }

  override func token(start: Int, end: Int) -> Int32 {
    defer { position += 1 }
    guard position > 0 else {
      starts.append(0)
      return SQLITE_OK
    }
    var before = start - 1
    while before >= 0, [0x20, 0x09, 0x0A, 0x0D].contains(text[before]) { before -= 1 }
    if before != start - 1, before >= 0, text[before] == UInt8(ascii: ".") || text[before] == UInt8(ascii: ":") {
      starts.append(position)
    }
    return spend(start - before)
  }
}

extension FullTextCall {
  private struct Best {
    var column: Int32
    var start: Int32 = 0
    var score = 0
    var columnSize: Int32 = 0
  }

  /// `snippet(table, column, opening, closing, ellipsis, tokens)`.
  func snippet() {
    guard count == 5 else {
      return sqlite3_result_error(context, "wrong number of arguments to function snippet()", -1)
    }
    let column = integer(0)
    let width = integer(4)
    let phrases = api.xPhraseCount?(fts) ?? 0
    // SQLite's own function fails for want of memory, which undoes the transaction around it.
    guard phrases > 0 else {
      return sqlite3_result_error(context, "unable to use function snippet in the requested context", -1)
    }
    let sizes = (0..<phrases).map { phraseSize($0) }
    var result = SQLITE_OK
    var best = Best(column: max(0, column))
    for candidate in 0..<max(0, api.xColumnCount?(fts) ?? 0) where column < 0 || column == candidate {
      result = search(candidate, width, sizes, &best)
      if result != SQLITE_OK { break }
    }
    if result == SQLITE_OK { result = give(best, width) }
    if result != SQLITE_OK { sqlite3_result_error_code(context, result) }
  }

  /// Twice its size, because an array that grows has room to spare.
  private static let bytesPerPlace = 2 * MemoryLayout<FullTextInstance>.stride

  private func search(
    _ column: Int32, _ width: Int32, _ sizes: [Int32], _ best: inout Best
  ) -> Int32 {
    var text: UnsafeRawBufferPointer?
    var result = columnText(column, &text)
    guard result == SQLITE_OK else { return result }
    let finder = SentenceFinder(text ?? UnsafeRawBufferPointer(start: nil, count: 0), limiter)
    result = tokenize(text ?? UnsafeRawBufferPointer(start: nil, count: 0), finder)
    var tokens: Int32 = 0
    if result == SQLITE_OK { result = columnSize(column, &tokens) }
    guard result == SQLITE_OK else { return result }
    var instances: [FullTextInstance] = []
    var all = PhraseInstances(self)
    var held = 0
    defer { ProcessMemory.hold(-held) }
    while let instance = all.current, instance.column <= column {
      all.advance()
      if instance.column != column { continue }
      // SQLite's code for an index that does not agree with its documents.
      if instance.offset > tokens { return SQLITE_CORRUPT | (1 << 8) }
      if instances.count * Self.bytesPerPlace >= held {
        guard ProcessMemory.totalBytes + SQLiteLimits.snippetStepBytes <= ProcessMemory.limitBytes else {
          return SQLITE_NOMEM
        }
        ProcessMemory.hold(SQLiteLimits.snippetStepBytes)
        held += SQLiteLimits.snippetStepBytes
      }
      instances.append(instance)
    }
    if all.failure != SQLITE_OK { return all.failure }
    return rate(instances, in: column, tokens, width, sizes, finder, &best)
  }

  /// Looks at the stretch from each instance on, and at the one from the beginning of its sentence.
  private func rate(
    _ instances: [FullTextInstance], in column: Int32, _ tokens: Int32, _ width: Int32, _ sizes: [Int32],
    _ finder: SentenceFinder, _ best: inout Best
  ) -> Int32 {
    var fromPhrase = SnippetWindow(instances, sizes: sizes, width: width)
    var fromSentence = SnippetWindow(instances, sizes: sizes, width: width)
    let starts = finder.starts
    var sentence = 0
    for instance in instances {
      let result = finder.spend(64)
      if result != SQLITE_OK { return result }
      fromPhrase.move(to: instance.offset)
      if fromPhrase.score > best.score {
        best = Best(
          column: column, start: fromPhrase.centred(in: tokens), score: fromPhrase.score, columnSize: tokens)
      }
      guard !starts.isEmpty, tokens > width else { continue }
      while sentence < starts.count - 1, starts[sentence + 1] <= instance.offset { sentence += 1 }
      guard starts[sentence] < instance.offset else { continue }
      fromSentence.move(to: starts[sentence])
      let score = fromSentence.score + (starts[sentence] == 0 ? 120 : 100)
      if score > best.score {
        best = Best(column: column, start: starts[sentence], score: score, columnSize: tokens)
      }
    }
    return SQLITE_OK
  }

  private func give(_ best: Best, _ width: Int32) -> Int32 {
    var text: UnsafeRawBufferPointer?
    var result = columnText(best.column, &text)
    var tokens = best.columnSize
    if result == SQLITE_OK, tokens == 0 { result = columnSize(best.column, &tokens) }
    guard result == SQLITE_OK else { return result }
    guard let text else {
      sqlite3_result_null(context)
      return SQLITE_OK
    }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let ellipsis = self.text(3) ?? nothing
    let highlighter = Highlighter(
      self, text: text, column: best.column, opening: self.text(1) ?? nothing, closing: self.text(2) ?? nothing)
    result = highlighter.instances.begin()
    highlighter.rangeStart = best.start
    highlighter.rangeEnd = best.start &+ width &- 1
    if result == SQLITE_OK, best.start > 0 { highlighter.append(ellipsis) }
    while result == SQLITE_OK, highlighter.instances.start >= 0, highlighter.instances.start < best.start {
      result = highlighter.instances.advance()
    }
    if result == SQLITE_OK { result = tokenize(text, highlighter) }
    guard result == SQLITE_OK else { return result }
    if highlighter.rangeEnd >= tokens - 1 { highlighter.copyRest() } else { highlighter.append(ellipsis) }
    if highlighter.output.failure == .tooBig { return SQLITE_TOOBIG }
    highlighter.give(to: self)
    return SQLITE_OK
  }
}
