import MartletProtobuf
import MartletValues

/// Raw SQL as a statement: what `#sql` stands for.
///
/// Always true: SQL is not parsed here; only its words tell whether it changes rows.
struct RawStatement: StatementTree {
  var parts: [QueryFragment.RawPart]

  /// As its first word says, or what follows the common tables that it begins with.
  var writes: Bool {
    let verbs: Set<String> = ["INSERT", "REPLACE", "UPDATE", "DELETE"]
    let text = parts.map { part in if case .sql(let text) = part { text } else { " ? " } }.joined()
    guard let word = SQLTokens.firstWord(of: text) else { return false }
    guard word == "WITH" else { return verbs.contains(word) }
    var depth = 0
    var outside: [String] = []
    for token in SQLTokens(text) {
      switch token {
      case .symbol(UInt8(ascii: "(")): depth += 1
      case .symbol(UInt8(ascii: ")")): depth -= 1
      case .word(let word) where depth == 0: outside.append(word.uppercased())
      default: break
      }
    }
    // `replace` is a function too.
    return zip(outside, outside.dropFirst() + [""]).contains { $0 == "REPLACE" ? $1 == "INTO" : verbs.contains($0) }
  }
}

extension RawStatement {
  func mapping(_ change: ColumnMapping) -> any StatementTree {
    guard case .raw(let changed) = change.raw(parts).node else { return self }
    return RawStatement(parts: changed)
  }

  func look(_ search: inout PlaceSearch) { parts.look(&search) }
}

extension RawStatement {
  func write(to writer: inout TreeWriter) { writer.message(GrammarFields.Statement.raw) { $0.raw(parts) } }
}
