/// 002 "Custom Fetch Requests with @Fetch": several queries in one read, as a type. The property wrapper that observes
/// them in a view is no part of this library yet, so the requests are fetched by hand.
///
/// Always true: what a request fetches comes from one snapshot.
import Foundation
import Martlet
import Testing

private typealias Item = Shop.Item
private typealias Category = Shop.Category
private typealias ActivityLog = Shop.ActivityLog

enum Games {
  @Table
  nonisolated struct Player: Identifiable, Hashable {
    let id: Int
    var name = ""
    var isInjured = false
  }

  static let script = """
    CREATE TABLE "players" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "isInjured" INTEGER NOT NULL);
    INSERT INTO "players" VALUES (1, 'Zoe', 0), (2, 'Bo', 1), (3, 'Al', 0);
    """
}

private typealias Player = Games.Player

private struct PlayersRequest: FetchKeyRequest {
  struct Value {
    let injuredPlayerCount: Int
    let players: [Player]
  }

  func fetch(_ db: Database) throws -> Value {
    try Value(
      injuredPlayerCount:
        Player
        .where(\.isInjured)
        .fetchCount(db),
      players:
        Player
        .where { !$0.isInjured }
        .order(by: \.name)
        .limit(10)
        .fetchAll(db)
    )
  }
}

private struct DashboardRequest: FetchKeyRequest {
  struct Value: Sendable {
    let totalItems: Int
    let activeItems: [Item]
    let categories: [Category]
    let recentActivity: [ActivityLog]
  }

  func fetch(_ db: Database) throws -> Value {
    try Value(
      totalItems: Item.count().fetchOne(db) ?? 0,
      activeItems:
        Item
        .where { !$0.isArchived }
        .order { $0.updatedAt.desc() }
        .limit(10)
        .fetchAll(db),
      categories:
        Category
        .order(by: \.name)
        .fetchAll(db),
      recentActivity:
        ActivityLog
        .order { $0.timestamp.desc() }
        .limit(20)
        .fetchAll(db)
    )
  }
}

private struct SearchRequest: FetchKeyRequest {
  typealias Value = [Item]
  var query: String

  func fetch(_ db: Database) throws -> [Item] { try Item.where { $0.title.contains(query) }.fetchAll(db) }
}

@Suite struct FetchRequestTests {
  @Test(arguments: SeedHome.allCases)
  func `a request gives a count and rows`(home: SeedHome) throws {
    let response = try home.open(Games.script).fetch(PlayersRequest())
    same(response.injuredPlayerCount, 1)
    same(response.players.map(\.name), ["Al", "Zoe"])
  }

  @Test(arguments: SeedHome.allCases)
  func `a dashboard reads four tables at once`(home: SeedHome) throws {
    let dashboard = try home.open(Shop.script).fetch(DashboardRequest())
    same(dashboard.totalItems, 4)
    same(dashboard.activeItems.map(\.id), [Shop.phone, Shop.max, Shop.rake])
    same(dashboard.categories.map(\.name), ["Electronics", "Empty", "Garden"])
    same(dashboard.recentActivity.map(\.text), ["sold", "opened"])
  }

  @Test(arguments: SeedHome.allCases)
  func `another request loads other rows`(home: SeedHome) async throws {
    let database = try home.open(Shop.script)
    same(try await database.fetch(SearchRequest(query: "iPhone")).count, 2)
    same(try await database.fetch(SearchRequest(query: "Rake")).map(\.id), [Shop.rake])
  }
}
