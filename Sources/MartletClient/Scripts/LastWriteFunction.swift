internal import MartletValues

/// `last_insert_rowid()`, `changes()` and `total_changes()`, which SQLite answers with the last write of a connection.
///
/// The clients of a server share its connections, so there these functions know only the writes of the open
/// transaction. After a write that stood alone they would return 0, and a script would go on with that.
///
/// Always true: what is defined (CREATE) or explained does not call them now.
package enum LastWriteFunction {
  private static let names: Set<String> = ["last_insert_rowid", "changes", "total_changes"]

  /// The function of these that a statement calls; nil if it calls none.
  package static func called(by sql: String) -> String? {
    guard hasEmptyParentheses(sql), !["CREATE", "EXPLAIN"].contains(SQLTokens.firstWord(of: sql)) else { return nil }
    var before: (name: String?, isOpened: Bool) = (nil, false)
    for token in SQLTokens(sql) {
      switch token {
      case .word(let word): before = (names.contains(word.lowercased()) ? word.lowercased() : nil, false)
      case .symbol(UInt8(ascii: "(")) where !before.isOpened: before.isOpened = true
      case .symbol(UInt8(ascii: ")")) where before.isOpened && before.name != nil: return before.name
      default: before = (nil, false)
      }
    }
    return nil
  }

  /// The function of these that a serialized statement may call; nil if it has none of the words. `sql` is asked for
  /// only if it has one.
  package static func called(by bytes: [UInt8], sql: () -> String) -> String? {
    hasName(bytes) ? called(by: sql()) : nil
  }

  /// The third name ends with the second.
  private static let words = ["last_insert_rowid", "changes"].map { Array($0.utf8) }

  /// A tree has its text as it was written, so capitals count as well.
  private static func hasName(_ bytes: [UInt8]) -> Bool {
    words.contains { word in
      bytes.indices.contains { start in
        bytes.count - start >= word.count && word.indices.allSatisfy { lowered(bytes[start + $0]) == word[$0] }
      }
    }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// Few statements have empty parentheses, so most are looked through once, and no word of them is kept.
  private static func hasEmptyParentheses(_ sql: String) -> Bool {
    var isOpened = false
    for byte in sql.utf8 {
      switch byte {
      case UInt8(ascii: "("): isOpened = true
      case UInt8(ascii: ")") where isOpened: return true
      case 0x20, 0x09...0x0D: break
      default: isOpened = false
      }
    }
    return false
  }
}
