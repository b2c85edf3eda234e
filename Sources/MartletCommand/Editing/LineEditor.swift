/// One line being edited: keys in, what the shell does about it out.
///
/// Always true: the cursor stands between two whole characters of the line; going back through the history keeps the
/// line that was being typed.
struct LineEditor {
  enum Action: Equatable {
    /// The line changed or the cursor moved: draw it.
    case redraw
    case clearScreen
    case accept(String)
    /// Control-C: what was typed is dropped.
    case interrupt
    case endOfInput
    /// Control-Z: the program stands still, and goes on with the line.
    case suspend
    /// Tab found more than one word: show them below the line.
    case list([String])
    case none
  }

  private(set) var line: [Character] = []
  private(set) var cursor = 0
  private var killed: [Character] = []
  /// Which entry of the history is shown; its count stands for the line being typed.
  private var position: Int
  private var draft: [Character] = []
  private let history: [String]
  private let words: CompletionWords
  /// Set while Control-R looks through the history.
  private(set) var search: HistorySearch?
  /// The line that a search began on, for Control-G.
  private var beforeSearch: (line: [Character], cursor: Int) = ([], 0)

  init(history: [String] = [], words: CompletionWords = CompletionWords()) {
    self.history = history
    self.words = words
    position = history.count
  }

  mutating func keyPressed(_ key: Key) -> Action {
    if search != nil, let action = searching(key) { return action }
    switch key {
    case .character(let character): return insert([character])
    case .yank: return insert(killed)
    case .enter: return .accept(String(line))
    case .interrupt: return .interrupt
    case .clearScreen: return .clearScreen
    case .suspend: return .suspend
    case .endOfInput: return line.isEmpty ? .endOfInput : remove(cursor..<min(cursor + 1, line.count))
    case .backspace: return remove(max(0, cursor - 1)..<cursor)
    case .delete: return remove(cursor..<min(cursor + 1, line.count))
    case .left: return move(to: cursor - 1)
    case .right: return move(to: cursor + 1)
    case .home: return move(to: 0)
    case .end: return move(to: line.count)
    case .wordLeft: return move(to: startOfWord())
    case .wordRight: return move(to: endOfWord())
    case .killToEnd: return kill(cursor..<line.count)
    case .killToStart: return kill(0..<cursor)
    case .killWord: return kill(startOfWord()..<cursor)
    case .tab: return complete()
    case .search: return beginSearch()
    case .leave, .pasteBegan, .pasteEnded: return .none
    case .up: return show(position - 1)
    case .down: return show(position + 1)
    }
  }

  // MARK: - Completion

  private mutating func complete() -> Action {
    let completion = WordCompletion(line: line, cursor: cursor, words: words)
    if let replacement = completion.replacement {
      _ = remove((cursor - completion.typedCount)..<cursor)
      return insert(Array(replacement))
    }
    let insertion = completion.insertion
    if !insertion.isEmpty { return insert(Array(insertion)) }
    if completion.candidates.count > 1 { return .list(completion.candidates) }
    // Nothing to complete: the key is what it is elsewhere.
    return completion.typedCount == 0 && completion.candidates.isEmpty ? insert(["\t"]) : .none
  }

  // MARK: - Search

  private mutating func beginSearch() -> Action {
    search = HistorySearch(lines: history)
    beforeSearch = (line, cursor)
    return .redraw
  }

  /// What a key means during a search; nil for those that end it and then do what they always do.
  private mutating func searching(_ key: Key) -> Action? {
    switch key {
    case .character(let character): search?.typed(character)
    case .backspace: search?.erased()
    case .search: search?.pressedAgain()
    case .leave, .interrupt:
      search = nil
      (line, cursor) = beforeSearch
      return .redraw
    // Nothing was found, so nothing runs.
    case .enter where search?.isFailing == true: return .redraw
    default:
      search = nil
      return key == .tab ? .redraw : nil
    }
    if let found = search?.line, !found.isEmpty {
      line = found
      cursor = line.count
    } else {
      (line, cursor) = beforeSearch
    }
    return .redraw
  }

  // MARK: - Changes

  private mutating func insert(_ characters: [Character]) -> Action {
    guard !characters.isEmpty, line.count + characters.count <= CommandLimits.lineCharactersMax else { return .none }
    let countAfter = line.count - cursor
    line.insert(contentsOf: characters, at: cursor)
    // A combining mark joins the character before it, which makes the line shorter than the sum of its parts.
    line = Array(String(line))
    cursor = max(0, line.count - countAfter)
    return .redraw
  }

  private mutating func remove(_ range: Range<Int>) -> Action {
    guard !range.isEmpty else { return .none }
    line.removeSubrange(range)
    cursor = range.lowerBound
    return .redraw
  }

  private mutating func kill(_ range: Range<Int>) -> Action {
    guard !range.isEmpty else { return .none }
    killed = Array(line[range])
    return remove(range)
  }

  private mutating func move(to target: Int) -> Action {
    guard target >= 0, target <= line.count, target != cursor else { return .none }
    cursor = target
    return .redraw
  }

  private mutating func show(_ target: Int) -> Action {
    guard target >= 0, target <= history.count, target != position else { return .none }
    if position == history.count { draft = line }
    position = target
    line = target == history.count ? draft : Array(history[target])
    cursor = line.count
    return .redraw
  }

  private func startOfWord() -> Int {
    var index = cursor
    while index > 0 && !isWord(line[index - 1]) { index -= 1 }
    while index > 0 && isWord(line[index - 1]) { index -= 1 }
    return index
  }

  private func endOfWord() -> Int {
    var index = cursor
    while index < line.count && !isWord(line[index]) { index += 1 }
    while index < line.count && isWord(line[index]) { index += 1 }
    return index
  }

  private func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
