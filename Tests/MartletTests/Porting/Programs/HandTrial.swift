/// A statement beside the SQL that a person would write, of which each row is one text.
import Martlet

/// A statement, and what a person would write.
struct HandTrial {
  let run: (Database) throws -> [String]
  let built: String
  let sql: String
  var givesRows = true
  var isSorted = false

  init(_ statement: some Statement<Never>, _ sql: String) {
    run = {
      try statement.execute($0)
      return []
    }
    built = statement.sql
    self.sql = sql
    givesRows = false
  }

  init<Value: QueryRepresentable>(_ statement: some Statement<Value>, _ sql: String, isSorted: Bool = false) {
    run = { try statement.fetchAll($0).map { HandTrial.text($0) } }
    built = statement.sql
    self.sql = sql
    self.isSorted = isSorted
  }

  init<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
    _ statement: some Statement<(First, Second, repeat each Other)>, _ sql: String, isSorted: Bool = false
  ) {
    run = { try statement.fetchAll($0).map { HandTrial.text(ofRow: $0) } }
    built = statement.sql
    self.sql = sql
    self.isSorted = isSorted
  }

  /// The values of a tuple, one after the other.
  static func text(ofRow row: Any) -> String {
    Mirror(reflecting: row).children.map { text($0.value) }.joined(separator: " ")
  }

  static func text(_ value: Any) -> String {
    let optional = Mirror(reflecting: value)
    guard optional.displayStyle == .optional else { return String(describing: value) }
    return optional.children.first.map { text($0.value) } ?? "nil"
  }

  /// The SQL gives one text for each row.
  func byHand(_ db: Database) throws -> [String] {
    guard givesRows else {
      try db.execute(sql: sql)
      return []
    }
    return try String.fetchAll(db, sql: sql)
  }
}

@resultBuilder enum HandTrialsBuilder {
  static func buildBlock(_ trials: HandTrial...) -> [HandTrial] { trials }
}
