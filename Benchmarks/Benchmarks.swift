/// One run of everything that the README claims: Martlet, PostgreSQL and in-process SQLite on one machine, in turn.
///
/// Always true: each round measures every side once, so that a noisy minute spoils all of them alike.
import Foundation

@main
struct Benchmarks {
  static let rows = 1_000_000
  static let connections = 64
  /// Branches of TPC-B's bank: as many as clients, so that transactions seldom wait for the same one.
  static let scale = 64

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      let usage =
        "usage: martlet-benchmarks PATH-OF-MARTLET [ROUNDS [SECONDS]]\n       martlet-benchmarks --secured PATH …\n"
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
    if arguments[1] == "--secured" { return try SecuredBenchmarks.run(Array(arguments.dropFirst())) }
    let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 3 : 3
    let seconds = arguments.count > 3 ? Int(arguments[3]) ?? 5 : 5
    let workplace = try Workplace()
    defer { workplace.remove() }
    let martlet = try MartletRuns(program: arguments[1], folder: workplace.path)
    defer { martlet.stop() }
    note("filling the tables")
    let unchecked = try MartletRuns(
      program: arguments[1], folder: workplace.path, name: "unchecked", arguments: ["--page-checksums", "off"])
    defer { unchecked.stop() }
    _ = try unchecked.bench("point-read", connections: 1, seconds: 1)
    let sqlite = try InProcess(folder: workplace.path)
    _ = try martlet.bench("point-read", connections: 1, seconds: 1)
    let postgresql = try PostgreSQL(folder: workplace.path, rows: rows)
    defer { postgresql.stop() }
    try postgresql.fillBank(scale: scale)
    try sqlite.fillBank(scale: scale)
    _ = try martlet.bank(mode: "batch", connections: 1, scale: scale, seconds: 1)

    var table = RatioTable()
    for round in 1...max(1, rounds) {
      note("round \(round) of \(rounds)")
      try reads(martlet, postgresql, seconds: seconds, into: &table)
      try writes(martlet, postgresql, sqlite, seconds: seconds, into: &table)
      try checksums(martlet, unchecked, seconds: seconds, into: &table)
      try bank(martlet, postgresql, sqlite, seconds: seconds, into: &table)
      try await bulk(martlet, postgresql, sqlite, seconds: seconds, into: &table)
    }
    let cached = try await cachedPlans(martlet)
    table.print(ratios: ratios)
    print("\nCached plans: \(cached)")
  }

  static let ratios = [
    RatioTable.Ratio(
      name: "point reads, 64 connections, against PostgreSQL", left: "point-read", right: "PostgreSQL point-read",
      target: 2.5),
    RatioTable.Ratio(name: "point reads against ping, 64 connections", left: "point-read", right: "ping", target: 0.6),
    RatioTable.Ratio(
      name: "point reads pipelined by 16 against unpipelined", left: "point-read by 16", right: "point-read",
      target: 2.5),
    RatioTable.Ratio(
      name: "point reads against ping, one connection", left: "point-read, one", right: "ping, one", target: 0.8),
    RatioTable.Ratio(
      name: "durable inserts, 64 connections, against PostgreSQL", left: "insert", right: "PostgreSQL insert", target: 2
    ),
    RatioTable.Ratio(
      name: "durable inserts against in-process SQLite", left: "insert", right: "in-process insert", target: 5),
    RatioTable.Ratio(
      name: "TPC-B, write { }, 64 clients, against PostgreSQL", left: "TPC-B interactive, 64 clients",
      right: "PostgreSQL TPC-B, 64 clients", target: 1),
    RatioTable.Ratio(
      name: "TPC-B, write { }, one client, against PostgreSQL", left: "TPC-B interactive, one client",
      right: "PostgreSQL TPC-B, one client", target: 1.5),
    RatioTable.Ratio(
      name: "TPC-B, one batch, 64 clients, against PostgreSQL", left: "TPC-B batch, 64 clients",
      right: "PostgreSQL TPC-B, 64 clients", target: 6),
    RatioTable.Ratio(
      name: "TPC-B, one batch, 64 clients, against in-process SQLite", left: "TPC-B batch, 64 clients",
      right: "in-process TPC-B", target: 2),
    RatioTable.Ratio(
      name: "point reads with page checksums against without", left: "point-read, checksums",
      right: "point-read, no checksums", target: 0.97),
    RatioTable.Ratio(
      name: "inserts with page checksums against without", left: "insert, checksums", right: "insert, no checksums",
      target: 0.95),
    RatioTable.Ratio(
      name: "bulk insert against in-process SQLite", left: "bulk-insert rows", right: "in-process bulk rows",
      target: 0.6),
    RatioTable.Ratio(
      name: "scan to Swift values against a step loop", left: "scan rows", right: "in-process scan rows", target: 0.4),
    RatioTable.Ratio(name: "scan to Swift values against psql", left: "scan rows", right: "psql scan rows", target: 1),
  ]

  private static func reads(
    _ martlet: MartletRuns, _ postgresql: PostgreSQL, seconds: Int, into table: inout RatioTable
  ) throws {
    table.record("ping", try martlet.bench("ping", connections: connections, seconds: seconds).ops_per_second)
    table.record(
      "point-read", try martlet.bench("point-read", connections: connections, seconds: seconds).ops_per_second)
    let script = """
      \\set id random(1, \(rows))
      SELECT id, title, price, qty, note, created FROM items WHERE id = :id;
      """
    table.record(
      "PostgreSQL point-read", try postgresql.benchmark(script: script, connections: connections, seconds: seconds))
    table.record(
      "point-read by 16",
      try martlet.bench("point-read", connections: connections, pipeline: 16, seconds: seconds).ops_per_second)
    table.record("ping, one", try martlet.bench("ping", connections: 1, seconds: seconds).ops_per_second)
    table.record("point-read, one", try martlet.bench("point-read", connections: 1, seconds: seconds).ops_per_second)
  }

  private static func writes(
    _ martlet: MartletRuns, _ postgresql: PostgreSQL, _ sqlite: InProcess, seconds: Int, into table: inout RatioTable
  ) throws {
    table.record("insert", try martlet.bench("insert", connections: connections, seconds: seconds).ops_per_second)
    let script = """
      \\set value random(1, 1000000000)
      INSERT INTO inserts(value, note) VALUES (:value, 'a row that is committed by itself');
      """
    table.record(
      "PostgreSQL insert", try postgresql.benchmark(script: script, connections: connections, seconds: seconds))
    table.record("in-process insert", try sqlite.commitEach(seconds: seconds))
  }

  private static func bank(
    _ martlet: MartletRuns, _ postgresql: PostgreSQL, _ sqlite: InProcess, seconds: Int, into table: inout RatioTable
  ) throws {
    for (count, clients) in [(connections, "64 clients"), (1, "one client")] {
      for mode in ["interactive", "batch"] {
        table.record(
          "TPC-B \(mode), \(clients)",
          try martlet.bank(mode: mode, connections: count, scale: scale, seconds: seconds))
      }
      table.record("PostgreSQL TPC-B, \(clients)", try postgresql.bank(connections: count, seconds: seconds))
    }
    table.record("in-process TPC-B", try sqlite.bank(scale: scale, seconds: seconds))
  }

  /// The same server with and without checksums in its pages, right after each other.
  private static func checksums(
    _ martlet: MartletRuns, _ unchecked: MartletRuns, seconds: Int, into table: inout RatioTable
  ) throws {
    for workload in ["point-read", "insert"] {
      for (server, name) in [(martlet, "checksums"), (unchecked, "no checksums")] {
        let report = try server.bench(workload, connections: connections, seconds: seconds)
        table.record("\(workload), \(name)", report.ops_per_second)
      }
    }
  }

  private static func bulk(
    _ martlet: MartletRuns, _ postgresql: PostgreSQL, _ sqlite: InProcess, seconds: Int, into table: inout RatioTable
  ) async throws {
    table.record("bulk-insert rows", try martlet.bench("bulk-insert", connections: 1, seconds: seconds).rows_per_second)
    table.record("in-process bulk rows", try sqlite.bulkInsert(rows: rows))
    table.record("scan rows", try await martlet.scan())
    table.record("in-process scan rows", try sqlite.scan())
    table.record("psql scan rows", try postgresql.scan(rows: rows))
  }

  /// What 64 connections' point reads add to the counters of decodes and prepares.
  private static func cachedPlans(_ martlet: MartletRuns) async throws -> String {
    let before = try await martlet.counters()
    let report = try martlet.bench("point-read", connections: connections, seconds: 1)
    let after = try await martlet.counters()
    let names = after.keys.filter { $0.contains("decode") || $0.contains("prepare") }.sorted()
    let changes = names.map { "\($0) +\((after[$0] ?? 0) - (before[$0] ?? 0))" }
    return "\(report.operations) point reads: \(changes.joined(separator: ", "))"
  }

  private static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
