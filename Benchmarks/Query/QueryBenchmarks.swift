/// Measures the typed library against hand-written SQLite: decoding, building, and writing many rows.
///
/// Always true: what is compared runs alternately in one process, and the best round of each counts.
import CAllocations
import Foundation
import Logging
import MartletDatabase
import MartletQuery
import MartletServer
import MartletValues

@main
enum QueryBenchmarks {
  /// Not fewer than are written before, since the rows are those.
  static let rowCount = max(writtenCount, Int(CommandLine.arguments.dropFirst().first ?? "") ?? 1_000_000)
  static let writtenCount = 50_000
  static let rounds = Int(CommandLine.arguments.dropFirst(2).first ?? "") ?? 5
  /// What to measure: the arguments after the numbers, and all of it where there are none.
  static let chosen = Set(CommandLine.arguments.dropFirst(3))

  static func isChosen(_ section: String) -> Bool { chosen.isEmpty || chosen.contains(section) }

  static func main() throws {
    let directory = NSTemporaryDirectory() + "/martlet-query-benchmarks-\(UUID().uuidString.prefix(8))"
    row("figure", "measured", wanted: "wanted")
    row("---", "---:", wanted: "---:")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    if isChosen("building") { try building() }
    let socket = NSTemporaryDirectory() + "/martlet-\(UUID().uuidString.prefix(8)).sock"
    let server = try Server(
      configuration: ServerConfiguration(
        directory: directory, listen: [MartletURL(address: .unix(path: socket))],
        logger: Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() }))
    _ = try server.start()
    defer { server.stop() }
    var configuration = Configuration()
    configuration.remote.createsDatabase = true
    let remote = try RemoteDatabase("martlet+unix://\(socket)?db=bench", configuration: configuration)
    try remote.write { try $0.execute(sql: Sale.schema) }
    if isChosen("writing") { try writing(directory, remote) }
    if isChosen("decoding") { try decoding(directory, remote) }
    if isChosen("bank") { try bank(directory, "martlet+unix://\(socket)?db=bank") }
    if isChosen("typed") { try typedSQL(directory, "martlet+unix://\(socket)?db=typed") }
  }

  /// The best of some rounds, in seconds, of each body.
  static func best(_ bodies: [() throws -> Void]) throws -> [Double] {
    var best = Array(repeating: Double.infinity, count: bodies.count)
    for round in 0..<rounds {
      // Each begins some rounds and follows each other in some, because it finds the memory as that one left it.
      for place in bodies.indices {
        let turn = (place + round / 2) % bodies.count
        let index = round.isMultiple(of: 2) ? turn : bodies.count - 1 - turn
        let start = ContinuousClock.now
        try bodies[index]()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        best[index] = min(best[index], Double(seconds) + Double(attoseconds) / 1e18)
      }
    }
    return best
  }

  /// A row of the table; `wanted` is empty where the figure is a yardstick or an aside.
  static func row(_ name: String, _ measured: String, wanted: String = "") {
    // Rows show as they come, which `print` does not do into a pipe.
    FileHandle.standardOutput.write(Data("| \(name) | \(measured) | \(wanted) |\n".utf8))
  }

  static func percent(_ ratio: Double) -> String { "\(format(ratio * 100, 0)) %" }

  static func format(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

  // MARK: - Building

  /// The names of what is built, and how.
  static let buildings: [(name: String, wanted: String, build: @Sendable (Int) -> SerializedStatement)] = [
    (
      "a join of two tables", "at most 7 µs",
      { number in
        Sale.join(Region.all) { $0.region.eq($1.name) }
          .where { sale, region in sale.amount > 10 && region.manager.neq("Anna") }
          .order { sale, _ in sale.customer }.select { ($0.id, $1.manager) }.limit(number % 100).serialized
      }
    ),
    (
      "a join with itself", "",
      { number in
        Sale.join(Sale.as(Other.self).all) { $0.quantity.eq($1.id) }
          .where { sale, other in sale.amount > 10 && other.region.eq("north") }
          .order { sale, _ in sale.customer }.select { ($0.id, $1.customer) }.limit(number % 100).serialized
      }
    ),
    ("a find", "at most 3 µs", { Sale.find($0).serialized }),
  ]

  static func building() throws {
    var sink = 0
    let count = 200_000
    let times = try best(
      buildings.map { building in { for number in 0..<count { sink &+= building.build(number).bytes.count } } })
    for (building, time) in zip(buildings, times) {
      let before = martlet_allocation_count()
      sink &+= building.build(7).bytes.count
      let allocations = martlet_allocation_count() - before
      row(
        "build and serialize \(building.name)",
        "\(format(time / Double(count) * 1e6, 2)) µs, \(allocations) allocations", wanted: building.wanted)
    }
    precondition(sink != 0)
  }

  enum Other: AliasName {}

  // MARK: - Writing

  static func writing(_ directory: String, _ remote: RemoteDatabase) throws {
    let sales = (0..<writtenCount).map { Sale(number: $0) }
    let hand = HandWritten(path: directory + "/hand.sqlite")
    hand.run(Sale.schema)
    let queue = try DatabaseQueue(path: directory + "/queue.sqlite")
    try queue.write { try $0.execute(sql: Sale.schema) }
    let drafts = sales.map { Sale.Draft($0) }
    let times = try best([
      { hand.upsert(sales) },
      { try queue.write { try Sale.upsert { drafts }.execute($0) } },
      { try remote.write { try Sale.upsert { drafts }.execute($0) } },
    ])
    let names = [
      ("one statement, by hand", ""), ("`upsert`, embedded", ""), ("`upsert`, through a server", "500 k rows/s"),
    ]
    for ((name, wanted), time) in zip(names, times) {
      let rate = "\(format(Double(writtenCount) / time / 1000, 0)) k rows/s"
      row("50,000 rows: \(name)", "\(rate), \(percent(times[0] / time))", wanted: wanted)
    }
  }

  // MARK: - Decoding

  static func decoding(_ directory: String, _ remote: RemoteDatabase) throws {
    let hand = HandWritten(path: directory + "/decode.sqlite")
    hand.run(Sale.schema)
    for start in stride(from: 0, to: rowCount, by: 50_000) {
      let sales = (start..<min(start + 50_000, rowCount)).map { Sale(number: $0) }
      hand.upsert(sales)
      let drafts = sales.map { Sale.Draft($0) }
      try remote.write { try Sale.upsert { drafts }.execute($0) }
    }
    let queue = try DatabaseQueue(path: directory + "/decode.sqlite")
    let isSame = try queue.read { try Sale.fetchAll($0) } == hand.fetchAll()
    precondition(isSame)
    var fetched = 0
    let times = try best([
      { fetched += hand.fetchAll().count },
      { fetched += try queue.read { try Sale.fetchAll($0) }.count },
      { fetched += try remote.read { try Sale.fetchAll($0) }.count },
    ])
    precondition(fetched == 3 * rounds * rowCount)
    let names = [
      ("a loop, by hand", ""), ("`fetchAll`, embedded", "90 %"), ("`fetchAll`, from a server", "45 %"),
    ]
    for ((name, wanted), time) in zip(names, times) {
      let rate = "\(format(Double(rowCount) / time / 1e6, 2)) M rows/s"
      row("\(rowCount) rows of 7 columns: \(name)", "\(rate), \(percent(times[0] / time))", wanted: wanted)
    }
  }
}
