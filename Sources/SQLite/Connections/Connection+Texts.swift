internal import MartletDatabase

/// Statements that the program wrote as SQL.
///
/// Always true: the SQL is the program's own; a user's text belongs among the bindings.
extension Connection {
  /// Runs statements one after the other, without values. They may begin and end transactions. Throws `Result` for the
  /// first that fails; those before it have run.
  public func execute(_ SQL: String) throws {
    try call(writes: true) {
      try checkMayRun(isRead: false)
      try $0.run(script: SQL)
    }
  }

  /// Compiles a statement; at a server it is compiled when it runs. Throws `Result`.
  public func prepare(_ statement: String, _ bindings: (any Binding)?...) throws -> Statement {
    bindings.isEmpty ? try Statement(self, statement) : try prepare(statement, bindings)
  }

  /// Compiles a statement, and binds values in the order of its parameters.
  public func prepare(_ statement: String, _ bindings: [(any Binding)?]) throws -> Statement {
    try Statement(self, statement).bind(bindings)
  }

  /// Compiles a statement, and binds values by the names of its parameters.
  public func prepare(_ statement: String, _ bindings: [String: (any Binding)?]) throws -> Statement {
    try Statement(self, statement).bind(bindings)
  }

  /// Runs a statement to its end. Throws `Result`.
  @discardableResult
  public func run(_ statement: String, _ bindings: (any Binding)?...) throws -> Statement {
    try run(statement, bindings)
  }

  /// Runs a statement to its end. Throws `Result`.
  @discardableResult
  public func run(_ statement: String, _ bindings: [(any Binding)?]) throws -> Statement {
    // BEGIN, COMMIT and their like have no values, and concern the connection.
    if bindings.isEmpty, ControlWords.begin(statement) {
      try execute(statement)
      return try Statement(self, statement)
    }
    return try prepare(statement, bindings).run()
  }

  /// Runs a statement to its end. Throws `Result`.
  @discardableResult
  public func run(_ statement: String, _ bindings: [String: (any Binding)?]) throws -> Statement {
    try prepare(statement, bindings).run()
  }

  /// The first value of the first row. Throws `Result`.
  public func scalar(_ statement: String, _ bindings: (any Binding)?...) throws -> (any Binding)? {
    try prepare(statement, bindings).scalar()
  }

  /// The first value of the first row. Throws `Result`.
  public func scalar(_ statement: String, _ bindings: [(any Binding)?]) throws -> (any Binding)? {
    try prepare(statement, bindings).scalar()
  }

  /// The first value of the first row. Throws `Result`.
  public func scalar(_ statement: String, _ bindings: [String: (any Binding)?]) throws -> (any Binding)? {
    try prepare(statement, bindings).scalar()
  }
}

/// Words that begin statements about transactions.
private enum ControlWords {
  private static let all: Set<String> = ["begin", "commit", "end", "rollback", "savepoint", "release"]

  static func begin(_ sql: String) -> Bool {
    let word = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }
    return all.contains(word.lowercased())
  }
}
