/// Lines from standard input: edited on a terminal, as they come from a pipe.
///
/// Always true: bytes that arrive behind a line's end (text pasted in one go) begin the next line; what is pasted comes
/// as it is, tabs included, and does nothing but type.
struct LineReader {
  enum Event: Equatable {
    case line(String)
    case interrupted
    case ended
  }

  private let isTerminal: Bool
  private var pending: ArraySlice<UInt8> = []
  private var pasting = Pasting()
  private var script = ScriptLines()

  init(isTerminal: Bool) { self.isTerminal = isTerminal }

  mutating func next(
    prompt: String, history: [String], words: CompletionWords = CompletionWords()
  ) throws -> Event {
    guard isTerminal else { return try pipedLine() }
    var editor = LineEditor(history: history, words: words)
    while true {
      if let event = try Terminal.withRawMode({ try editedLine(prompt: prompt, &editor) }) { return event }
      Terminal.suspend()
    }
  }

  /// Words side by side, as many as fit, read downwards line by line.
  static func columns(of words: [String], width: Int, most: Int = CommandLimits.shownWordsMax) -> String {
    let shown = words.prefix(most)
    let cell = (shown.map { DisplayWidth.of($0) }.max() ?? 0) + 2
    let perLine = max(1, width / max(1, cell))
    var text = ""
    for (index, word) in shown.enumerated() {
      let isLast = index % perLine == perLine - 1 || index == shown.count - 1
      text += word + (isLast ? "\r\n" : String(repeating: " ", count: cell - DisplayWidth.of(word)))
    }
    return words.count > most ? text + "… \(words.count - most) more\r\n" : text
  }

  private mutating func pipedLine() throws -> Event {
    var line: [UInt8] = []
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        line += pending[..<end]
        pending = pending[(end + 1)...]
        return .line(try script.line(line))
      }
      line += pending
      pending = try Terminal.readInput(upTo: CommandLimits.outputPieceBytes)[...]
      if pending.isEmpty { return line.isEmpty ? .ended : .line(try script.line(line)) }
    }
  }

  /// Nil: the person wants to do something else meanwhile, and `editor` has what was typed.
  private mutating func editedLine(prompt: String, _ editor: inout LineEditor) throws -> Event? {
    var decoder = KeyDecoder()
    var output = StandardOutput(steersTerminal: true)
    var screen = LineScreen()
    func drawing() -> String {
      screen.drawing(prompt: editor.search?.prompt ?? prompt, line: editor.line, cursor: editor.cursor)
    }
    output.write(Terminal.pasteMarksOn + drawing())
    try output.flush()
    while true {
      guard let keys = nextKeys(&decoder) else { return .ended }
      for key in keys {
        var event: Event?
        var isOver = true
        switch editor.keyPressed(key) {
        case .none: continue
        case .redraw: isOver = false
        case .list(let words):
          output.write(screen.left() + Self.columns(of: words, width: Terminal.columns))
          isOver = false
        case .clearScreen:
          output.write("\u{1B}[H\u{1B}[2J")
          screen.cleared()
          isOver = false
        case .accept(let line): event = .line(line)
        case .interrupt: event = .interrupted
        case .endOfInput: event = .ended
        case .suspend: break
        }
        // While more keys are here already, drawing after each would only flicker.
        guard pending.isEmpty || isOver else { continue }
        output.write(drawing())
        if isOver { output.write(Terminal.pasteMarksOff + screen.left()) }
        try output.flush()
        if isOver { return event }
      }
    }
  }

  /// What the next byte makes, perhaps nothing; nil at the end of input.
  private mutating func nextKeys(_ decoder: inout KeyDecoder) -> [Key]? {
    guard let byte = nextByte() else { return nil }
    let isLast = pending.isEmpty
    var keys = decoder.byteReceived(byte)
    // A terminal sends the bytes of a sequence at once, so Escape was pressed if nothing follows it.
    if decoder.isInEscape, isLast, !Terminal.hasInput(withinMs: CommandLimits.escapeMs),
      let key = decoder.escapeEnded()
    {
      keys.append(key)
    }
    return keys.compactMap { pasting.meaning(of: $0, byte, isLast: isLast) }
  }

  private mutating func nextByte() -> UInt8? {
    if pending.isEmpty { pending = Terminal.read(upTo: 4_096)[...] }
    return pending.popFirst()
  }

  /// What was pasted, and what was typed.
  ///
  /// Always true: a paste does nothing but type. One whose end the terminal did not tell is over with the first
  /// Control-C, Control-D or deletion behind which nothing has come yet: a person pressed that key.
  struct Pasting {
    /// The terminal has said that a paste begins, and not yet that it ends.
    private var isPasting = false
    private var lastByte: UInt8 = 0

    /// What a key means if it may have been pasted; nil: nothing. `byte` is its last one, and `isLast`: there is
    /// nothing behind it yet.
    mutating func meaning(of key: Key, _ byte: UInt8, isLast: Bool) -> Key? {
      defer { lastByte = byte }
      switch key {
      case .pasteBegan: isPasting = true
      case .pasteEnded: isPasting = false
      // A terminal that does not mark what is pasted sends it at once, so a tab of it has more behind it.
      case .tab where isPasting || !isLast: return .character("\t")
      // The two bytes of one line's end.
      case .enter where isPasting && byte == 0x0A && lastByte == 0x0D: break
      case .enter, .character: return key
      case .interrupt, .endOfInput, .backspace, .delete:
        if isLast { isPasting = false }
        return isPasting ? nil : key
      default: return isPasting ? nil : key
      }
      return nil
    }
  }
}
