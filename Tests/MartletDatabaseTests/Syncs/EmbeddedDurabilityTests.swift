import Foundation
import MartletDatabase
import MartletTestSupport
import Testing

/// What an embedded database does before it shows what somebody else wrote.
@Suite struct EmbeddedDurabilityTests {
  @Test func `what a killed program left in the log is on the disk before it is read`() throws {
    let former = TemporaryDirectory()
    let killed = try DatabaseQueue(path: former.path + "/app.sqlite")
    defer { killed.close() }
    try killed.write { db in try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)") }

    for isPool in [false, true] {
      // As a kill leaves it: the log is there, and nobody has copied it into the file.
      let directory = TemporaryDirectory()
      for name in ["app.sqlite", "app.sqlite-wal"] {
        try FileManager.default.copyItem(atPath: "\(former.path)/\(name)", toPath: "\(directory.path)/\(name)")
      }
      let disk = RecordingDisk(directory: directory.path)
      let path = directory.path + "/app.sqlite"
      let database: any DatabaseWriter = isPool ? try DatabasePool(path: path) : try DatabaseQueue(path: path)
      #expect(disk.syncedNames.contains("app.sqlite-wal"), "\(disk.syncedNames)")
      #expect(try database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") } == 1)
    }
  }
}
