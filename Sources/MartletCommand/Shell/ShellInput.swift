import MartletValues

/// Lines that a person or a script gives the shell, as the commands and statements that they make up.
///
/// Always true: a dot command is one only if no statement has begun, so a line of a multi-line text may begin with a
/// point; items come out in the order in which they were typed, each with the number of the line that it begins on.
struct ShellInput {
  enum Item: Equatable {
    case statement(String)
    case command(DotCommand)
    case complaint(String)
    /// What is said beside a line of a statement, which runs or goes on all the same.
    case note(String)
    /// The line is one that SQLite's shell writes into the dump of a damaged file.
    case damage

    /// The item may print something, and is not only a setting for what comes.
    var givesOutput: Bool {
      switch self {
      case .command(let command): command.givesOutput
      case .note, .damage: false
      case .statement, .complaint: true
      }
    }
  }

  /// An item, and the number of the line that it begins on, counted from 1.
  struct Placed: Equatable {
    var item: Item
    var line: Int
  }

  private var splitter = StatementSplitter()
  private var lines = 0
  private var statementLine = 1

  /// What the prompt shows: that a statement goes on.
  var isInsideStatement: Bool { splitter.isInsideStatement }

  /// `isInteractive`: a person typed it, who may have habits.
  mutating func lineReceived(_ line: String, isInteractive: Bool = false) -> [Placed] {
    lines += 1
    if !splitter.isInsideStatement {
      if isInteractive, let meaning = ForeignCommand.meaning(of: line) {
        switch meaning {
        case .command(let command): return [Placed(item: .command(command), line: lines)]
        case .hint(let sentence): return [Placed(item: .complaint(sentence), line: lines)]
        }
      }
      do throws(DotCommand.Failure) {
        if let command = try DotCommand(line) { return [Placed(item: .command(command), line: lines)] }
      } catch {
        return [Placed(item: .complaint(error.description), line: lines)]
      }
      if DumpRecognizer.tellsOfDamage(line) { return [Placed(item: .damage, line: lines)] + cut(line + "\n") }
    } else if isInteractive, let sentence = remark(on: line) {
      return [Placed(item: .note(sentence), line: lines)] + cut(line + "\n")
    }
    return cut(line + "\n")
  }

  /// What is said to a line of a statement that was meant for the shell. No line of SQL begins with a backslash, but a
  /// text may have such a line.
  private func remark(on line: String) -> String? {
    if Self.isToLeave(line) { return CommandHint.withinStatement }
    let word = line.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
    guard word.hasPrefix("\\"), !splitter.isInsideQuoteOrComment else { return nil }
    return ["\\g", "\\G", "\\gx"].contains(word)
      ? CommandHint.backslash(String(word)) : CommandHint.commandWithinStatement
  }

  /// Where no statement has begun, the line would end the shell.
  private static func isToLeave(_ line: String) -> Bool {
    if ForeignCommand.meaning(of: line) == .command(.quit) { return true }
    switch try? DotCommand(line) {
    case .quit, .exit: return true
    default: return false
    }
  }

  /// Cuts at each semicolon, so that each statement is known to begin on this line or where one was left open.
  private mutating func cut(_ line: String) -> [Placed] {
    var items: [Placed] = []
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      if !splitter.isInsideStatement { statementLine = lines }
      let end = rest.firstIndex(of: UInt8(ascii: ";")).map { $0 + 1 } ?? rest.endIndex
      items += splitter.consume(rest[..<end]).map { Placed(item: .statement($0), line: statementLine) }
      rest = rest[end...]
    }
    return items
  }

  /// Control-C: what was begun is dropped.
  mutating func interrupted() {
    splitter = StatementSplitter()
  }

  mutating func inputEnded() -> [Placed] {
    splitter.finish().map { [Placed(item: .statement($0), line: statementLine)] } ?? []
  }
}
