/// One database file that is read in three ways: embedded, at a server, and by the sqlite3 library alone.
///
/// Always true: rows are compared with their storage classes and bit by bit; a statement's failure is an outcome too.
import Foundation
import MartletQuery
import MartletSQLite
import MartletTestSupport
import MartletValues

@testable import MartletDatabase

/// What a database answered.
enum Outcome: Equatable {
  case rows([[Cell]])
  case failure(String)

  /// Failures are alike, whatever their words.
  static func == (left: Outcome, right: Outcome) -> Bool {
    switch (left, right) {
    case (.rows(let left), .rows(let right)): left == right
    case (.failure, .failure): true
    default: false
    }
  }

  var isFailure: Bool { if case .failure = self { true } else { false } }

  var text: String {
    switch self {
    case .failure(let message): "failed: \(message)"
    case .rows(let rows):
      "\(rows.count) rows\n"
        + rows.prefix(12).map { "  " + $0.map(\.text).joined(separator: " | ") }
        .joined(separator: "\n")
    }
  }
}

/// A value as SQLite stores it.
enum Cell: Hashable {
  case null
  case integer(Int64)
  case real(UInt64)
  case text(String)
  case blob([UInt8])

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real.bitPattern)
    case .text(let text): self = .text(text)
    case .blob(let blob): self = .blob(blob)
    case .rows: self = .null
    }
  }

  init(_ statement: MartletSQLite.Statement, _ column: Int) {
    let value = statement.value(at: column)
    self =
      switch value.type {
      case .integer: .integer(value.integer)
      case .real: .real(value.real.bitPattern)
      case .text: .text(String(decoding: value.textBytes, as: UTF8.self))
      case .blob: .blob(Array(value.blobBytes))
      case .null: .null
      }
  }

  static func == (left: Cell, right: Cell) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    // Texts that differ in their bytes only are equal as Swift strings.
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let bits): "\(Double(bitPattern: bits))"
    case .text(let text): text.debugDescription
    case .blob(let blob): "x'" + blob.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}

// Unchecked because each is used by one test at a time, which waits for its answers.
final class Databases: @unchecked Sendable {
  private let directory = TemporaryDirectory(name: "martlet-differential")
  private let local = TemporaryDirectory(name: "martlet-differential-local")
  private let server: TestServer
  private let remote: RemoteDatabase
  private let embedded: DatabaseQueue
  private let library: Connection

  init() throws {
    server = try TestServer(directory: directory.path)
    var configuration = Configuration()
    configuration.remote.createsDatabase = true
    remote = try RemoteDatabase("\(server.unixURL("nasty"))", configuration: configuration)
    try remote.write { db in
      for statement in NastySchema.statements { try db.execute(sql: statement) }
    }
    // A file of its own, because a server's is nobody else's while it runs.
    let path = local.path + "/nasty.sqlite"
    embedded = try DatabaseQueue(path: path)
    try embedded.write { db in
      for statement in NastySchema.statements { try db.execute(sql: statement) }
    }
    library = try Connection(path: path, label: "library", access: .reader) { 0 }
  }

  deinit { server.stop() }

  func embedded(_ statement: SerializedStatement) -> Outcome { Self.outcome(of: statement, embedded) }
  func remote(_ statement: SerializedStatement) -> Outcome { Self.outcome(of: statement, remote) }

  private static func outcome(of statement: SerializedStatement, _ database: some DatabaseReader) -> Outcome {
    do {
      return .rows(try onceMoreIfLate { try database.read { try rows(of: statement, $0) } })
    } catch {
      return .failure("\(error)")
    }
  }

  private static func rows(of statement: SerializedStatement, _ db: MartletDatabase.Database) throws -> [[Cell]] {
    var rows: [[Cell]] = []
    switch try db.openHome().open(statement, outlivesCall: false) {
    case .statement(let opened):
      defer { opened.finish() }
      while try opened.step() {
        rows.append((0..<opened.statement.columnCount).map { Cell(opened.statement, $0) })
      }
    case .batches(let source):
      defer { source.abandon() }
      while let batch = try source.next() {
        for row in 0..<batch.rowCount { rows.append(try batch.row(row).map { Cell($0) }) }
      }
    }
    return rows
  }

  /// What SQLite makes of the SQL that the client prints.
  func library(_ sql: String, _ parameters: [Value]) -> Outcome {
    do {
      let statement = try library.prepare(sql, for: .engine)
      for (index, value) in parameters.enumerated() { try Self.bind(value, to: statement, at: index + 1) }
      var rows: [[Cell]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map { Cell(statement, $0) })
      }
      return .rows(rows)
    } catch {
      return .failure("\(error)")
    }
  }

  private static func bind(_ value: Value, to statement: MartletSQLite.Statement, at index: Int) throws {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let integer): try statement.bind(integer, at: index)
    case .real(let real): try statement.bind(real, at: index)
    case .text(let text): try statement.bindText(text, at: index)
    case .blob(let blob): try blob.withUnsafeBytes { try statement.bindBlob($0, at: index) }
    case .rows(let rows): try statement.bind(pointer(to: rows), at: index)
    }
  }

  private static func pointer(to rows: RowBatch) throws -> RowsPointer {
    let pointer = RowsPointer(rowCount: rows.rowCount, columnCount: rows.columns.count)
    for (index, column) in rows.columns.enumerated() {
      let isSet = column.nulls.withUnsafeBufferPointer { nulls in
        column.tags.withUnsafeBufferPointer { tags in
          column.integers.withUnsafeBufferPointer { integers in
            column.reals.withUnsafeBufferPointer { reals in
              column.ends.withUnsafeBufferPointer { ends in
                column.data.withUnsafeBufferPointer { data in
                  pointer.setColumn(
                    index,
                    RowsPointer.Source(
                      kind: RowsPointer.Kind(rawValue: column.kind.rawValue) ?? .null, nulls: nulls, tags: tags,
                      integers: integers, reals: reals, ends: ends, data: data))
                }
              }
            }
          }
        }
      }
      guard isSet else { throw InvalidText() }
    }
    return pointer
  }
}
