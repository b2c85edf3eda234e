/// Rows of the program stand in queries as a table of theirs, and hints name the index that a query must use.
import Foundation
import MartletDatabase
import MartletQuery
import MartletValues
import Testing

@Suite struct RowsQueryTests {
  @Test(arguments: Home.allCases, [0, 2, 5_000])
  func `rows of the program are joined with stored rows`(home: Home, count: Int) throws {
    let open = try home.open()
    let owners = (0..<count).map { Owner(id: $0 + 1, name: "Owner \($0 + 1)") }
    try open.database.read { db in
      let query = Item.join(Owner.rows(owners)) { $0.ownerID.eq($1.id) }.order { item, _ in item.id }
        .select { ($0.title, $1.name) }
      let found = try query.fetchAll(db)
      #expect(found.map(\.0) == (count == 0 ? [] : ["Tea", "Cup"]))
      #expect(found.map(\.1) == (count == 0 ? [] : ["Owner 1", "Owner 1"]))
      try expect(count) { try Owner.rows(owners).fetchAll(db).count }
      try expect(count == 0 ? [] : [owners[count - 1]]) {
        try Owner.rows(owners).order { $0.id.desc() }.limit(1).fetchAll(db)
      }
      #expect(query.parameters.count == 1)
    }
  }

  @Test(arguments: Home.allCases)
  func `stored rows are updated from rows of the program`(home: Home) throws {
    let open = try home.open()
    let prices = [Item(id: 1, price: 4), Item(id: 3, price: nil), Item(id: 99, price: 1)]
    try open.database.write { db in
      try Item.update(from: Price.rows(prices.map { Price(id: $0.id, price: $0.price) })) { item, new in
        item.price = new.price
      } where: {
        $0.id.eq($1.id)
      }
      .execute(db)
      try expect([4, nil, nil]) { try Item.order(by: \.id).select(\.price).fetchAll(db) }
    }
  }

  @Test(arguments: Home.allCases)
  func `numbers of a list are compared with stored texts as texts`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      try Item.find(1).update { $0.title = "7" }.execute(db)
      let title = SQLQueryExpression("\"title\"", as: Int.self)
      try expect([1]) { try Item.where { _ in title.in([7, 8]) }.select(\.id).fetchAll(db) }
      try expect([2, 3]) { try Item.where { _ in title.notIn([7, 8]) }.order(by: \.id).select(\.id).fetchAll(db) }
      try expect([1]) { try Item.where { RowValue($0.id, title).in([(1, 7), (2, 8)]) }.select(\.id).fetchAll(db) }
      let prices = Price.rows([Price(id: 7, price: 1), Price(id: 8, price: nil)])
      let joined = Item.join(prices) { _, price in title.eq(price.id) }.select { item, price in (item.id, price.price) }
      try expect([1]) { try joined.fetchAll(db).map(\.0) }
    }
  }

  @Test(arguments: Home.allCases)
  func `a query uses the index that it names, or is refused`(home: Home) throws {
    let open = try home.open()
    try open.database.write { db in
      try Item.createIndex("items_by_owner") { $0.ownerID }.execute(db)
      let hinted = Item.indexed(by: "items_by_owner").where { $0.ownerID.eq(1) }
      #expect(hinted.sql.contains(#"FROM "items" INDEXED BY "items_by_owner""#))
      try expect(2) { try hinted.fetchAll(db).count }
      try expect(2) { try Item.notIndexed().where { $0.ownerID.eq(1) }.fetchAll(db).count }
      // Without a filter SQLite walks the whole index: NULL first.
      try expect([3, 1, 2]) { try Item.indexed(by: "items_by_owner").fetchAll(db).map(\.id) }
      try Item.createIndex("of_owners") {
        $0.ownerID
      } where: {
        $0.ownerID.isNot(nil)
      }.execute(db)
      #expect(throws: RequestError.self) { try Item.indexed(by: "of_owners").fetchAll(db) }
      #expect(throws: RequestError.self) { try Item.indexed(by: "nobody").where { $0.ownerID.eq(1) }.fetchAll(db) }
      try hinted.update { $0.price = 1 }.execute(db)
      try hinted.delete().execute(db)
      try expect([20]) { try Item.select(\.price).fetchAll(db) }
    }
  }

  @Test(arguments: Home.embedded)
  func `a pattern is matched by the function that the program registers`(home: Home) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { $0.add(function: RegularExpression()) }
    let open = try home.open(configuration)
    try open.database.read { db in
      try expect(["Tea", "Cup"]) {
        try Item.where { $0.title.regexp("^[TC]") }.order(by: \.id).select(\.title).fetchAll(db)
      }
      try expect(["Cup", "Pot"]) {
        try Item.where { $0.title.notRegexp("[ae]") }.order(by: \.id).select(\.title).fetchAll(db)
      }
      try expect(["Cup"]) {
        try Item.where { $0.title.notLike("%e%") && $0.title.notGlob("P*") }.select(\.title).fetchAll(db)
      }
      try expect(["Tea"]) { try Item.where { $0.id.notBetween(2, and: 9) }.select(\.title).fetchAll(db) }
    }
  }

  /// The item's key and its new price.
  struct Price: Table, Sendable {
    var id: Int
    var price: Double?

    static let tableName = "prices"
    static var defaultScope: DefaultScope { DefaultScope() }
    static var columns: TableColumns { TableColumns() }

    struct TableColumns: TableDefinition {
      typealias QueryValue = Price

      var id: TableColumn<Price, Int> { TableColumn("id") }
      var price: TableColumn<Price, Double?> { TableColumn("price") }

      static let allColumns = [ColumnDescription("id", Int.self), ColumnDescription("price", Double?.self)]
    }

    var columnFragments: [QueryFragment] { Int.fragments(of: id) + Double?.fragments(of: price) }

    init(id: Int, price: Double?) {
      self.id = id
      self.price = price
    }

    init(decoder: inout some QueryDecoder) throws {
      id = try decoder.value(Int.self)
      price = try decoder.value(Double?.self)
    }
  }

  /// `text REGEXP pattern` is `regexp(pattern, text)`.
  struct RegularExpression: ScalarDatabaseFunction {
    let name = "regexp"
    let argumentCount: Int? = 2
    let isDeterministic = true

    func invoke(_ decoder: inout some QueryDecoder) throws -> QueryBinding {
      let pattern = try String(decoder: &decoder)
      let text = try String(decoder: &decoder)
      let expression = try NSRegularExpression(pattern: pattern)
      return
        (expression
        .firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil).queryBinding
    }
  }
}
