/// Measures typed SQL (the product `SQLite`) against hand-written SQLite: rows into structs by `row[column]`, and many
/// rows written by `insertMany`.
import Foundation
import SQLite

/// The columns of the table that is measured, as a program of this spelling has them.
struct TypedSales {
  typealias Expression = SQLite.Expression

  let table = SQLite.Table("sales")
  let id = Expression<Int>("id")
  let customer = Expression<String>("customer")
  let amount = Expression<Double>("amount")
  let quantity = Expression<Int>("quantity")
  let note = Expression<String?>("note")
  let isPaid = Expression<Bool>("isPaid")
  let region = Expression<String>("region")

  func fetchAll(_ db: Connection) throws -> [Sale] {
    var sales: [Sale] = []
    for row in try db.prepare(table) {
      sales.append(
        Sale(
          id: row[id], customer: row[customer], amount: row[amount], quantity: row[quantity], note: row[note],
          isPaid: row[isPaid], region: row[region]))
    }
    return sales
  }

  func insert(_ sales: [Sale], _ db: Connection) throws {
    let rows = sales.map { sale in
      [
        id <- sale.id, customer <- sale.customer, amount <- sale.amount, quantity <- sale.quantity, note <- sale.note,
        isPaid <- sale.isPaid, region <- sale.region,
      ]
    }
    try db.run(table.insertMany(or: .replace, rows))
  }
}

extension QueryBenchmarks {
  static func typedSQL(_ directory: String, _ url: String) throws {
    let typed = TypedSales()
    let hand = HandWritten(path: directory + "/typed-hand.sqlite")
    hand.run(Sale.schema)
    let embedded = try Connection(directory + "/typed-embedded.sqlite")
    let server = try Connection(url)
    for db in [embedded, server] { try db.execute(Sale.schema) }
    try typedWriting(typed, hand, embedded, server)
    for start in stride(from: writtenCount, to: rowCount, by: 50_000) {
      let sales = (start..<min(start + 50_000, rowCount)).map { Sale(number: $0) }
      hand.upsert(sales)
      for db in [embedded, server] { try typed.insert(sales, db) }
    }
    let isSame = try typed.fetchAll(embedded) == hand.fetchAll()
    precondition(isSame)
    var fetched = 0
    let times = try best([
      { fetched += hand.fetchAll().count },
      { fetched += try typed.fetchAll(embedded).count },
      { fetched += try typed.fetchAll(server).count },
    ])
    precondition(fetched == 3 * rounds * rowCount)
    let names = [
      ("a loop, by hand", ""), ("`row[column]`, embedded", "50 %"), ("`row[column]`, from a server", "40 %"),
    ]
    for ((name, wanted), time) in zip(names, times) {
      let rate = "\(format(Double(rowCount) / time / 1e6, 2)) M rows/s"
      row("\(rowCount) rows of 7 columns: \(name)", "\(rate), \(percent(times[0] / time))", wanted: wanted)
    }
  }

  private static func typedWriting(
    _ typed: TypedSales, _ hand: HandWritten, _ embedded: Connection, _ server: Connection
  ) throws {
    let sales = (0..<writtenCount).map { Sale(number: $0) }
    let times = try best([
      { hand.upsert(sales) }, { try typed.insert(sales, embedded) }, { try typed.insert(sales, server) },
    ])
    let names = [
      ("one statement, by hand", ""), ("`insertMany`, embedded", "60 %"), ("`insertMany`, through a server", "50 %"),
    ]
    for ((name, wanted), time) in zip(names, times) {
      let rate = "\(format(Double(writtenCount) / time / 1000, 0)) k rows/s"
      row("50,000 rows: \(name)", "\(rate), \(percent(times[0] / time))", wanted: wanted)
    }
  }
}
