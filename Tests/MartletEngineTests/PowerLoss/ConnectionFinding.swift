/// What a load left, as Martlet's own connection finds it.
import MartletSQLite
import MartletTestSupport

extension Connection {
  /// Opens the file as the engine's writer does, and reads every row.
  static func finding(at path: String) -> LoadModel.Finding {
    var finding = LoadModel.Finding()
    do throws(SQLiteError) {
      let connection = try Connection(path: path, label: "check", access: .writer, clock: { 0 })
      finding.complaints = try connection.rows(of: "PRAGMA integrity_check").map { $0[0] }.filter { $0 != "ok" }
      finding.tables = Set(try connection.rows(of: "SELECT name FROM sqlite_schema").map { $0[0] })
      guard finding.tables.contains("ledger") else { return finding }
      for row in try connection.rows(of: "SELECT unit, count(*), sum(length(body)) FROM ledger GROUP BY unit") {
        finding.rows[Int(row[0]) ?? -1] = Int(row[1])
      }
      finding.tally = try connection.rows(of: "SELECT n FROM tally").first.flatMap { Int($0[0]) }
      let fillers = try connection.rows(of: "SELECT unit, length(body) FROM filler")
      finding.fillers = Set(fillers.compactMap { Int($0[0]) })
    } catch {
      finding.complaints.append("\(error)")
    }
    return finding
  }

  private func rows(of sql: String) throws(SQLiteError) -> [[String]] {
    let statement = try prepare(sql, for: .engine)
    var rows: [[String]] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columnCount).map { String(decoding: statement.value(at: $0).textBytes, as: UTF8.self) })
    }
    return rows
  }
}
