/// Tables for schemas: a composite key, a generated column, groups, names that need quotes.
import Foundation
import MartletQuery

struct Shop: PrimaryKeyedTable, Equatable {
  let id: UUID
  var name: String
  var openedAt: Date?

  static let tableName = "shops"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Shop

    var id: TableColumn<Shop, UUID> { TableColumn("id") }
    var name: TableColumn<Shop, String> { TableColumn("name") }
    var openedAt: TableColumn<Shop, Date?> { TableColumn("openedAt") }
    var primaryKey: TableColumn<Shop, UUID> { id }

    static let allColumns = [
      ColumnDescription("id", UUID.self, primaryKey: true), ColumnDescription("name", String.self),
      ColumnDescription("openedAt", Date?.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    UUID.fragments(of: id) + String.fragments(of: name) + Date?.fragments(of: openedAt)
  }

  struct Draft: TableDraft {
    typealias PrimaryTable = Shop
    typealias TableColumns = DraftColumns<Shop>

    var id: UUID?
    var name: String
    var openedAt: Date?

    var columnFragments: [QueryFragment] {
      UUID?.fragments(of: id) + String.fragments(of: name) + Date?.fragments(of: openedAt)
    }
  }
}

extension Shop {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(UUID.self)
    name = try decoder.value(String.self)
    openedAt = try decoder.value(Date?.self)
  }
}

extension Shop.Draft {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(UUID?.self)
    name = try decoder.value(String.self)
    openedAt = try decoder.value(Date?.self)
  }

  init(_ row: Shop) {
    id = row.id
    name = row.name
    openedAt = row.openedAt
  }
}

/// A key of two columns.
struct OfferID: Table, Hashable {
  var shop: UUID
  var article: Int

  static let tableName = "offerIDs"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = OfferID

    var shop: TableColumn<OfferID, UUID> { TableColumn("shop") }
    var article: TableColumn<OfferID, Int> { TableColumn("article") }

    static let allColumns = [ColumnDescription("shop", UUID.self), ColumnDescription("article", Int.self)]
  }

  var columnFragments: [QueryFragment] { UUID.fragments(of: shop) + Int.fragments(of: article) }
}

extension OfferID {
  init(decoder: inout some QueryDecoder) throws {
    shop = try decoder.value(UUID.self)
    article = try decoder.value(Int.self)
  }
}

/// What an offer costs, and a group that may be missing altogether.
struct Offer: PrimaryKeyedTable, Equatable {
  let id: OfferID
  var price: Double
  var amount = 1
  var total = 0.0
  var times: Timestamps?

  static let tableName = "offers"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Offer

    var id: ColumnGroup<Offer, OfferID> { ColumnGroup() }
    var price: TableColumn<Offer, Double> { TableColumn("price") }
    var amount: TableColumn<Offer, Int> { TableColumn("amount") }
    var total: TableColumn<Offer, Double> { TableColumn("total") }
    var times: ColumnGroup<Offer, Timestamps?> { ColumnGroup() }
    var primaryKey: ColumnGroup<Offer, OfferID> { id }

    static let allColumns =
      ColumnDescription.group(OfferID.self, primaryKey: true) + [
        ColumnDescription("price", Double.self),
        ColumnDescription("amount", Int.self, default: "\(bind: 1)"),
        ColumnDescription("total", Double.self, generated: true, stored: true),
      ] + ColumnDescription.group(Timestamps?.self)
  }

  var columnFragments: [QueryFragment] {
    var fragments = OfferID.fragments(of: id)
    fragments += Double.fragments(of: price)
    fragments += Int.fragments(of: amount)
    fragments += Double.fragments(of: total)
    fragments += Timestamps?.fragments(of: times)
    return fragments
  }

  struct Draft: TableDraft {
    typealias PrimaryTable = Offer
    typealias TableColumns = DraftColumns<Offer>

    var row: Offer
    init(_ row: Offer) { self.row = row }
    init(decoder: inout some QueryDecoder) throws { row = try Offer(decoder: &decoder) }
    var columnFragments: [QueryFragment] { row.columnFragments }
  }
}

extension Offer {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(OfferID.self)
    price = try decoder.value(Double.self)
    amount = try decoder.value(Int.self)
    total = try decoder.value(Double.self)
    times = try decoder.value(Timestamps?.self)
  }
}

/// A table whose names hold what SQL would read as its own.
struct Hostile: Table, Equatable {
  var select: Int
  var quoted: String

  static let tableName = #"drop "table"; --"#
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Hostile

    var select: TableColumn<Hostile, Int> { TableColumn("select") }
    var quoted: TableColumn<Hostile, String> { TableColumn(#"a"b'c"#) }

    static let allColumns = [ColumnDescription("select", Int.self), ColumnDescription(#"a"b'c"#, String.self)]
  }

  var columnFragments: [QueryFragment] { Int.fragments(of: select) + String.fragments(of: quoted) }
}

extension Hostile {
  init(decoder: inout some QueryDecoder) throws {
    select = try decoder.value(Int.self)
    quoted = try decoder.value(String.self)
  }
}
