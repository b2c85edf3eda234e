import Foundation
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@testable import SQLite

/// The same random statement in both spellings, and as the text that typed SQL prints, gives the same rows in the same
/// storage classes in memory, in a file and at a server; or it fails in all of them.
///
/// `MARTLET_DIFFERENTIAL_TREES` is how many are tried, `MARTLET_DIFFERENTIAL_SEED` the first one's seed.
@Suite struct TwinDifferentialTests {
  @Test func `both spellings and their text mean the same everywhere`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MARTLET_DIFFERENTIAL_TREES"].flatMap(Int.init) ?? 500
    let first = environment["MARTLET_DIFFERENTIAL_SEED"].flatMap(UInt64.init) ?? 1
    let places = try Place.allCases.map { try $0.open() }
    for place in places { try place.db.execute(Twin.rows) }
    var (failures, withRows, differences) = (0, 0, 0)
    for seed in first..<first + UInt64(count) {
      var generator = TwinGenerator(seed: seed)
      let statement = generator.statement()
      let text = statement.typed.asSQL()
      let expected = Self.answer { try places[0].db.rows(of: statement.built) }
      if expected == nil { failures += 1 }
      if expected?.isEmpty == false { withRows += 1 }
      for (place, open) in zip(Place.allCases, places) {
        let answers = [
          ("typed", Self.answer { try open.db.rows(of: QueryShape(statement.typed.clauses).serialized) }),
          ("built", Self.answer { try open.db.rows(of: statement.built) }),
          ("text", Self.answer { try open.db.rows(ofText: text) }),
        ]
        for (name, answer) in answers where answer != expected {
          differences += 1
          Issue.record("seed \(seed), \(name), \(place)\n\(text)\n\(answer ?? ["failed"])\n\(expected ?? ["failed"])")
        }
      }
      guard differences < 10 else { break }
    }
    print("\(count) statements, \(failures) failed everywhere, \(withRows) gave rows, \(differences) differ")
    // If most fail or find nothing, the comparison proves little.
    #expect(failures * 4 < count)
    #expect(withRows * 3 > count)
  }

  /// The rows with their storage classes; nil if the statement fails.
  private static func answer(_ rows: () throws -> [[SQLValue]]) -> [String]? {
    (try? onceMoreIfLate(isInterrupted, rows)).map { rows in
      rows.map { row in row.map { cell($0) }.joined(separator: " | ") }
    }
  }

  /// What deadlines are in this module.
  private static func isInterrupted(_ error: any Error) -> Bool {
    if case SQLite.Result.error(_, let code, _)? = error as? SQLite.Result { code == 9 } else { false }
  }

  private static func cell(_ value: SQLValue) -> String {
    switch value {
    case .real(let real): "real \(real.bitPattern)"
    case .text(let text): "text \(Array(text.utf8))"
    default: "\(value)"
    }
  }
}

extension Connection {
  fileprivate func rows(of statement: SerializedStatement) throws -> [[SQLValue]] {
    try call { try $0.allRows(of: statement) }
  }

  fileprivate func rows(ofText sql: String) throws -> [[SQLValue]] {
    let statement = try prepare(sql)
    var found: [[SQLValue]] = []
    while let row = try statement.failableNext() { found.append(row.map { SQLValue($0) }) }
    return found
  }
}

extension Database {
  fileprivate func allRows(of statement: SerializedStatement) throws -> [[SQLValue]] {
    let rows = try rows(of: statement)
    defer { rows.finish() }
    var found: [[SQLValue]] = []
    while let row = try rows.next() { found.append(row) }
    return found
  }
}
