/// What a program with a shop writes and reads, beside the SQL that a person would write: the rows that come back, and
/// what the tables hold afterwards.
import Foundation
import Martlet
import Testing

@Suite struct PortedWarehouseTests {
  /// The rows, sorted if no order was asked for, and what the tables hold afterwards; what was written is undone.
  private func outcome(_ database: any DatabaseWriter, _ run: (Database) throws -> [String]) throws -> [String] {
    struct Undone: Error { let outcome: [String] }
    do {
      return try database.write { db -> [String] in
        let rows = try run(db)
        throw Undone(outcome: rows + [try String.fetchOne(db, sql: Warehouse.state) ?? ""])
      }
    } catch let undone as Undone {
      return undone.outcome
    }
  }

  private func check(_ trials: [HandTrial], _ home: DatabaseHome) throws {
    let built = try home.open(Warehouse.script)
    let byHand = try DatabaseHome.embedded.open(Warehouse.script)
    for trial in trials {
      do {
        let found = try outcome(built, trial.run)
        let expected = try outcome(byHand, trial.byHand)
        let isEqual = trial.isSorted ? found == expected : found.sorted() == expected.sorted()
        #expect(isEqual, "\(trial.built)\ngave \(found)\nnot  \(expected)")
      } catch {
        Issue.record("\(trial.built)\nor \(trial.sql)\n\(error)")
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `writes that read other rows change the rows that SQL by hand does`(_ home: DatabaseHome) throws {
    try check(Warehouse.updates + Warehouse.inserts, home)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `queries within queries, windows and documents give the rows of SQL by hand`(_ home: DatabaseHome) throws {
    try check(Warehouse.reads + Warehouse.shapes, home)
  }
}
