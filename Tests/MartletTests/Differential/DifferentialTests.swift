/// Random statements give the same rows, in the same storage classes, from an embedded database, from a server and from
/// the sqlite3 library; or they fail in all three.
///
/// `MARTLET_DIFFERENTIAL_TREES` is how many are tried, `MARTLET_DIFFERENTIAL_SEED` the first one's seed.
import Foundation
import Martlet
import MartletAST
import Testing

@Suite struct DifferentialTests {
  @Test func `random statements give the same rows embedded, at a server and in the library`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MARTLET_DIFFERENTIAL_TREES"].flatMap(Int.init) ?? 1_000
    let first = environment["MARTLET_DIFFERENTIAL_SEED"].flatMap(UInt64.init) ?? 1
    let databases = try Databases()
    var tally = Tally()
    for seed in first..<first + UInt64(count) {
      var generator = Generator(seed: seed)
      let statement = generator.statement()
      tally.record(statement, seed: seed, databases)
      guard tally.differences.count < 10 else { break }
    }
    for difference in tally.differences { Issue.record("\(difference)") }
    print(
      "\(tally.statements) statements, \(tally.rows) rows, \(tally.failures) failed in all three, "
        + "\(tally.withRows) gave rows, \(tally.differences.count) differ")
    // If most fail or find nothing, the comparison proves little.
    #expect(tally.failures * 20 < tally.statements)
    #expect(tally.withRows * 2 > tally.statements)
  }
}

private struct Tally {
  var statements = 0
  var rows = 0
  var withRows = 0
  var failures = 0
  var differences: [String] = []

  mutating func record(_ statement: any MartletQuery.Statement, seed: UInt64, _ databases: Databases) {
    let built = statement.built
    let sql = statement.sql
    let library = databases.library(sql, built.parameters)
    let serialized = statement.serialized
    let embedded = databases.embedded(serialized)
    let remote = databases.remote(serialized)
    statements += 1
    if case .rows(let found) = library {
      rows += found.count
      if !found.isEmpty { withRows += 1 }
    }
    if embedded == library, remote == library {
      if library.isFailure { failures += 1 }
      if ProcessInfo.processInfo.environment["MARTLET_DIFFERENTIAL_FAILURES"] != nil, case .failure = library {
        print("seed \(seed)\n\(sql)\n\(library.text)\n\(embedded.text)")
      }
      return
    }
    differences.append(
      """
      seed \(seed)
      \(sql)
      \(built.parameters)
      library: \(library.text)
      embedded: \(embedded.text)
      server: \(remote.text)
      """)
  }
}
