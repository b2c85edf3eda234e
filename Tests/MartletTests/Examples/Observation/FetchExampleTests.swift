/// 002 "Custom Fetch Requests with @Fetch", its search field and statistics, 003 "Property Wrappers" and
/// "Lifecycle-Aware Fetching": the wrappers as the pages spell them, in what a view or its model would be.
///
/// Always true: the database is the default one, as a program prepares it; there is no user interface.
import Foundation
import Martlet
import Observation
import Testing

private typealias Item = Shop.Item

private struct Search: FetchKeyRequest {
  var query = ""
  struct Value { var items: [Item] = [] }

  func fetch(_ db: Database) throws -> Value {
    let search =
      Item
      .where { $0.title.contains(query) }
      .order { $0.title }
    return try Value(items: search.fetchAll(db))
  }
}

@Suite(.timeLimit(.minutes(10))) struct FetchExampleTests {
  private typealias Reminder = Planner.Reminder
  private typealias RemindersList = Planner.RemindersList
  private typealias ReminderRow = Planner.ReminderRow
  private typealias Stats = Planner.Stats

  private struct ItemsList {
    @FetchAll(Item.order(by: \.title)) var items
  }

  private struct StatsView {
    @FetchOne(Item.count()) var totalCount = 0
    @FetchOne(Item.where(\.isInStock).count()) var inStockCount = 0

    var body: String { "Total: \(totalCount), In Stock: \(inStockCount)" }
  }

  private struct QuickReference {
    @FetchAll var items: [Item]
    @FetchAll(Item.order(by: \.title).where(\.isInStock)) var stocked
    @FetchOne(Item.count()) var count = 0
    // Use as base for all queries
    @FetchAll(Item.visible) var visible
    @FetchAll(Item.search("Phone")) var found
  }

  private struct ContentView {
    @Fetch(Search())
    var results = Search.Value()

    func task(query: String) async throws {
      try await $results.load(Search(query: query))
    }
  }

  private struct RemindersView {
    @FetchAll(
      Reminder
        .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
        .order { reminder, _ in reminder.position }
        .select {
          ReminderRow.Columns(
            reminder: $0,
            remindersList: $1,
            isPastDue: $0.isPastDue,
            tags: ""  // computed elsewhere
          )
        }
    )
    var reminders: [ReminderRow]

    // Single query returns all stats
    @FetchOne(
      Reminder.select {
        Stats.Columns(
          allCount: $0.count(filter: !$0.isCompleted),
          flaggedCount: $0.count(filter: $0.isFlagged && !$0.isCompleted),
          scheduledCount: $0.count(filter: $0.isScheduled),
          todayCount: $0.count(filter: $0.isToday)
        )
      }
    )
    var stats = Stats()
  }

  @MainActor @Observable
  final class SearchModel {
    @ObservationIgnored @FetchAll(Shop.Item.none) var items
    var searchQuery = ""

    func task() async {
      // Automatically cancels when view disappears or searchQuery changes
      try? await $items.load(
        Shop.Item.where { $0.title.contains(searchQuery) }
          .order(by: \.title)
      ).task  // ← .task for auto-cancellation
    }

    func onDisappear() async throws { try await $items.load(Shop.Item.none) }
  }

  private func prepared<View>(_ script: String, at home: DatabaseHome, _ make: () -> View) throws -> (
    View, any DatabaseWriter
  ) {
    let database = try home.open(script)
    let view = withDependencies {
      $0.defaultDatabase = database
    } operation: {
      make()
    }
    return (view, database)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a list shows the rows of a query and follows them`(home: DatabaseHome) async throws {
    let (view, database) = try prepared(Shop.script, at: home) { ItemsList() }
    await eventually(view.items.map(\.title)) { $0.elementsEqual([" old box ", "Rake", "iPhone Max", "iPhone Pro"]) }
    try await database.write { db in
      try Item.find(Shop.box).delete().execute(db)
      try Item.insert { Item.Draft(title: "New") }.execute(db)
    }
    await eventually(view.items.map(\.title)) { $0.elementsEqual(["New", "Rake", "iPhone Max", "iPhone Pro"]) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `counts follow the database`(home: DatabaseHome) async throws {
    let (view, database) = try prepared(Shop.script, at: home) { StatsView() }
    await eventually(view.body) { $0.elementsEqual("Total: 4, In Stock: 3") }
    try await database.write { try Item.where(\.isInStock).update { $0.isInStock = false }.execute($0) }
    await eventually(view.body) { $0.elementsEqual("Total: 4, In Stock: 0") }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the wrappers of the quick reference fetch`(home: DatabaseHome) async throws {
    let (view, _) = try prepared(Shop.script, at: home) { QuickReference() }
    await eventually(view.items.count) { [4].contains($0) }
    await eventually(view.stocked.count) { [3].contains($0) }
    await eventually(view.count) { [4].contains($0) }
    await eventually(view.visible.map(\.position)) { $0.elementsEqual([1, 2, 3, 4]) }
    await eventually(view.found.map(\.title)) { $0.elementsEqual(["iPhone Max", "iPhone Pro"]) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a search field loads other requests`(home: DatabaseHome) async throws {
    let (view, database) = try prepared(Shop.script, at: home) { ContentView() }
    await eventually(view.results.items.count) { [4].contains($0) }
    try await view.task(query: "iPhone")
    same(view.results.items.map(\.title), ["iPhone Max", "iPhone Pro"])
    try await database.write { try Item.find(Shop.max).delete().execute($0) }
    await eventually(view.results.items.map(\.title)) { $0.elementsEqual(["iPhone Pro"]) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a joined list and its statistics follow both tables`(home: DatabaseHome) async throws {
    let (view, database) = try prepared(Planner.script, at: home) { RemindersView() }
    await eventually(view.reminders.map(\.remindersList.title)) { $0.elementsEqual(["Business", "Home", "Home"]) }
    await eventually(view.stats) {
      $0 == Stats(allCount: 2, flaggedCount: 1, scheduledCount: 0, todayCount: 2)
    }
    try await database.write { db in
      try RemindersList.find(UUID(2)).update { $0.title = "House" }.execute(db)
      try Reminder.find(UUID(11)).update { $0.isCompleted = true }.execute(db)
    }
    await eventually(view.reminders.map(\.remindersList.title)) { $0.elementsEqual(["Business", "House", "House"]) }
    await eventually(view.stats) {
      $0 == Stats(allCount: 1, flaggedCount: 0, scheduledCount: 0, todayCount: 2)
    }
  }

  @MainActor
  @Test(arguments: DatabaseHome.allCases)
  func `a query lasts as long as the task that loaded it`(home: DatabaseHome) async throws {
    let (model, database) = try prepared(Shop.script, at: home) { SearchModel() }
    model.searchQuery = "iPhone"
    let task = Task { await model.task() }
    await eventually(model.items.count) { [2].contains($0) }
    task.cancel()
    await task.value
    try await database.write { try Item.find(Shop.max).delete().execute($0) }
    same(model.items.count, 2)
    try await model.onDisappear()
    same(model.items.count, 0)
  }
}
