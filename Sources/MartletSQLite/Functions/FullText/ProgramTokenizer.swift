import CSQLite
import Synchronization

/// A tokenizer of FTS4 and FTS5 that is written in Swift.
///
/// Always true: its connection and the tables that are open hold it. FTS4 cannot pass a connection along. It finds the
/// tokenizer by its name among all of the process, and gets the one that was registered last.
package final class ProgramTokenizer: Sendable {
  /// The name of the module, which takes the tokenizer's name as its argument.
  package static let module = "SQLite.swift"

  let name: String
  // Unsafe because FTS4 may call the function for any connection of the process, on its thread; the program is told
  // that it must change nothing.
  nonisolated(unsafe) let next: NextToken

  private struct Entry {
    weak var tokenizer: ProgramTokenizer?
  }

  private static let all = Mutex<[String: Entry]>([:])

  init(_ name: String, _ next: @escaping NextToken) {
    self.name = name
    self.next = next
  }

  deinit { Self.all.withLock { all in if all[name]?.tokenizer == nil { all[name] = nil } } }

  static func named(_ name: String) -> ProgramTokenizer? { all.withLock { $0[name]?.tokenizer } }

  func publish() { Self.all.withLock { $0[name] = Entry(tokenizer: self) } }
}

/// The tokenizers of one connection by their names, among which FTS5 looks for those of its tables.
final class ConnectionTokenizers {
  var named: [String: ProgramTokenizer] = [:]
}
