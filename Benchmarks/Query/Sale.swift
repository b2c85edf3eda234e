/// The table that is measured, as a macro would write it, and its rows.
import MartletQuery

struct Sale: PrimaryKeyedTable, Equatable, Sendable {
  let id: Int
  var customer: String
  var amount: Double
  var quantity: Int
  var note: String?
  var isPaid: Bool
  var region: String

  static let tableName = "sales"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }
  static func placedColumns(in place: ColumnPlace) -> TableColumns { TableColumns(columnPlace: place) }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Sale

    var columnPlace = ColumnPlace()
    var id: TableColumn<Sale, Int> { TableColumn("id", in: columnPlace) }
    var customer: TableColumn<Sale, String> { TableColumn("customer", in: columnPlace) }
    var amount: TableColumn<Sale, Double> { TableColumn("amount", in: columnPlace) }
    var quantity: TableColumn<Sale, Int> { TableColumn("quantity", in: columnPlace) }
    var note: TableColumn<Sale, String?> { TableColumn("note", in: columnPlace) }
    var isPaid: TableColumn<Sale, Bool> { TableColumn("isPaid", in: columnPlace) }
    var region: TableColumn<Sale, String> { TableColumn("region", in: columnPlace) }
    var primaryKey: TableColumn<Sale, Int> { id }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("customer", String.self),
      ColumnDescription("amount", Double.self), ColumnDescription("quantity", Int.self),
      ColumnDescription("note", String?.self), ColumnDescription("isPaid", Bool.self),
      ColumnDescription("region", String.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    var fragments: [QueryFragment] = []
    fragments.reserveCapacity(Self.columnWidth)
    Int.bind(self.id, into: &fragments)
    String.bind(self.customer, into: &fragments)
    Double.bind(self.amount, into: &fragments)
    Int.bind(self.quantity, into: &fragments)
    String?.bind(self.note, into: &fragments)
    Bool.bind(self.isPaid, into: &fragments)
    String.bind(self.region, into: &fragments)
    return fragments
  }

  struct Draft: TableDraft, Sendable {
    typealias PrimaryTable = Sale
    typealias TableColumns = DraftColumns<Sale>

    var id: Int?
    var customer: String
    var amount: Double
    var quantity: Int
    var note: String?
    var isPaid: Bool
    var region: String

    var columnFragments: [QueryFragment] {
      var fragments: [QueryFragment] = []
      fragments.reserveCapacity(Self.columnWidth)
      Int?.bind(self.id, into: &fragments)
      String.bind(self.customer, into: &fragments)
      Double.bind(self.amount, into: &fragments)
      Int.bind(self.quantity, into: &fragments)
      String?.bind(self.note, into: &fragments)
      Bool.bind(self.isPaid, into: &fragments)
      String.bind(self.region, into: &fragments)
      return fragments
    }
  }
}

extension Sale {
  init(decoder: inout some QueryDecoder) throws {
    let value0 = try decoder.value(Int.self)
    let value1 = try decoder.value(String.self)
    let value2 = try decoder.value(Double.self)
    let value3 = try decoder.value(Int.self)
    let value4 = try decoder.value(String?.self)
    let value5 = try decoder.value(Bool.self)
    let value6 = try decoder.value(String.self)
    self.init(
      id: value0, customer: value1, amount: value2, quantity: value3, note: value4, isPaid: value5, region: value6)
  }

  init(number: Int) {
    id = number
    customer = "Customer \(number % 5_000)"
    amount = Double(number % 10_000) / 100
    quantity = number % 17
    note = number % 3 == 0 ? nil : "Order number \(number), as usual"
    isPaid = number % 2 == 0
    region = ["north", "south", "east", "west"][number % 4]
  }

  static let schema = """
    CREATE TABLE "sales" ("id" INTEGER PRIMARY KEY, "customer" TEXT NOT NULL, "amount" REAL NOT NULL,
      "quantity" INTEGER NOT NULL, "note" TEXT, "isPaid" INTEGER NOT NULL, "region" TEXT NOT NULL)
    """
}

extension Sale.Draft {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int?.self)
    customer = try decoder.value(String.self)
    amount = try decoder.value(Double.self)
    quantity = try decoder.value(Int.self)
    note = try decoder.value(String?.self)
    isPaid = try decoder.value(Bool.self)
    region = try decoder.value(String.self)
  }

  init(_ row: Sale) {
    id = row.id
    customer = row.customer
    amount = row.amount
    quantity = row.quantity
    note = row.note
    isPaid = row.isPaid
    region = row.region
  }
}
