/// `martlet token` and `martlet config`, and a server that is started with a file.
import Foundation
import MartletServer
import MartletTestSupport
import Testing

@testable import MartletCommand

struct SecuringTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String = "m.toml") throws -> String {
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
    return folder.path + "/" + name
  }

  private static let role = "[roles.reader]\ndatabases = [\"*\"]\nallow = [\"select\"]\n"

  @Test func `a secret that everybody may read is warned of once, and used`() throws {
    let path = folder.path + "/readable"
    for (mode, warnings) in [(0o644, 1), (0o640, 0), (0o600, 0)] {
      try "mlt_x".write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let run = try Martlet.run(["sql", "martlet+tls://127.0.0.1:1/a", "--token-file", path, "select 1"])
      #expect(run.status == 1 && run.complaint.contains("127.0.0.1:1"), "\(run)")
      let said = run.complaint.components(
        separatedBy: "Warning: everybody on this machine may read the secret in \(path).")
      #expect(said.count == warnings + 1, "\(run.complaint)")
    }
  }

  #if os(Linux)
    @Test func `a token that cannot be printed does not stay`() throws {
      let file = folder.path + "/tokens"
      let made = try Martlet.run(["token", "create", "--file", file, "--role", "reader"], outputPath: "/dev/full")
      #expect(
        made.status == 1 && made.complaint.contains("could not be printed") && made.complaint.contains("None was"))
      #expect(try TokenFile(path: file).list().isEmpty)
    }
  #endif

  @Test func `a token is printed once, listed and revoked`() throws {
    let file = folder.path + "/tokens"
    let made = try Martlet.run([
      "token", "create", "--file", file, "--role", "reader", "--name", "re\u{1B}ports", "--expires", "12h",
    ])
    #expect(made.status == 0 && made.lines.count == 1, "\(made.complaint)")
    #expect(made.complaint.contains("shown this once") && made.complaint.contains("reload (SIGHUP)"))
    let token = try #require(made.lines.first)
    let record = try #require(try TokenFile(path: file).load().record(for: token, now: Date()))
    #expect(record.expires.map { abs($0.timeIntervalSinceNow - 12 * 3_600) < 120 } == true)
    let list = try Martlet.run(["token", "list", "--file", file])
    #expect(list.lines.count == 2 && list.lines[1].hasPrefix(record.id + "  reader") && !list.output.contains("\u{1B}"))
    let json = try Martlet.run(["token", "list", "--file", file, "--json"]).output
    #expect(json.contains("\"role\" : \"reader\"") && !json.contains("sha256") && !json.contains(token.suffix(43)))
    let revoked = try Martlet.run(["token", "revoke", "--file", file, record.id])
    #expect(revoked.status == 0 && revoked.complaint.contains("reload"))
    #expect(try Martlet.run(["token", "list", "--file", file]).output == "There are no tokens yet.\n")
  }

  @Test func `a configuration tells where tokens are and which roles there are`() throws {
    let config = try write("tokens = \"t\"\n" + Self.role)
    #expect(try Martlet.run(["token", "create", "--config", config, "--role", "reader"]).status == 0)
    #expect(try TokenFile(path: folder.path + "/t").list().map(\.role) == ["reader"])
    let unknown = try Martlet.run(["token", "create", "--config", config, "--role", "raeder"])
    #expect(unknown.status == 1 && unknown.complaint.contains("There is no role 'raeder'. Did you mean reader?"))
    let without = try write(Self.role, to: "without.toml")
    #expect(try Martlet.run(["token", "list", "--config", without]).complaint.contains("has no key 'tokens'"))
  }

  @Test func `a mistake about tokens is a sentence`() throws {
    let file = folder.path + "/tokens"
    let mistakes: [(arguments: [String], status: Int32, words: String)] = [
      (["create", "--role", "r"], 64, "either --file or --config"),
      (["create", "--role", "r", "--file", file, "--config", file], 64, "either --file or --config"),
      (["create", "--role", "a b", "--file", file], 1, "A role's name is"),
      (["create", "--role", "r", "--file", file, "--expires", "soon"], 64, "--expires is a time such as 30d"),
      (["create", "--role", "r", "--file", file, "--expires", "2001-01-01"], 1, "expired already"),
      (["list", "--file", file], 1, "There is no file"), (["revoke", "--file", file, "x"], 1, "cannot be changed"),
    ]
    for (arguments, status, words) in mistakes {
      let outcome = try Martlet.run(["token"] + arguments)
      #expect(outcome.status == status && outcome.complaint.contains(words), "\(arguments): \(outcome.complaint)")
      #expect(outcome.output.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `times until a token expires`() throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let times: [(text: String, date: Date?)] = [
      ("30d", now + 30 * 86_400), ("12h", now + 12 * 3_600), ("2027-02-01", Date(timeIntervalSince1970: 1_801_440_000)),
      ("0d", nil), ("-1d", nil), ("d", nil), ("1.5d", nil), ("40000d", nil), ("99999999999999999999h", nil), ("", nil),
      ("2027-02-30", nil), ("2027-2-1", nil), ("27-02-01", nil), ("2027-02-01T00:00:00Z", nil), ("tomorrow", nil),
    ]
    for (text, date) in times { #expect(TokenExpiry(text)?.date(after: now) == date, "\(text)") }
  }

  @Test func `a check says that a file is right, or all that is wrong`() throws {
    let right = try Martlet.run(["config", "check", try write("data = \"d\"\n" + Self.role)])
    #expect(right.status == 0 && right.complaint.isEmpty)
    #expect(right.output.contains("m.toml is right.\n") && right.output.contains("role reader: select in *"))
    let wrong = try Martlet.run(["config", "check", try write("dat = 1\n\nloops = 999\n")])
    let path = folder.path + "/m.toml"
    #expect(wrong.status == 1 && wrong.output.isEmpty)
    #expect(
      wrong.complaint
        == "Error: \(path) has 2 mistakes.\n\(path):1: There is no key 'dat'. Did you mean data?\n"
        + "\(path):3: loops is 0 to 256.\n")
    let missing = try Martlet.run(["config", "check", folder.path + "/none.toml"])
    #expect(missing.status == 1 && missing.complaint.contains("none.toml: The file cannot be read"))
    #expect(try Martlet.run(["config", "check", folder.path]).complaint.contains("no ordinary file"))
    try Data([0x61, 10, 0xFF]).write(to: URL(filePath: path))
    #expect(try Martlet.run(["config", "check", path]).complaint.contains("m.toml:2: The file is no text in UTF-8."))
  }

  @Test func `a check looks at the files that it names, unless it is told not to`() throws {
    let config = try write(
      "listen = [\"martlet+tls://127.0.0.1\"]\ntokens = \"t\"\n[tls]\ncertificate = \"c\"\nkey = \"k\"\n" + Self.role)
    func check() throws -> String {
      let outcome = try Martlet.run(["config", "check", config])
      #expect(outcome.status == 1)
      // A server that is started with the file says the same.
      let served = try Martlet.run(["serve", "--config", config])
      #expect(served.status == 1 && outcome.complaint.contains(served.complaint.dropFirst("Error: ".count)))
      return outcome.complaint
    }
    let first = try check()
    #expect(first.contains("The certificate \(folder.path)/c cannot be read: No such file"))
    #expect(first.contains("There is no file \(folder.path)/t. `martlet token create` makes it"))
    #expect(try Martlet.run(["config", "check", config, "--no-files"]).status == 0)
    let files = try CertificateFolder()
    _ = try write(String(contentsOfFile: files.file("server.pem"), encoding: .utf8), to: "c")
    _ = try write(String(contentsOfFile: files.file("client.key"), encoding: .utf8), to: "k")
    #expect(try check().contains("Every user of the machine can reach the key \(folder.path)/k"))
    #expect(chmod(folder.path + "/k", 0o600) == 0)
    #expect(try check().contains("The key \(folder.path)/k cannot be used with the certificate"))
    _ = try write(String(contentsOfFile: files.file("server.key"), encoding: .utf8), to: "k")
    #expect(chmod(folder.path + "/k", 0o600) == 0)
    _ = try TokenFile(path: folder.path + "/t").create(role: "writer")
    let unknown = try Martlet.run(["config", "check", config])
    #expect(unknown.status == 1 && unknown.complaint.contains("tokens of the role 'writer', which does not exist"))
  }

  @Test func `a check and a server that starts say the same of an issuer's file of keys`() throws {
    let issuer = "[jwt.login]\nissuer = \"i\"\naudience = \"a\"\nkeys = \"jwks\"\nrole = \"reader\"\n"
    let config = try write("data = \"d\"\nlisten = [\"martlet+unix://\(folder.path)/s\"]\n" + Self.role + issuer)
    func check() throws -> String {
      let outcome = try Martlet.run(["config", "check", config])
      guard outcome.status != 0 else { return outcome.output }
      let served = try Martlet.run(["serve", "--config", config])
      #expect(served.status == 1 && outcome.complaint.contains(served.complaint.dropFirst("Error: ".count)))
      return outcome.complaint
    }
    #expect(
      try check().contains("There is no file \(folder.path)/jwks. Put the issuer's public keys there, as a JWKS."))
    _ = try write("{\"keys\":\n[,]}", to: "jwks")
    #expect(chmod(folder.path + "/jwks", 0o644) == 0)
    #expect(try check().contains("\(folder.path)/jwks:2: This is no JSON"))
    let secret = try JWTSigningKey(.shared, secret: Array("this is known to nobody else".utf8))
    _ = try write(JWTSigningKey.jwks([secret]), to: "jwks")
    let complaint = try check()
    #expect(complaint.contains("jwks: Key 1 (kid k1): It is a private key or a shared secret"))
    // The key itself is in no sentence.
    #expect(!complaint.contains(JWTSigningKey.base64URL("this is known".utf8).prefix(16)))
    _ = try write(JWTSigningKey.jwks([JWTSigningKey(.ed25519)]), to: "jwks")
    #expect(try check().contains("JWTs of login, i: role reader"))
  }

  @Test func `a server runs with a file, and the command line wins`() throws {
    let config = try write(
      "data = \"nowhere\"\nlisten = [\"martlet+unix://\(folder.path)/s\"]\n[limits]\ndrain-ms = 500\n")
    // The helper names a directory and an address of its own.
    let server = try ServerProcess(directory: folder.path + "/data", arguments: ["--config", config])
    #expect(server.url.hasPrefix("martlet://127.0.0.1:"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/nowhere"))
    #expect(server.terminate() == 0)
    let wrong = try Martlet.run(["serve", "--config", try write("lop = 1")])
    #expect(wrong.status == 1 && wrong.complaint.contains("m.toml:1: There is no key 'lop'."))
  }
}
