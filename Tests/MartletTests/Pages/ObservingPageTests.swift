/// The examples of docs/OBSERVING.md, as they stand there.
import Foundation
import Martlet
import Observation
import Testing

@Table
private struct Order: Identifiable {
  let id: Int
  var amount = 0.0
  var isPaid = false
}

@Observable
private final class OrderModel {
  @ObservationIgnored @FetchAll(Order.where { !$0.isPaid }.order(by: \.id)) var open
  @ObservationIgnored @FetchOne(Order.count()) var count = 0
}

@Suite(.timeLimit(.minutes(10))) struct ObservingPageTests {
  private func home(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Order.createTable().execute(db)
      try Order.insert {
        Order(id: 1, amount: 2)
        Order(id: 2, amount: 3, isPaid: true)
      }
      .execute(db)
    }
    return database
  }

  @Test func `the page shows nothing that this test does not run`() throws {
    try PageText("OBSERVING.md").expectAll(in: #filePath)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a value follows`(home: DatabaseHome) async throws {
    let database = try self.home(home)
    let totals = ValueObservation.tracking { db in
      try Order.select { $0.amount.sum() }.fetchOne(db) ?? nil
    }
    var seen: [Double] = []
    for try await total in totals.values(in: database) {
      seen.append(total ?? 0)
      if seen.count == 2 { break }
      try await database.write { db in try Order.find(1).update { $0.amount = 10 }.execute(db) }
    }
    #expect(seen == [5, 13])
    let open = ValueObservation.tracking { db in
      try Order.where { !$0.isPaid }.fetchCount(db)
    }
    .removeDuplicates()
    var counts: [Int] = []
    for try await count in open.values(in: database) {
      counts.append(count)
      if counts.count == 2 { break }
      // Only the second changes what is counted.
      try await database.write { db in try Order.find(1).update { $0.amount = 11 }.execute(db) }
      try await database.write { db in try Order.find(1).update { $0.isPaid = true }.execute(db) }
    }
    #expect(counts == [1, 0])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a model follows`(home: DatabaseHome) async throws {
    let database = try self.home(home)
    let model = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      OrderModel()
    }
    await eventually(model.open.count) { [1].contains($0) }
    try await database.write { db in try Order.insert { Order(id: 3, amount: 1) }.execute(db) }
    try await model.$open.load()
    same(model.open.map(\.id), [1, 3])
    await eventually(model.count) { [3].contains($0) }
  }
}
