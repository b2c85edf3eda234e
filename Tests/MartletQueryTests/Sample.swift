/// A database in memory with a few rows, on which tests run what they built.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite
import MartletTestSupport
import MartletValues

final class Sample {
  let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:", label: "sample", access: .writer) { 0 }
    // As a program that owns its file: temporary objects, and triggers that write to tables of full text.
    _ = try connection.prepare("PRAGMA trusted_schema=ON", for: .engine).step()
    for sql in [
      """
      CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '', "isCompleted" INTEGER
      NOT NULL DEFAULT 0, "priority" INTEGER, "dueDate" TEXT, "position" INTEGER NOT NULL DEFAULT 0, "remindersListID"
      INTEGER NOT NULL DEFAULT 1) STRICT
      """,
      """
      CREATE TABLE "remindersLists" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL UNIQUE, "deletedAt" TEXT,
      "createdAt" TEXT NOT NULL DEFAULT '2001-01-01 00:00:00.000', "updatedAt" TEXT) STRICT
      """,
      "INSERT INTO \"remindersLists\" (\"id\", \"title\") VALUES (1, 'Home'), (2, 'Work'), (3, 'Empty')",
      "INSERT INTO \"remindersLists\" (\"id\", \"title\", \"deletedAt\") VALUES (4, 'Gone', '2002-02-02 00:00:00.000')",
      """
      INSERT INTO "reminders" VALUES (1, 'Milk', 0, 3, '2001-01-02 00:00:00.000', 10, 1), (2, 'Bread', 1, NULL,
      NULL, 20, 1), (3, 'Report', 0, 1, '2001-02-03 04:05:06.789', 30, 2), (4, '100% Juice', 0, 2, NULL, 40, 1)
      """,
    ] {
      let statement = try connection.prepare(sql)
      _ = try statement.step()
    }
  }

  /// Tables with documents, and with texts for searching.
  func addDocuments() throws {
    for sql in [
      """
      CREATE TABLE "documents" ("id" INTEGER PRIMARY KEY, "author" TEXT NOT NULL, "tags" TEXT NOT NULL, "postedAt"
      INTEGER NOT NULL, "seenAt" REAL, "isOpen" INTEGER NOT NULL) STRICT
      """,
      "CREATE VIRTUAL TABLE \"documentTexts\" USING fts5(\"title\", \"body\")",
      """
      INSERT INTO "documentTexts" ("rowid", "title", "body") VALUES (1, 'Swift birds', 'A martlet never lands'),
      (2, 'Landing', 'Swift swift swift, and some birds'), (3, 'Other', 'Nothing to see')
      """,
    ] {
      _ = try connection.prepare(sql).step()
    }
    try run(Document.insert { [Document.swift, Document.empty] })
  }

  /// As an engine has it: for the library that is installed, with what stands in for later ones.
  private static let renderer = StatementRenderer(
    sqliteVersion: SQLiteLibrary.version,
    extensions: EngineExtensions(orderedAggregates: OrderedAggregates.names))

  /// The rows of a statement, after its SQL was made by the renderer that a server uses.
  @discardableResult
  func run(_ statement: some MartletQuery.Statement) throws -> RowBatch {
    let built = statement.built
    expectEqualBytes(statement)
    if let failure = built.failure { throw failure }
    let rendered = try Self.renderer.render(built.tree)
    let prepared = try connection.prepare(rendered.sql, for: .engine)
    for (index, value) in built.parameters.enumerated() { try bind(value, to: prepared, at: index + 1) }
    var batch = RowBatch(columnCount: prepared.columnCount)
    while try prepared.step() {
      batch.append((0..<prepared.columnCount).map { value(prepared, $0) })
    }
    return batch
  }

  func all<S: MartletQuery.Statement>(_ statement: S) throws -> [S.QueryValue.QueryOutput]
  where S.QueryValue: QueryRepresentable {
    try statement.decode(try run(statement))
  }

  /// An expression's value in the row of the first reminder.
  func value(_ expression: some QueryExpression) throws -> Value {
    try run(Reminder.find(1).select { _ in expression }).row(0)[0]
  }

  private func value(_ statement: MartletSQLite.Statement, _ column: Int) -> Value {
    let value = statement.value(at: column)
    return switch value.type {
    case .integer: .integer(value.integer)
    case .real: .real(value.real)
    case .text: .text(String(decoding: value.textBytes, as: UTF8.self))
    case .blob: .blob(Array(value.blobBytes))
    case .null: .null
    }
  }

  private func bind(_ value: Value, to statement: MartletSQLite.Statement, at index: Int) throws {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .real(let real): try statement.bind(real, at: index)
    case .text(let text): try statement.bindText(text, at: index)
    case .blob(let blob): try blob.withUnsafeBytes { try statement.bindBlob($0, at: index) }
    case .rows(let rows): try statement.bind(Self.pointer(to: rows), at: index)
    }
  }

  private static func pointer(to rows: RowBatch) -> RowsPointer {
    let pointer = RowsPointer(rowCount: rows.rowCount, columnCount: rows.columns.count)
    for (index, column) in rows.columns.enumerated() {
      let kind = RowsPointer.Kind(rawValue: column.kind.rawValue) ?? .null
      let isSet = column.nulls.withUnsafeBufferPointer { nulls in
        column.tags.withUnsafeBufferPointer { tags in
          column.integers.withUnsafeBufferPointer { integers in
            column.reals.withUnsafeBufferPointer { reals in
              column.ends.withUnsafeBufferPointer { ends in
                column.data.withUnsafeBufferPointer { data in
                  pointer.setColumn(
                    index,
                    RowsPointer.Source(
                      kind: kind, nulls: nulls, tags: tags, integers: integers, reals: reals, ends: ends, data: data))
                }
              }
            }
          }
        }
      }
      precondition(isSet)
    }
    return pointer
  }
}

extension QueryExpression {
  /// Its SQL, with values where they stand.
  var text: String {
    let statement = SQLQueryExpression<Int>(queryFragment, as: Int.self)
    return String(statement.description.trimmingPrefix("SELECT "))
  }
}
