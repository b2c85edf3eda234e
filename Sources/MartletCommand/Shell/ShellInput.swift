/// Lines that a person or a script gives the shell, as the commands and statements that they make up.
///
/// Always true: a dot command is one only where no statement has begun, so a line of a multi-line text may begin with a
/// point; statements come out in the order in which they were typed.
struct ShellInput {
  enum Item: Equatable {
    case statement(String)
    case command(DotCommand)
    case complaint(String)
  }

  private var splitter = StatementSplitter()

  /// What the prompt shows: that a statement goes on.
  var isInsideStatement: Bool { splitter.isInsideStatement }

  mutating func lineReceived(_ line: String) -> [Item] {
    if !splitter.isInsideStatement {
      do throws(DotCommand.Failure) {
        if let command = try DotCommand(line) { return [.command(command)] }
      } catch {
        return [.complaint(error.description)]
      }
    }
    return splitter.consume(Array((line + "\n").utf8)).map { .statement($0) }
  }

  /// Control-C: what was begun is dropped.
  mutating func interrupted() {
    splitter = StatementSplitter()
  }

  mutating func inputEnded() -> [Item] {
    splitter.finish().map { [.statement($0)] } ?? []
  }
}
