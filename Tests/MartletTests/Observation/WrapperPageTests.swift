/// The example of docs/DATABASE.md about property wrappers, as it stands there.
import Foundation
import Martlet
import Observation
import Testing

private typealias Item = Shop.Item

private struct Dashboard: FetchKeyRequest {
  struct Value: Sendable {
    var items: [Item] = []
    var count = 0
  }
  func fetch(_ db: Database) throws -> Value {
    Value(items: try Item.order(by: \.id).limit(2).fetchAll(db), count: try Item.fetchCount(db))
  }
}

@Observable
private final class ShopModel {
  @ObservationIgnored @FetchAll(Item.order(by: \.title)) var items
  @ObservationIgnored @FetchOne(Item.count()) var count = 0
  @ObservationIgnored @Fetch(Dashboard()) var dashboard = Dashboard.Value()
}

@Suite(.timeLimit(.minutes(10))) struct WrapperPageTests {
  @Test(arguments: DatabaseHome.allCases)
  func `a model holds values that follow`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    // The page prepares it for the whole program, which tests share.
    let model = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      ShopModel()
    }
    await eventually(model.items.count) { [4].contains($0) }
    await eventually(model.dashboard.items.count) { [2].contains($0) }
    try await database.write { try Item.find(Shop.box).delete().execute($0) }
    try await model.$items.load()
    same(model.items.map(\.title), ["Rake", "iPhone Max", "iPhone Pro"])
    try await model.$items.load(Item.where { $0.price < 100 })
    same(model.items.map(\.title), ["Rake"])
    await eventually(model.dashboard.count) { [3].contains($0) }
    await eventually(model.count) { [3].contains($0) }
  }
}
