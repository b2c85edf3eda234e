/// PostgreSQL on a port of its own with the same table, measured by its own pgbench and psql.
///
/// Always true: the cluster lives in the run's folder with Debian's default settings (fsync and synchronous_commit on),
/// and is stopped when the run ends.
import Foundation

final class PostgreSQL {
  private let binaries: String
  private let data: String
  private let folder: String
  private let port: Int
  private let user = "postgres"
  private let server: Process

  init(folder: String, rows: Int) throws {
    self.folder = folder
    data = folder + "/postgresql"
    port = 20_000 + Int(getpid()) % 20_000
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.compactMap(Int.init).max() else {
      throw Processes.Failure(description: "PostgreSQL is not installed: run scripts/install bench")
    }
    binaries = "/usr/lib/postgresql/\(version)/bin"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    if Processes.isRoot() { try Processes.run("chown", [user, data]) }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data)
    try Processes.run(binaries + "/initdb", ["-D", data, "-A", "trust", "-U", user, "--no-sync"], as: user)
    server = try Processes.start(
      binaries + "/postgres",
      ["-D", data, "-p", "\(port)", "-k", data, "-c", "listen_addresses=127.0.0.1", "-c", "log_min_messages=fatal"],
      as: user)
    try waitUntilReady()
    try fill(rows: rows)
  }

  func stop() {
    server.terminate()
    server.waitUntilExit()
  }

  /// Transactions a second of a pgbench script with prepared statements.
  func benchmark(script: String, connections: Int, seconds: Int) throws -> Double {
    let file = folder + "/script-\(UUID().uuidString).sql"
    try script.write(toFile: file, atomically: true, encoding: .utf8)
    return try transactions(["-f", file], connections: connections, seconds: seconds)
  }

  private func transactions(_ script: [String], connections: Int, seconds: Int) throws -> Double {
    let output = try Processes.run(
      binaries + "/pgbench",
      [
        "-h", "127.0.0.1", "-p", "\(port)", "-U", user, "-n", "-M", "prepared", "-c", "\(connections)",
        "-j", "\(min(2, connections))", "-T", "\(seconds)",
      ] + script + [user])
    guard let match = output.firstMatch(of: /tps = ([0-9.]+)/), let rate = Double(match.1) else {
      throw Processes.Failure(description: "pgbench printed no tps:\n\(output)")
    }
    return rate
  }

  /// Makes pgbench's own tables: a bank of so many branches.
  func fillBank(scale: Int) throws {
    try Processes.run(
      binaries + "/pgbench", ["-h", "127.0.0.1", "-p", "\(port)", "-U", user, "-i", "-q", "-s", "\(scale)", user])
    try Processes.run("psql", ["-h", "127.0.0.1", "-p", "\(port)", "-U", user, "-qX", "-c", "CHECKPOINT"])
  }

  /// Transactions a second of pgbench's default script, TPC-B's, with prepared statements.
  func bank(connections: Int, seconds: Int) throws -> Double {
    try transactions(["-b", "tpcb-like"], connections: connections, seconds: seconds)
  }

  /// Rows a second of psql streaming the table to nowhere.
  func scan(rows: Int) throws -> Double {
    let start = ContinuousClock.now
    try Processes.run(
      "psql",
      ["-h", "127.0.0.1", "-p", "\(port)", "-U", user, "-AtX", "-v", "FETCH_COUNT=10000", "-o", "/dev/null"]
        + ["-c", "SELECT id, title, price, qty, note, created FROM items"], quiet: true)
    return Double(rows) / (ContinuousClock.now - start).seconds
  }

  private func waitUntilReady() throws {
    for _ in 0..<200 {
      let isReady =
        (try? Processes.run(
          "pg_isready", ["-h", "127.0.0.1", "-p", "\(port)", "-U", user], quiet: true)) != nil
      if isReady { return }
      usleep(100_000)
    }
    throw Processes.Failure(description: "PostgreSQL did not become ready")
  }

  private func fill(rows: Int) throws {
    let statements = [
      "CREATE TABLE items(id bigint PRIMARY KEY, title text, price double precision, qty bigint, note text, created bigint)",
      """
      INSERT INTO items SELECT i, 'Item number ' || i, (i % 10000) / 100.0, i % 1000,
        'A note about item ' || i || ' of the catalogue', 1700000000 + i FROM generate_series(1, \(rows)) AS i
      """,
      "CREATE TABLE inserts(id bigserial PRIMARY KEY, value bigint, note text)",
      "VACUUM ANALYZE items",
      "CHECKPOINT",
    ]
    for statement in statements {
      try Processes.run(
        "psql", ["-h", "127.0.0.1", "-p", "\(port)", "-U", user, "-qX", "-v", "ON_ERROR_STOP=1", "-c", statement])
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
