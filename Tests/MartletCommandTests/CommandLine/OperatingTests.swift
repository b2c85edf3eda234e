/// The verbs and listeners for those who look after a server, with the built program.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

@Suite(.serialized, .timeLimit(.minutes(5))) struct OperatingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func server(_ arguments: [String] = []) throws -> ServerProcess {
    try ServerProcess(directory: folder.path + "/data", arguments: arguments)
  }

  @Test func `databases are listed, made, renamed, measured and dropped from the command line`() throws {
    let server = try server()
    let empty = try Martlet.run(["databases", server.url])
    #expect(empty.status == 0 && empty.output == "There are no databases yet.\n", "\(empty)")
    #expect(try Martlet.run(["databases", "create", server.url(database: "shop")]).status == 0)
    #expect(try Martlet.run(["sql", server.url(database: "shop"), "create table t(a)"]).status == 0)
    let list = try Martlet.run(["databases", server.url])
    #expect(list.lines.first?.hasPrefix("database") == true && list.output.contains("shop"), "\(list)")
    // What was just written counts, although it stands in the log only.
    let rows = "insert into t values (zeroblob(300000))"
    #expect(try Martlet.run(["sql", server.url(database: "shop"), rows]).status == 0)
    let grown = try Martlet.run(["databases", "size", server.url(database: "shop"), "--json"]).output
    let first = try (JSONSerialization.jsonObject(with: Data(grown.utf8)) as? [[String: Any]])?.first
    #expect((300_000..<400_000).contains(first?["bytes"] as? Int ?? 0), "\(grown)")
    #expect(try Martlet.run(["databases", "rename", server.url(database: "shop"), "store"]).status == 0)
    let size = try Martlet.run(["databases", "size", server.url(database: "store"), "--json"])
    let entries = try JSONSerialization.jsonObject(with: Data(size.output.utf8)) as? [[String: Any]]
    #expect(entries?.first?["database"] as? String == "store" && (entries?.first?["bytes"] as? Int ?? 0) > 0)
    let unasked = try Martlet.run(["databases", "drop", server.url(database: "store")])
    #expect(unasked.status == 1 && unasked.complaint.contains("--yes"))
    #expect(try Martlet.run(["databases", "drop", server.url(database: "store"), "--yes"]).status == 0)
    #expect(try Martlet.run(["databases", server.url]).output == "There are no databases yet.\n")
    let other = try TemporaryFolder()
    let logged = try LoggedServer(folder: other.path)
    #expect(try Martlet.run(["databases", "create", logged.url + "/one"]).status == 0)
    #expect(try Martlet.run(["databases", "create", logged.url + "/one"]).status == 1)
    #expect(try Martlet.run(["databases", "drop", logged.url + "/two", "--yes"]).status == 1)
    #expect(try Martlet.run(["databases", "rename", logged.url + "/one", "three"]).status == 0)
    // Commands that were refused have changed nothing, and the log tells of the others only.
    let changes = try logged.lines().filter { ($0["message"] as? String)?.contains("Databases") == true }
    #expect(changes.compactMap { $0["task"] as? String } == ["create one", "rename one to three"], "\(changes)")
    let unnamed = try Martlet.run(["databases", "create", server.url])
    #expect(unnamed.status == 64 && unnamed.complaint.contains("Name the database"))
    let unknown = try Martlet.run(["databases", "size", server.url(database: "x")])
    #expect(unknown.status == 1 && unknown.complaint.contains("x"))
  }

  @Test func `a status is a page, an object, and a screen that a key ends`() throws {
    let server = try server()
    let url = server.url(database: "shop")
    #expect(try Martlet.run(["sql", "--create", url, "create table t(a); insert into t values (1)"]).status == 0)
    let page = try Martlet.run(["status", server.url, "--interval", "0.2"])
    #expect(page.status == 0)
    for word in ["requests", "latency", "commits", "log", "readers", "client", "statement"] {
      #expect(page.output.contains(word), "\(word) in \(page.output)")
    }
    let json = try Martlet.run(["status", url, "--interval", "0.2", "--json"])
    let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["counters", "interval_ms", "latencies", "rates", "sessions", "shapes"])
    #expect((object["counters"] as? [String: Any])?["commits"] as? Int ?? 0 >= 1)
    for options in [[], ["--json"]] {
      let missing = try Martlet.run(["status", server.url(database: "shup"), "--interval", "0.1"] + options)
      #expect(missing.status == 1 && missing.output.isEmpty, "\(missing)")
      #expect(missing.complaint.contains("no database called shup here"), "\(missing)")
      #expect(missing.complaint.contains("Did you mean shop?"), "\(missing)")
    }
    #expect(page.output.contains(" 1 database open") && !page.output.contains(" 1 connections"), "\(page.output)")
    let screen = try PseudoTerminal(["status", server.url, "--interval", "0.2"], columns: 100)
    try screen.wait(for: "up ")
    try screen.wait(for: "statement")
    screen.type("q")
    try screen.wait(for: "\u{1B}[?1049l")
    #expect(screen.end() == 0)
  }

  @Test func `metrics and health are told over HTTP, and nothing else is`() async throws {
    let port = try PortNumber.free()
    let server = try server(["--metrics-listen", "127.0.0.1:\(port)"])
    #expect(try Martlet.run(["sql", "--create", server.url(database: "shop"), "select 1"]).status == 0)
    #expect(try await get(port, "/healthz") == (200, "ok\n"))
    #expect(try await get(port, "/readyz") == (200, "ready\n"))
    #expect(try await get(port, "/").0 == 404)
    #expect(try await get(port, "/metrics", method: "POST").0 == 405)
    let (status, text) = try await get(port, "/metrics?x=1")
    #expect(status == 200)
    var types: [String: String] = [:]
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        let words = line.split(separator: " ")
        #expect(types.updateValue(String(words[3]), forKey: String(words[2])) == nil, "\(line) comes twice")
      } else if !line.hasPrefix("#") {
        let name = String(line.prefix { $0 != " " && $0 != "{" })
        let family = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
        let type = types[name] ?? family.flatMap { types[$0] }
        #expect(type != nil, "\(line)")
        #expect((type == "counter") == name.hasSuffix("_total"), "\(line)")
        #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
      }
    }
    #expect(types["martlet_requests_total"] == "counter" && types["martlet_connections"] == "gauge")
    #expect(types["martlet_request_duration_seconds"] == "histogram")
    #expect(!text.contains("shop") && !text.contains("select"))
    // Every name that is listed as a gauge is one that the server has.
    for gauge in ServerCounterNames.gauges { #expect(types["martlet_" + gauge] == "gauge", "\(gauge)") }
    // Every counter says what it is, and the version is the program's.
    for line in text.split(separator: "\n") where line.hasPrefix("# HELP") && line.contains("The server's counter") {
      #expect(line.contains(": "), "\(line)")
    }
    let version = try #require(try Martlet.run(["--version"]).lines.first)
    #expect(text.contains("martlet_build_info{version=\"\(version)\"} 1"))
  }

  @Test func `an address for metrics that is taken or wrong is told at the start`() throws {
    let port = try PortNumber.free()
    let server = try server(["--metrics-listen", "127.0.0.1:\(port)"])
    defer { withExtendedLifetime(server) {} }
    let second = try Martlet.run([
      "serve", "--data", folder.path + "/other", "--listen", "martlet://127.0.0.1:0", "--metrics-listen",
      "127.0.0.1:\(port)",
    ])
    #expect(
      second.status == 1
        && second.complaint.contains(
          "listen at 127.0.0.1:\(port) for metrics: another program listens there, maybe another Martlet server. "
            + "Stop it, or choose another address."),
      "\(second)")
    let elsewhere = try Martlet.run([
      "serve", "--data", folder.path + "/other", "--listen", "martlet://127.0.0.1:0", "--metrics-listen",
      "192.0.2.1:\(port)",
    ])
    #expect(
      elsewhere.complaint.contains("(Cannot assign requested address). Choose another address."), "\(elsewhere)")
    for wrong in ["9278", "localhost", "::1:9278", "127.0.0.1:99999", ":9278"] {
      #expect(try Martlet.run(["serve", "--metrics-listen", wrong]).status == 64, "\(wrong)")
    }
  }

  @Test func `a line of the log is one line, whatever a statement calls its columns`() throws {
    let server = try LoggedServer(folder: folder.path, arguments: ["--log-format", "text", "--slow-query-ms", "0"])
    let forged = "select 1 as [x\n2026-11-24T00:00:00+0000 notice martlet: FORGED\u{1B}[31m]"
    #expect(try Martlet.run(["sql", "--create", server.url + "/shop", forged]).status == 0)
    try waitUntil(within: .seconds(30)) { try server.text().contains("FORGED") }
    let lines = try server.text().split(separator: "\n").filter { $0.contains("FORGED") }
    #expect(
      !lines.isEmpty && lines.allSatisfy { $0.contains("A request was slow") && !$0.contains("\u{1B}") }, "\(lines)")
  }

  @Test func `a process of ours leaves no core, and no token in its environment`() throws {
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    let ready = folder.path + "/kept-ready"
    process.arguments = [
      "serve", "--data", folder.path + "/kept", "--listen", "martlet://127.0.0.1:0", "--ready-file", ready,
    ]
    process.environment = ["MARTLET_TOKEN": "mlt_SECRET", "OTHER": "seen"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try waitUntil { FileManager.default.fileExists(atPath: ready) || !process.isRunning }
    let proc = "/proc/\(process.processIdentifier)/"
    let environment = try String(decoding: Data(contentsOf: URL(filePath: proc + "environ")), as: UTF8.self)
    #expect(environment.contains("OTHER=seen") && !environment.contains("SECRET"))
    let limits = try String(contentsOfFile: proc + "limits", encoding: .utf8)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    // With a limit of 1 Linux gives up, also if cores go to a program; a process with a hard limit of 0 may not raise
    // it.
    var own = rlimit()
    _ = getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &own)
    let allowed: Set<Substring> = own.rlim_max == 0 ? ["0", "1"] : ["1"]
    #expect(core?.split(separator: " ").suffix(3).prefix(2).allSatisfy(allowed.contains) == true, "\(core ?? "")")
  }

  @Test func `slow requests are logged as JSON with peer, client, database and plan, and without values`() throws {
    let server = try LoggedServer(folder: folder.path, arguments: ["--slow-query-ms", "0"])
    let url = server.url + "/shop"
    let run = try Martlet.run([
      "sql", "--create", url,
      "create table secrets(a, b); create index i on secrets(a); insert into secrets values ('hunter2', 918273645546); "
        + "select b from secrets where a = 'hunter2'",
    ])
    try #require(run.status == 0, "\(run)")
    let line = try #require(
      try server.line { ($0["sql"] as? String)?.contains("select b from secrets") == true })
    #expect(line["database"] as? String == "shop" && line["client"] as? String == "martlet")
    #expect((line["peer"] as? String)?.hasPrefix("127.0.0.1:") == true)
    #expect((line["plan"] as? String)?.contains("USING INDEX i") == true, "\(line)")
    #expect(line["level"] as? String == "notice" && line["kind"] as? String == "read")
    // Numbers are numbers, for whoever compares them.
    #expect(line["ms"] as? Int != nil && line["session"] as? Int != nil, "\(line)")
    #expect(try server.line { $0["message"] as? String == "Serving" }?["loops"] as? Int ?? 0 > 0)
    let text = try server.text()
    #expect(!text.contains("hunter2") && !text.contains("918273645546"))
  }

  @Test func `a health check asks the address for operators`() throws {
    let port = try PortNumber.free()
    let address = "127.0.0.1:\(port)"
    let nobody = try Martlet.run(["health", address])
    #expect(nobody.status == 1 && nobody.complaint.contains("Nobody listens at \(address)"), "\(nobody)")
    let server = try server(["--metrics-listen", address])
    let well = try Martlet.run(["health", address])
    #expect(well.status == 0 && well.output == "ok\n", "\(well)")
    #expect(try Martlet.run(["health", address, "--ready"]).output == "ready\n")
    // The server's own address speaks no HTTP.
    let own = try Martlet.run(["health", String(server.url.dropFirst("martlet://".count))])
    #expect(own.status == 1 && own.complaint.contains("does not answer as a server's --metrics-listen does"), "\(own)")
    #expect(try Martlet.run(["health", "9278"]).status == 64)
  }

  /// One request over a socket of its own, without a library that would be kind to it.
  private func get(_ port: Int, _ path: String, method: String = "GET") async throws -> (Int, String) {
    let connection = try BlockingSocket(port: port)
    connection.send(Array("\(method) \(path) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".utf8))
    let parts = String(decoding: try connection.readToEnd(), as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
    let status = parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (status, parts.count > 1 ? String(parts[1]) : "")
  }
}
