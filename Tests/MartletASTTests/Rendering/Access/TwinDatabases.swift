/// A database with rows and columns that somebody may not see, its twin that does not have them, and one that has the
/// columns with other contents.
///
/// Always true: what may be seen of the first is what the others hold; every forbidden cell of the first holds the
/// marker.
import MartletAST
import MartletSQLite
import MartletTestSupport
import MartletValues

struct TwinDatabases {
  /// In every forbidden cell, and nowhere else.
  static let marker = "FORBIDDEN"

  let full: Connection
  let twin: Connection
  /// Of the same schema as `full`, without the forbidden rows, and with other contents in the forbidden column.
  let bare: Connection
  let rules: TableRules
  private let claims = ["tenant": "ours"]

  /// How a statement ended: its columns' names, rows and the number of changes, or the code and words of its error.
  struct Outcome: Equatable {
    /// Nil if it was not compiled.
    var names: [String]?
    var rows: [String] = []
    var changes = 0
    var failure: String?

    /// A key that a forbidden row has, of which the security page tells.
    var failsByKey: Bool {
      failure.map { text in ["UNIQUE", "FOREIGN KEY"].contains { text.contains($0) } } ?? false
    }

    /// Of the same rows, whatever their order.
    var sorted: Outcome { Outcome(names: names, rows: rows.sorted(), changes: changes, failure: failure) }
  }

  init() throws {
    let rows = try RowRule("tenant = claim('tenant')")
    var tables: [String: TableRule] = [:]
    for table in NastySchema.tables {
      tables[table.name] = TableRule(
        readColumns: table.columns, writeColumns: table.columns, rows: rows, newRows: rows)
    }
    rules = TableRules(tables)
    full = try Self.open()
    twin = try Self.open()
    bare = try Self.open()
    for statement in NastySchema.statements {
      let sql = try StatementRenderer().render(statement).sql
      for connection in all { try Self.run(sql, on: connection) }
    }
    for table in NastySchema.tables { try fill(table) }
  }

  private func fill(_ table: NastySchema.Table) throws {
    let name = Self.quoted(table.name)
    for (connection, secret) in [(full, Self.marker), (bare, "other")] {
      try Self.run("ALTER TABLE \(name) ADD COLUMN tenant TEXT DEFAULT 'ours'", on: connection)
      try Self.run("ALTER TABLE \(name) ADD COLUMN secret TEXT DEFAULT '\(secret)'", on: connection)
      try Self.run("CREATE INDEX \(Self.quoted("tenants " + table.name)) ON \(name)(tenant)", on: connection)
    }
    let columns = table.columns.map(Self.quoted).joined(separator: ", ")
    for row in 1...6 {
      let values = "\(row), '\(row % 3)', \(row * 2), '\(table.columns[1].utf8.count) \(row)'".replacing("\0", with: "")
      for connection in all {
        try Self.run("INSERT INTO \(name)(\(columns)) VALUES (\(values))", on: connection)
      }
      let marker = "'\(Self.marker) \(row)'"
      try Self.run(
        "INSERT INTO \(name)(\(columns), tenant) VALUES (\(-1_000_000 - row), \(marker), \(marker), \(marker), 'theirs')",
        on: full)
    }
  }

  var all: [Connection] { [full, twin, bare] }

  private static func open() throws -> Connection {
    try Connection(path: ":memory:", label: "twin", access: .writer) { 0 }
  }

  static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  static func run(_ sql: String, on connection: Connection) throws {
    let statement = try connection.prepare(sql, for: .engine)
    while try statement.step() {}
  }

  // MARK: - The same statement on all

  /// Runs it as somebody with the rules on the full database and on the bare one, and as somebody without on the twin.
  func outcomes(
    of rendered: (ruled: RenderedStatement, plain: RenderedStatement)
  ) throws -> (full: Outcome, twin: Outcome, bare: Outcome) {
    (
      outcome(of: rendered.ruled, on: full), outcome(of: rendered.plain, on: twin),
      outcome(of: rendered.ruled, on: bare)
    )
  }

  /// What may be seen of each table.
  func contents() throws -> (full: [String], twin: [String], bare: [String]) {
    (
      try contents(of: full, where: " WHERE tenant = 'ours'"), try contents(of: twin),
      try contents(of: bare, where: " WHERE tenant = 'ours'")
    )
  }

  private func contents(of connection: Connection, where condition: String = "") throws -> [String] {
    try NastySchema.tables.flatMap { table in
      let columns = table.columns.map(Self.quoted).joined(separator: ", ")
      let select = "SELECT \(columns) FROM \(Self.quoted(table.name))\(condition) ORDER BY rowid"
      return try Self.rows(of: connection.prepare(select))
    }
  }

  /// The rows that may not be seen.
  func forbidden() throws -> [String] {
    try NastySchema.tables.flatMap { table in
      try Self.rows(of: full.prepare("SELECT * FROM \(Self.quoted(table.name)) WHERE tenant <> 'ours' ORDER BY rowid"))
    }
  }

  private func outcome(of rendered: RenderedStatement, on connection: Connection) -> Outcome {
    var outcome = Outcome()
    let before = connection.totalChanges
    do {
      if let refusal = refusal(of: rendered) { throw refusal }
      let statement = try connection.prepare(rendered.sql)
      if rendered.checksNewRows { statement.hiddenColumns = 1 }
      outcome.names = statement.columnMetadata().map(\.name)
      try bind(rendered, to: statement)
      outcome.rows = try Self.rows(of: statement)
    } catch {
      outcome.rows = []
      outcome.failure =
        (error as? SQLiteError).map { "\($0.extendedCode) \($0.message) at \($0.offset ?? -1)" } ?? "\(error)"
    }
    outcome.changes = connection.totalChanges == before ? 0 : Int(connection.changes)
    return outcome
  }

  private func bind(_ rendered: RenderedStatement, to statement: Statement) throws {
    for index in stride(from: 1, through: min(rendered.parameterCount, statement.parameterCount), by: 1) {
      if let width = rendered.listParameters[index] {
        try statement.bind(Self.list(width: width), at: index)
      } else if let text = TreeGenerator.boundTexts[index] {
        try statement.bindText(text, at: index)
      } else {
        try statement.bind(Int64(index), at: index)
      }
    }
    for (place, claim) in rendered.claims.enumerated() {
      try statement.bindText(claims[claim] ?? "", at: rendered.parameterCount + place + 1)
    }
  }

  /// What the engine says before it runs the statement.
  private func refusal(of rendered: RenderedStatement) -> SQLiteError? {
    for (index, text) in TreeGenerator.boundTexts {
      if rendered.valueDemands.wholeNumbers.contains(index) {
        return SQLiteError(extendedCode: SQLiteCode.mismatch, message: "")
      }
      if rendered.valueDemands.patterns.contains(index), text.utf8.count > Limits().likePatternBytesMax {
        return SQLiteError(extendedCode: SQLiteCode.error, message: "LIKE or GLOB pattern too complex")
      }
    }
    return nil
  }

  private static func list(width: Int) -> RowsPointer {
    let rows = RowsPointer(rowCount: 2, columnCount: width)
    for column in 0..<width {
      [Int64(column) + 1, Int64(column) + 40].withUnsafeBufferPointer { integers in
        let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        _ = rows.setColumn(
          column,
          .init(
            kind: .integer, nulls: none, tags: none, integers: integers, reals: .init(start: nil, count: 0),
            ends: .init(start: nil, count: 0), data: none))
      }
    }
    return rows
  }

  private static func rows(of statement: Statement) throws -> [String] {
    var rows: [String] = []
    while try statement.step() {
      if statement.columnCount == 0 { continue }
      rows.append((0..<statement.columnCount).map { text(of: statement.value(at: $0)) }.joined(separator: "|"))
    }
    return rows
  }

  private static func text(of value: RowValue) -> String {
    switch value.rawType {
    case RowValue.Kind.integer.rawValue: "i\(value.integer)"
    case RowValue.Kind.real.rawValue: "r\(value.real)"
    case RowValue.Kind.text.rawValue: "t" + String(decoding: value.textBytes, as: UTF8.self)
    case RowValue.Kind.blob.rawValue: "b" + value.blobBytes.map { "\($0)," }.joined()
    default: "n"
    }
  }
}
