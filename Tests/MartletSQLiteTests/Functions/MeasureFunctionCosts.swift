/// Measures what the functions of SQLite cost at their worst, and prints a row of docs/FUNCTIONS.md for each: no proof,
/// so it runs only if `MARTLET_MEASURE_FUNCTIONS=1` says so.
import Foundation
import MartletSQLite
import Testing

@Suite struct MeasureFunctionCosts {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["MARTLET_MEASURE_FUNCTIONS"] != nil))
  func `the costs of all functions are measured`() throws {
    let pass = try Self.milliseconds("SELECT length(?1)", keeps: true, setup: [])
    print("one pass: \(pass) ms")
    for call in CostlyCalls.all {
      let ours = try Self.milliseconds(call.sql, keeps: false, setup: call.setup)
      let library = call.isEndless ? nil : try Self.milliseconds(call.sql, keeps: true, setup: call.setup)
      let cells = [
        call.name.hasPrefix("(") ? call.name : "`\(call.name)`", call.input,
        library.map { String(format: "%.0f", $0) } ?? "minutes", String(format: "%.0f", ours),
        String(format: "%.1f", ours / pass), call.done,
      ]
      print("| \(cells.joined(separator: " | ")) |")
    }
  }

  private static func milliseconds(_ sql: String, keeps: Bool, setup: [String]) throws -> Double {
    var connectionSetup = ConnectionSetup()
    connectionSetup.keepsLibraryFunctions = keeps
    let connection = try Connection(path: ":memory:", label: "test", access: .writer, setup: connectionSetup) { 0 }
    for sql in setup { try connection.run(sql) }
    let statement = try connection.prepare(sql)
    let size = 5_000_000
    let values = [
      String(repeating: "a", count: size), String(repeating: "a", count: size / 2),
      String(repeating: "a", count: 1_200_000) + "b", "%" + String(repeating: "a", count: 253) + "b%",
      "[" + String(repeating: "1,", count: size / 2 - 2) + "1]",
      "{" + (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}",
    ]
    // A number that is not used cannot be bound, and a number has those before it.
    for (index, value) in values.prefix(statement.parameterCount).enumerated() {
      try statement.bindText(value, at: index + 1)
    }
    let start = DispatchTime.now().uptimeNanoseconds
    do throws(SQLiteError) {
      while try statement.step() {}
    } catch {
      // What is refused for its size took its time too.
      guard error.code == SQLiteCode.tooBig else { throw error }
    }
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
  }
}
