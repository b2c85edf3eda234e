/// A file with tables, indexes, overflow pages and free pages, and what it holds.
import Foundation

@testable import MartletSQLite

final class PageFixture {
  let directory: String
  var path: String { "\(directory)/data.sqlite" }

  init() {
    directory = NSTemporaryDirectory() + "/martlet-pages-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func open(
    _ access: Connection.Access = .writer, checksums: PageChecksums = .on, keepsJournalMode: Bool = false,
    cacheBytes: Int = 8 << 20
  ) throws -> Connection {
    var setup = ConnectionSetup()
    setup.pageChecksums = checksums
    setup.keepsJournalMode = keepsJournalMode
    setup.pageCacheBytes = cacheBytes
    // VACUUM attaches a file of its own.
    setup.attachedMax = 1
    return try Connection(path: path, label: "test", access: access, setup: setup, clock: { 0 })
  }

  static let schema = [
    "CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, body BLOB)", "CREATE INDEX item_name ON item(name)",
    "CREATE TABLE gone(a)",
  ]

  /// Rows of which some are longer than a page, and pages that are free again.
  func fill(_ connection: Connection, rows: Int = 300) throws {
    for sql in Self.schema { try connection.execute(sql) }
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO item SELECT i, 'name ' || i, zeroblob(CASE WHEN i % 20 = 0 THEN 9000 ELSE i END) FROM n
      """)
    try connection.execute("INSERT INTO gone SELECT zeroblob(3000) FROM item LIMIT 40")
    try connection.execute("DELETE FROM gone")
  }

  /// Every value, by the table and by the index.
  static func everything(_ connection: Connection) throws -> [String] {
    try rows("SELECT id, name, hex(body), length(body) FROM item NOT INDEXED ORDER BY id", connection)
      + rows("SELECT name, id FROM item INDEXED BY item_name WHERE name >= '' ORDER BY name", connection)
      + rows("SELECT count(*) FROM gone", connection)
  }

  static func rows(_ sql: String, _ connection: Connection) throws -> [String] {
    let statement = try connection.prepare(sql, for: .engine)
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columnCount).map { String(decoding: statement.value(at: $0).textBytes, as: UTF8.self) }
          .joined(separator: "|"))
    }
    return rows
  }

  var bytes: [UInt8] {
    get { FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [] }
    set { _ = FileManager.default.createFile(atPath: path, contents: Data(newValue)) }
  }

  /// Changes bytes of a file where they lie, so that whoever has it open sees it.
  func flip(bit: Int, in file: String) throws {
    let handle = try FileHandle(forUpdating: URL(filePath: file))
    defer { try? handle.close() }
    try handle.seek(toOffset: UInt64(bit / 8))
    guard var byte = try handle.read(upToCount: 1)?.first else { return }
    byte ^= 1 << (bit % 8)
    try handle.seek(toOffset: UInt64(bit / 8))
    try handle.write(contentsOf: Data([byte]))
  }
}
