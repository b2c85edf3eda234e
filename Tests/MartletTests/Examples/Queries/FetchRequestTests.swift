/// 002 "Custom Fetch Requests with @Fetch": several queries in one read, as a type, fetched by hand and by the property
/// wrapper.
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

private struct PlayersView {
  @Fetch(PlayersRequest()) var response = PlayersRequest.Value(injuredPlayerCount: 0, players: [])
}

private struct DashboardView {
  @Fetch(DashboardRequest()) var dashboard =
    DashboardRequest.Value(totalItems: 0, activeItems: [], categories: [], recentActivity: [])
  @Fetch var searchResults = SearchRequest.Value()
}

@Suite(.timeLimit(.minutes(10))) struct FetchRequestTests {
  @Test(arguments: DatabaseHome.allCases)
  func `a request gives a count and rows`(home: DatabaseHome) throws {
    let response = try home.open(Games.script).fetch(PlayersRequest())
    same(response.injuredPlayerCount, 1)
    same(response.players.map(\.name), ["Al", "Zoe"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a dashboard reads four tables at once`(home: DatabaseHome) throws {
    let dashboard = try home.open(Shop.script).fetch(DashboardRequest())
    same(dashboard.totalItems, 4)
    same(dashboard.activeItems.map(\.id), [Shop.phone, Shop.max, Shop.rake])
    same(dashboard.categories.map(\.name), ["Electronics", "Empty", "Garden"])
    same(dashboard.recentActivity.map(\.text), ["sold", "opened"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `another request loads other rows`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    same(try await database.fetch(SearchRequest(query: "iPhone")).count, 2)
    same(try await database.fetch(SearchRequest(query: "Rake")).map(\.id), [Shop.rake])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a view follows what a request fetches`(home: DatabaseHome) async throws {
    let database = try home.open(Games.script)
    let view = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      PlayersView()
    }
    await eventually(view.response.players.map(\.name)) { $0.elementsEqual(["Al", "Zoe"]) }
    same(view.response.injuredPlayerCount, 1)
    try await database.write { try Player.find(3).update { $0.isInjured = true }.execute($0) }
    await eventually(view.response.players.map(\.name)) { $0.elementsEqual(["Zoe"]) }
    same(view.response.injuredPlayerCount, 2)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a view loads one request and then another`(home: DatabaseHome) async throws {
    let database = try home.open(Shop.script)
    let view = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      DashboardView()
    }
    same(view.searchResults.count, 0)
    try await view.$searchResults.load(SearchRequest(query: "iPhone"))
    same(view.searchResults.count, 2)
    try await view.$searchResults.load(SearchRequest(query: "Rake"))
    same(view.searchResults.map(\.id), [Shop.rake])
    await eventually(view.dashboard.totalItems) { [4].contains($0) }
    try await database.write { try Category.find(UUID(3)).delete().execute($0) }
    await eventually(view.dashboard.categories.map(\.name)) { $0.elementsEqual(["Electronics", "Garden"]) }
  }
}
