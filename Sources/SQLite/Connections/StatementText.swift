internal import MartletAST
internal import MartletQuery
internal import MartletSQLite

/// SQL of a program with its parameters found, so that values can be bound by place and by name.
///
/// Always true: `?` takes the number behind the highest before it, and equal names are one parameter, as SQLite has it.
struct StatementText: Sendable {
  let sql: String
  /// The statement's bytes, which are its shape, whatever is bound.
  let bytes: [UInt8]
  /// What each parameter is called; empty for those that only have a number.
  let parameters: [String]
  /// Why SQLite would not take the statement: a parameter has a number that none can have. Nil if it may.
  let refusal: String?

  init(_ sql: String) {
    self.sql = sql
    var names: [String] = []
    var refusal: String?
    var statement = ASTStatement()
    for piece in RawPieces(sql) {
      switch piece {
      case .sql(let text): statement.raw.parts.append(ASTRaw.Part(stringLiteral: String(text)))
      case .parameter(let text):
        let number = Self.number(of: text, &names)
        if number == nil {
          refusal = "variable number must be between ?1 and ?\(SQLiteLimits.parameterNumberMax), and it is \(text)"
        }
        statement.raw.parts.append(.expression(.parameter(UInt32(clamping: number ?? 0))))
      }
    }
    parameters = names
    self.refusal = refusal
    bytes = statement.serialized
  }

  /// Nil if it has a number that none can have.
  private static func number(of text: Substring, _ names: inout [String]) -> Int? {
    if text == "?" {
      names.append("")
      return names.count
    }
    if text.first == "?" {
      guard let number = Int(text.dropFirst()), (1...SQLiteLimits.parameterNumberMax).contains(number) else {
        return nil
      }
      while names.count < number { names.append("") }
      return number
    }
    if let index = names.firstIndex(of: String(text)) { return index + 1 }
    names.append(String(text))
    return names.count
  }

  /// The place of a parameter, from 0: by its whole name, or by the name behind its sign.
  func index(of name: String) -> Int? {
    parameters.firstIndex(of: name) ?? parameters.firstIndex { !$0.isEmpty && $0.dropFirst() == name }
  }

  func serialized(_ values: [SQLValue], _ failure: String?) -> SerializedStatement {
    SerializedStatement(bytes: bytes, parameters: values, failure: failure.map { QueryBindingFailure($0) })
  }
}
