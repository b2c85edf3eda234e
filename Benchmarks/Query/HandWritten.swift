/// What a careful programmer writes against the C library: the yardstick.
import CSQLite

final class HandWritten {
  private var handle: OpaquePointer?

  init(path: String) {
    precondition(sqlite3_open(path, &handle) == SQLITE_OK)
    run("PRAGMA journal_mode=WAL")
    run("PRAGMA synchronous=FULL")
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) { precondition(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK) }

  func prepared(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    precondition(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    return statement
  }

  /// All rows as structs.
  func fetchAll() -> [Sale] {
    let statement = prepared("SELECT * FROM sales")
    defer { sqlite3_finalize(statement) }
    var sales: [Sale] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      sales.append(
        Sale(
          id: Int(sqlite3_column_int64(statement, 0)), customer: text(statement, 1),
          amount: sqlite3_column_double(statement, 2), quantity: Int(sqlite3_column_int64(statement, 3)),
          note: sqlite3_column_type(statement, 4) == SQLITE_NULL ? nil : text(statement, 4),
          isPaid: sqlite3_column_int64(statement, 5) != 0, region: text(statement, 6)))
    }
    return sales
  }

  @inline(__always)
  private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Writes rows in one transaction with one statement that is compiled once.
  func upsert(_ sales: [Sale]) {
    run("BEGIN IMMEDIATE")
    let statement = prepared(
      """
      INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET customer = excluded.customer,
      amount = excluded.amount, quantity = excluded.quantity, note = excluded.note, isPaid = excluded.isPaid,
      region = excluded.region
      """)
    for sale in sales {
      sqlite3_bind_int64(statement, 1, Int64(sale.id))
      bind(statement, 2, sale.customer)
      sqlite3_bind_double(statement, 3, sale.amount)
      sqlite3_bind_int64(statement, 4, Int64(sale.quantity))
      if let note = sale.note { bind(statement, 5, note) } else { sqlite3_bind_null(statement, 5) }
      sqlite3_bind_int64(statement, 6, sale.isPaid ? 1 : 0)
      bind(statement, 7, sale.region)
      precondition(sqlite3_step(statement) == SQLITE_DONE)
      sqlite3_reset(statement)
    }
    sqlite3_finalize(statement)
    run("COMMIT")
  }

  @inline(__always)
  private func bind(_ statement: OpaquePointer?, _ index: Int32, _ text: String) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = martlet_sqlite_bind_text_copy(statement, index, characters.baseAddress, UInt64(characters.count))
      }
    }
  }
}
