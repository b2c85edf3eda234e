/// What TLS, roles with rules and reloads cost: a server that has them beside one that has none, in turn in one run.
///
/// Always true: both servers hold the same rows, and every request of the load was answered without an error.
import Foundation

struct SecuredBenchmarks {
  static let rows = 100_000
  static let connections = 64
  /// Clients that make handshakes at the same time; each makes one after the other.
  static let handshakers = 4

  private let plain: MartletRuns
  private let secured: MartletRuns
  private let folder: String
  private let tokens: [String: String]
  private let seconds: Int

  /// `arguments`: the path of `martlet`, rounds, seconds.
  static func run(_ arguments: [String]) throws {
    guard let program = arguments.dropFirst().first else { exit(64) }
    let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 3 : 3
    let seconds = arguments.count > 3 ? Int(arguments[3]) ?? 5 : 5
    let workplace = try Workplace()
    defer { workplace.remove() }
    let benchmarks = try SecuredBenchmarks(program: program, folder: workplace.path, seconds: max(1, seconds))
    defer { benchmarks.stop() }
    var table = RatioTable()
    for _ in 0..<max(1, rounds) { try benchmarks.round(into: &table) }
    table.print(ratios: ratios)
  }

  static let ratios = [
    RatioTable.Ratio(
      name: "point reads of a role with a condition on rows, against no roles", left: "point-read, condition",
      right: "point-read", target: 0.85),
    RatioTable.Ratio(
      name: "point reads of a role without rules, against no roles", left: "point-read, role", right: "point-read",
      target: 0.95),
    RatioTable.Ratio(name: "point reads over TLS", left: "point-read, TLS", right: "point-read", target: 0.6),
    RatioTable.Ratio(
      name: "point reads over TLS, pipelined by 16", left: "point-read by 16, TLS", right: "point-read by 16",
      target: 0.6),
    RatioTable.Ratio(
      name: "handshakes against `openssl s_server`", left: "handshakes", right: "s_server handshakes", target: 0.7),
    RatioTable.Ratio(
      name: "point reads with ten reloads a second, against none", left: "point-read, reloads",
      right: "point-read, role", target: 0.9),
  ]

  private init(program: String, folder: String, seconds: Int) throws {
    self.folder = folder
    self.seconds = seconds
    let config = folder + "/secured.toml"
    try Data(Self.configuration.utf8).write(to: URL(filePath: config))
    try Processes.run(program, ["cert", "make", "--directory", folder], quiet: true)
    var tokens: [String: String] = [:]
    for (role, claims) in [("open", []), ("ruled", ["--claim", "least=0"])] {
      let token = try Processes.run(program, ["token", "create", "--config", config, "--role", role] + claims)
      tokens[role] = folder + "/\(role).token"
      _ = FileManager.default.createFile(
        atPath: folder + "/\(role).token", contents: Data(token.utf8), attributes: [.posixPermissions: 0o600])
    }
    self.tokens = tokens
    plain = try MartletRuns(program: program, folder: folder, name: "plain")
    secured = try MartletRuns(
      program: program, folder: folder, name: "secured", arguments: ["--config", config], listensElsewhere: true)
    _ = try plain.bench("point-read", connections: 1, seconds: 1, arguments: ["--rows", "\(Self.rows)"])
    _ = try read(by: "open", connections: 1, seconds: 1)
  }

  private static let configuration = """
    listen = ["martlet://127.0.0.1:0", "martlet+tls://127.0.0.1:0"]
    tokens = "tokens"

    [tls]
    certificate = "server.pem"
    key = "server.key"

    [roles.open]
    databases = ["bench"]
    allow = ["rows", "schema", "create"]

    [roles.ruled]
    databases = ["bench"]
    allow = ["select"]

    [roles.ruled.tables.items]
    rows = "qty >= claim('least')"
    """

  private func stop() {
    plain.stop()
    secured.stop()
  }

  private func read(
    by role: String, at url: String? = nil, connections: Int = SecuredBenchmarks.connections, pipeline: Int = 1,
    seconds: Int
  ) throws -> MartletRuns.Report {
    try secured.bench(
      "point-read", at: url, connections: connections, pipeline: pipeline, seconds: seconds,
      arguments: ["--rows", "\(Self.rows)", "--token-file", tokens[role] ?? ""]
        + (url == secured.tlsURL ? ["--ca", folder + "/ca.pem"] : []))
  }

  private func round(into table: inout RatioTable) throws {
    let count = ["--rows", "\(Self.rows)"]
    for (pipeline, name) in [(1, "point-read"), (16, "point-read by 16")] {
      let none = try plain.bench(
        "point-read", connections: Self.connections, pipeline: pipeline, seconds: seconds, arguments: count)
      table.record(name, none.ops_per_second)
      let tls = try read(by: "open", at: secured.tlsURL, pipeline: pipeline, seconds: seconds)
      table.record("\(name), TLS", tls.ops_per_second)
    }
    table.record("point-read, condition", try read(by: "ruled", seconds: seconds).ops_per_second)
    table.record("point-read, role", try read(by: "open", seconds: seconds).ops_per_second)
    table.record("point-read, reloads", try readUnderReloads().ops_per_second)
    table.record("handshakes", try handshakes(with: Self.port(of: secured.tlsURL)))
    table.record("s_server handshakes", try opensslHandshakes())
  }

  /// SIGHUP every tenth of a second, while the load goes on.
  private func readUnderReloads() throws -> MartletRuns.Report {
    let reloads = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "reloads"))
    reloads.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(100))
    reloads.setEventHandler { [secured] in secured.hangUp() }
    reloads.resume()
    defer { reloads.cancel() }
    return try read(by: "open", seconds: seconds)
  }

  // MARK: - Handshakes

  private static func port(of url: String) -> String {
    String(url.split(separator: "/").dropFirst().first?.split(separator: ":").last ?? "")
  }

  /// Full handshakes of TLS 1.3 a second, of several clients together.
  private func handshakes(with port: String) throws -> Double {
    let clients = try (0..<Self.handshakers).map { _ in
      try Processes.startReading(
        "openssl",
        [
          "s_time", "-connect", "127.0.0.1:\(port)", "-new", "-time", "\(seconds)", "-CAfile", folder + "/ca.pem",
          "-tls1_3",
        ])
    }
    var sum = 0.0
    for (process, output) in clients {
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      // "1234 connections in 6 real seconds, 0 bytes read per connection"; its seconds are whole ones, rounded up.
      let line = text.split(separator: "\n").first { $0.contains("real seconds") } ?? ""
      guard let count = line.split(separator: " ").first.flatMap({ Double($0) }), count > 0 else {
        throw Processes.Failure(description: "openssl s_time made no handshake:\n\(text)")
      }
      sum += count / Double(seconds)
    }
    return sum
  }

  /// The same clients against OpenSSL's own server with the same certificate, which takes one connection at a time.
  private func opensslHandshakes() throws -> Double {
    let (server, output) = try Processes.startReading(
      "openssl",
      [
        "s_server", "-accept", "127.0.0.1:0", "-cert", folder + "/server.pem", "-key", folder + "/server.key",
        "-tls1_3", "-www",
      ])
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    var text = ""
    while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Processes.Failure(description: "openssl s_server did not start:\n\(text)") }
      text += String(decoding: more, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.contains("ACCEPT") } ?? ""
    // It prints something for each connection, and must not wait for whoever reads it.
    output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    defer { output.fileHandleForReading.readabilityHandler = nil }
    return try handshakes(with: String(line.split(separator: ":").last ?? ""))
  }
}
