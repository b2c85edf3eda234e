public import MartletQuery
import MartletValues

/// Values for the parameters of SQL that the program writes: in their order, `[1, "x", nil]`, or by their names,
/// `["id": 1]`.
///
/// Always true: a statement gets exactly the values that its parameters ask for, or it is not run.
public struct StatementArguments: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  private enum Values {
    case inOrder([QueryBinding])
    case named([String: QueryBinding])
  }

  private let values: Values

  /// For `?`, in their order; nil is NULL.
  public init(arrayLiteral values: (any QueryBindable)?...) { self.init(values) }

  /// For `:id`, `@id` and `$id`, by the name without its first character.
  public init(dictionaryLiteral values: (String, (any QueryBindable)?)...) {
    self.values = .named(Dictionary(values.map { ($0, $1?.queryBinding ?? .null) }) { $1 })
  }

  /// For `?`, in their order; nil is NULL.
  public init(_ values: some Sequence<(any QueryBindable)?>) {
    self.values = .inOrder(values.map { $0?.queryBinding ?? .null })
  }

  /// For `?`, in their order.
  public init(_ values: some Sequence<any QueryBindable>) { self.values = .inOrder(values.map(\.queryBinding)) }

  /// For `:id`, `@id` and `$id`, by the name without its first character.
  public init(_ values: [String: (any QueryBindable)?]) {
    self.values = .named(values.mapValues { $0?.queryBinding ?? .null })
  }

  /// There are no arguments.
  public var isEmpty: Bool {
    switch values {
    case .inOrder(let values): values.isEmpty
    case .named(let values): values.isEmpty
    }
  }

  /// The values in the order in which SQLite numbers the parameters of the SQL.
  func parameters(of sql: String) throws -> [Value] {
    switch values {
    case .inOrder(let values): return try values.map { try $0.bound() }
    case .named(let values):
      let names = try Self.namesOfParameters(in: sql)
      if let missing = names.first(where: { values[$0] == nil }) {
        throw QueryBindingFailure("The SQL has a parameter '\(missing)', for which there is no argument. Add one.")
      }
      if let unknown = values.keys.sorted().first(where: { !names.contains($0) }) {
        throw QueryBindingFailure("The SQL has no parameter '\(unknown)'. Remove the argument, or name it in the SQL.")
      }
      return try names.map { try (values[$0] ?? .null).bound() }
    }
  }

  /// The names of the parameters, each parameter at its first place. To SQLite `:a` and `@a` are two.
  private static func namesOfParameters(in sql: String) throws -> [String] {
    var found: Set<String> = []
    var names: [String] = []
    var mark: Character?
    for token in SQLTokens(sql) {
      var name: String?
      switch token {
      case .word(let word) where mark != nil: name = word
      case .word(let word) where word.hasPrefix("$"):
        name = String(word.dropFirst())
        mark = "$"
      case .symbol(UInt8(ascii: "?")):
        throw QueryBindingFailure("Arguments by name need parameters with names. Write ':name' in place of '?'.")
      default: break
      }
      if let name, let mark, found.insert("\(mark)\(name)").inserted { names.append(name) }
      mark =
        switch token {
        case .symbol(UInt8(ascii: ":")): ":"
        case .symbol(UInt8(ascii: "@")): "@"
        default: nil
        }
    }
    return names
  }
}
