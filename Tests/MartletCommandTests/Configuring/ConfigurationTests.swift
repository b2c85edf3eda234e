/// A configuration file that is right, and what the command line makes of it.
import ArgumentParser
import Foundation
import Logging
import MartletServer
import MartletValues
import Testing

@testable import MartletCommand

struct ConfigurationTests {
  static func read(_ text: String, under commandLine: ServeSettings = ServeSettings()) throws -> LoadedConfiguration {
    try LoadedConfiguration.read(
      text, path: "/etc/martlet/martlet.toml", under: commandLine, userID: { ConfigurationExample.users[$0] })
  }

  @Test func `every key says something`() throws {
    let loaded = try Self.read(ConfigurationExample.text)
    let server = loaded.server
    #expect(server.directory == "/var/lib/martlet" && server.readyFile == "/etc/martlet/ready")
    #expect(
      server.listen.map(\.description) == ["martlet+tls://0.0.0.0:6278", "martlet+unix:///run/martlet/martlet.sock"])
    #expect(server.socketMode == 0o660 && server.loops == 2 && !server.isInsecure && !server.makesPageChecksums)
    #expect(server.keyFile == "/etc/martlet/key")
    #expect(loaded.logLevel == .debug && loaded.logFormat == .json && loaded.metricsListen?.port == 9278)
    #expect(server.slowQueryMs == 100 && server.denied == [.raw, .drop] && server.deniedOverTCP == [.schema])
    #expect(loaded.warnings.isEmpty && loaded.file == "/etc/martlet/martlet.toml")
    let limits = server.limits
    #expect(limits.connectionsMax == 1_000 && limits.helloDeadlineMs == 2_000 && limits.deadlineDefaultMs == 4_000)
    #expect(limits.deadlineMaxMs == 60_000 && limits.writeTimeMaxMs == 20_000 && limits.shutdownDrainMs == 3_000)
    #expect(limits.transactionTotalMs == 9_000 && limits.walBytesMax == 64 << 20 && limits.pageCacheBytes == 4 << 20)
    #expect(limits.memoryBudgetBytes == 1 << 30 && limits.check() == nil)
    var tls = TLSSettings(
      certificate: "/etc/martlet/server.pem", key: "/etc/keys/server.key", clientAuthority: "/etc/martlet/clients.pem")
    tls.requiresClientCertificate = true
    tls.allowsTLS12 = true
    #expect(server.tls == tls)
    let total = AuditedColumn(table: "orders", column: "total")
    #expect(
      server.audit
        == AuditSettings(file: "/etc/martlet/audit.log", statements: .writes, parameters: [total]))
  }

  @Test func `a reload names what of the command itself it does not take`() throws {
    let text = "log-level = \"info\"\nlog-format = \"text\"\nmetrics-listen = \"127.0.0.1:9278\"\n"
    let start = try Self.read(text)
    for (key, was, wanted) in [
      ("log-level", "\"info\"", "\"debug\""), ("log-format", "\"text\"", "\"json\""),
      ("metrics-listen", "9278", "9279"),
    ] {
      let changed = try Self.read(text.replacingOccurrences(of: was, with: wanted))
      #expect(changed.keysThatStay(since: start) == [key])
    }
    #expect(try Self.read("").keysThatStay(since: start) == ["metrics-listen"])
    #expect(try Self.read(text + "slow-query-ms = 5").keysThatStay(since: start).isEmpty)
  }

  @Test func `roles, and who has them`() throws {
    let access = try Self.read(ConfigurationExample.text).server.access
    #expect(access.roles["reader"]?.grants[0].permissions == [.select])
    // What it says itself holds in its own database, and what it inherits in those of the other role.
    let writer = access.roles["writer"]?.grants
    #expect(writer?.map(\.permissions) == [[.insert, .update], [.select]])
    #expect(writer?.map { $0.databases.map(\.text) } == [["log"], ["shop", "tenant-*"]])
    #expect(access.roles["owner"]?.grants[0].permissions == .all && access.roles["owner"]?.mayOpen("x") == true)
    #expect(access.users == [33: "writer", 1234: "owner"] && access.certificates == ["backup.example": "reader"])
    #expect(access.others == .role("writer") && access.tokensFile == "/etc/martlet/tokens")
    #expect(access.missingRole() == nil)
  }

  @Test func `issuers of JWTs, and the roles that these stand for`() throws {
    let issuers = try Self.read(ConfigurationExample.text).server.access.issuers
    var login = JWTIssuer(
      issuer: "https://login.example.org", audience: "shop", keys: "/etc/martlet/login.jwks",
      role: .claim("groups", roles: ["staff": "writer", "on call": "owner"]))
    login.claims = ["tenant", "level"]
    login.leewaySeconds = 10
    login.lifetimeSeconds = 3_600
    let build = JWTIssuer(
      issuer: "build.example.org", audience: "shop", keys: "/etc/keys/build.jwks", role: .fixed("reader"))
    #expect(issuers == ["login": login, "build": build])
    #expect(build.leewaySeconds == 30 && build.lifetimeSeconds == 86_400 && build.claims.isEmpty)
  }

  @Test func `an empty file says what no file says`() throws {
    let (loaded, none) = (try Self.read(""), try LoadedConfiguration(ServeSettings()))
    #expect(loaded.server.directory == none.server.directory && loaded.server.listen == none.server.listen)
    #expect(loaded.server.limits == none.server.limits && loaded.server.access == AccessPolicy())
    #expect(loaded.server.audit == nil && none.server.audit == nil)
    #expect(try Self.read("[audit]\nfile = \"/a\"").server.audit == AuditSettings(file: "/a", statements: .refused))
    let asked = try Self.read("[audit]\nfile = \"/a\"\nparameters = [\"Orders.Total\", \"a.b\", \"orders.total\"]")
      .server
    let columns = [AuditedColumn(table: "orders", column: "total"), AuditedColumn(table: "A", column: "b")]
    #expect(asked.audit?.parameters == Set(columns))
    #expect(loaded.server.tls == nil && loaded.logLevel == .info && loaded.logFormat == .text)
    #expect(try Self.read("[local]\naccess = \"refused\"").server.access.others == .refused)
    #expect(try Self.read("[local]\naccess = \"unrestricted\"").server.access.others == .unrestricted)
  }

  @Test func `the command line wins`() throws {
    let options = try ServeOptions.parse([
      "--data", "here", "--listen", "martlet://127.0.0.1:0", "--loops", "3", "--deadline-ms", "1", "--deny", "raw",
      "--page-checksums", "on", "--log-level", "error", "--log-format", "text", "--socket-mode", "600", "--memory",
      "2G",
      "--key-file", "k", "--slow-query-ms", "7", "--metrics-listen", "127.0.0.1:1", "--deny-tcp", "create",
      "--ready-file", "r",
    ])
    let loaded = try Self.read(ConfigurationExample.text, under: options.settings())
    let server = loaded.server
    #expect(server.directory == "here" && server.listen.map(\.description) == ["martlet://127.0.0.1:0"])
    #expect(server.loops == 3 && server.limits.deadlineDefaultMs == 1 && server.limits.deadlineMaxMs == 60_000)
    #expect(server.denied == .raw && server.deniedOverTCP == .create && server.makesPageChecksums)
    #expect(loaded.logLevel == .error && loaded.logFormat == .text && server.socketMode == 0o600)
    #expect(server.limits.memoryBudgetBytes == 2 << 30 && server.slowQueryMs == 7 && server.readyFile == "r")
    #expect(server.keyFile == "k")
    #expect(loaded.metricsListen?.port == 1 && server.tls != nil)
    // No address of the command line speaks TLS.
    #expect(loaded.warnings.map(\.sentence) == ["No address of --listen is martlet+tls://, so [tls] has no use."])
  }

  @Test func `what command line and file say together is told at the one that has to change`() throws {
    var commandLine = ServeSettings()
    commandLine.limits[.deadlineMs] = 90_000
    let text = "[limits]\ndeadline-max-ms = 60000\n"
    do {
      _ = try Self.read(text, under: commandLine)
      Issue.record("it was taken")
    } catch let error as InvalidConfiguration {
      #expect(error.description == "/etc/martlet/martlet.toml: --deadline-ms must not exceed deadline-max-ms.")
    }
  }

  @Test func `--insecure lets a server listen anywhere`() throws {
    for settings in [[], ["--insecure"]] {
      let options = try ServeOptions.parse(["--listen", "martlet://0.0.0.0:0"] + settings)
      var complaint = ""
      do { _ = try LoadedConfiguration(options.settings()) } catch { complaint = "\(error)" }
      #expect(complaint.contains("is not a loopback address") == settings.isEmpty)
    }
  }

  @Test func `a summary shows addresses and roles`() throws {
    let text = ConfigurationSummary.text(try Self.read(ConfigurationExample.text), file: "martlet.toml")
    #expect(text.hasPrefix("martlet.toml is right.\n  listens at martlet+tls://0.0.0.0:6278\n"))
    #expect(text.contains("  role writer: insert, update in log; select in shop, tenant-*\n"))
    #expect(text.contains("  JWTs of build, build.example.org: role reader\n"))
    #expect(
      text.contains("  JWTs of login, https://login.example.org: roles by groups: on call is owner, staff is writer\n"))
  }
}
