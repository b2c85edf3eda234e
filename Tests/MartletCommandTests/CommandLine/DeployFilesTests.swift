/// What `deploy/` says agrees with the program: options, addresses and version.
import Foundation
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeployFilesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: "deploy/" + name), encoding: .utf8)
  }

  /// Lines that are no comment.
  private static func lines(_ name: String) throws -> [String] {
    try text(name).components(separatedBy: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("#") }
  }

  @Test(arguments: ["Dockerfile", "kubernetes.yaml", "martlet.service", "martlet.env"])
  func `every option is one that serve knows`(name: String) throws {
    let help = try Martlet.run(["serve", "--help"]).output
    // What the package's own tools are given is not the server's.
    let lines = try Self.lines(name).filter { !$0.contains("apt-get") && !$0.contains("useradd") && !$0.contains("&&") }
    for match in lines.joined(separator: "\n").matches(of: /(--[a-z][a-z-]+)/) {
      #expect(help.contains(match.1), "\(name): \(match.1)")
    }
  }

  @Test func `the service reads the package's configuration, which is that of one machine`() throws {
    let unit = try Self.lines("martlet.service")
    #expect(unit.contains("ExecStart=/usr/bin/martlet serve --config /etc/martlet/martlet.toml $MARTLET_OPTIONS"))
    #expect(unit.contains("ExecReload=/bin/kill -HUP $MAINPID"))
    // The folders that the unit makes are those that the configuration names.
    #expect(unit.contains("StateDirectory=martlet") && unit.contains("RuntimeDirectory=martlet"))
    let file = Self.root.appending(path: "deploy/debian/martlet.toml").path
    let outcome = try Martlet.run(["config", "check", file])
    #expect(outcome.status == 0 && outcome.complaint.isEmpty, "\(outcome.complaint)")
    #expect(
      outcome.lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) } == [
        "listens at martlet+unix:///run/martlet/martlet.sock", "keeps databases in /var/lib/martlet",
        "programs of this machine that show nothing else: unrestricted",
      ])
    // Options win over the file, so none is there before somebody writes one.
    #expect(try Self.lines("martlet.env").filter { !$0.isEmpty } == ["MARTLET_OPTIONS="])
  }

  @Test func `the drop-in for other machines undoes what the unit closes, and the package has both`() throws {
    let (unit, network) = (try Self.lines("martlet.service"), try Self.lines("network.conf"))
    #expect(unit.contains("IPAddressDeny=any") && unit.contains("DynamicUser=yes"))
    #expect(network.filter { !$0.isEmpty } == ["[Service]", "IPAddressAllow=any", "SupplementaryGroups=martlet-keys"])
    let page = try String(contentsOf: Self.root.appending(path: "docs/SECURITY.md"), encoding: .utf8)
    #expect(page.contains("groupadd --system martlet-keys") && page.contains("examples/network.conf"))
    let script = try String(contentsOf: Self.root.appending(path: "scripts/package"), encoding: .utf8)
    for file in [
      "martlet.service", "martlet.env", "martlet.toml", "network.conf", "martlet.logrotate", "debian/martlet.toml",
    ] {
      #expect(script.contains("deploy/\(file)"), "\(file)")
    }
    #expect(script.contains("/etc/default/martlet /etc/martlet/martlet.toml >"))
  }

  @Test func `the audit log that is rotated is the one that the example names, in a folder that the unit makes`() throws
  {
    let rotation = try Self.lines("martlet.logrotate")
    let example = try Self.text("martlet.toml")
    #expect(rotation.contains("/var/log/martlet/audit.log {"))
    #expect(example.contains("# file = \"/var/log/martlet/audit.log\""))
    #expect(rotation.contains { $0.contains("systemctl reload martlet.service") } && rotation.contains("  nocreate"))
    let unit = try Self.lines("martlet.service")
    #expect(unit.contains("LogsDirectory=martlet") && unit.contains("LogsDirectoryMode=0700"))
  }

  @Test func `the image and the pod have the same version, user and port`() throws {
    let version = try #require(try Martlet.run(["--version"]).lines.first)
    let (image, pod) = (try Self.text("Dockerfile"), try Self.text("kubernetes.yaml"))
    #expect(image.contains("martlet:\(version)") && pod.contains("image: martlet:\(version)"))
    let user = try #require(image.firstMatch(of: /USER (\d+)/)).1
    for key in ["runAsUser", "runAsGroup", "fsGroup"] { #expect(pod.contains("\(key): \(user)"), "\(key)") }
    let port = try #require(image.firstMatch(of: /EXPOSE (\d+)/)).1
    #expect(pod.contains("containerPort: \(port)") && image.contains("0.0.0.0:\(port)"))
    #expect(pod.contains("mountPath: /var/lib/martlet") && image.contains("\"--data\", \"/var/lib/martlet\""))
  }

  /// The words of an instruction in the form that is a list.
  private static func words(_ instruction: String) throws -> [String] {
    let image = try lines("Dockerfile").joined(separator: "\n")
    guard let line = image.firstMatch(of: try Regex("(?m)^\(instruction) (\\[.*\\])$")) else { return [] }
    return try JSONDecoder().decode([String].self, from: Data((line[1].substring ?? "").utf8))
  }

  /// Runs a server with the image's words and the arguments of one of its examples until its health check has answered;
  /// with folders and ports of the test's own.
  private func health(_ arguments: [String], in folder: TemporaryFolder) throws -> Martlet.Outcome {
    let port = try PortNumber.free()
    func own(_ words: [String]) -> [String] {
      words.map { word in
        word.replacing("/var/lib/martlet", with: folder.path + "/data").replacing(
          "0.0.0.0:9278", with: "127.0.0.1:\(port)"
        )
        .replacing("127.0.0.1:9278", with: "127.0.0.1:\(port)").replacing("/etc/martlet", with: folder.path)
      }
    }
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments =
      try own(Array(Self.words("ENTRYPOINT").dropFirst()) + Self.words("CMD") + arguments) + [
        "--ready-file", folder.path + "/ready",
      ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try waitUntil { FileManager.default.fileExists(atPath: folder.path + "/ready") || !process.isRunning }
    let check = try #require(try Self.text("Dockerfile").firstMatch(of: /HEALTHCHECK CMD (\[.*\])/)).1
    let words = try JSONDecoder().decode([String].self, from: Data(check.utf8))
    #expect(words.first == "martlet")
    return try Martlet.run(own(Array(words.dropFirst())))
  }

  @Test func `the image's server is well by its own health check`() throws {
    let folder = try TemporaryFolder()
    // In place of the default port, which another test may have.
    let health = try health(["--listen", "martlet+unix://\(folder.path)/server.sock"], in: folder)
    #expect(health.status == 0 && health.output == "ok\n", "\(health)")
  }

  @Test func `it is well too with a configuration that has TLS, as in the image's second example`() throws {
    let folder = try TemporaryFolder()
    try #require(try Martlet.run(["cert", "make", "--directory", folder.path]).status == 0)
    let file = """
      listen = ["martlet+tls://127.0.0.1:0"]
      tokens = "tokens"

      [tls]
      certificate = "server.pem"
      key = "server.key"

      [roles.reader]
      databases = ["*"]
      allow = ["select"]

      [local]
      access = "refused"

      """
    try Data(file.utf8).write(to: URL(filePath: folder.path + "/martlet.toml"))
    let token = try Martlet.run(["token", "create", "--config", folder.path + "/martlet.toml", "--role", "reader"])
    try #require(token.status == 0, "\(token)")
    let example = try Self.text("Dockerfile")
    #expect(example.contains("martlet:0.1.0 \\\n#     --config /etc/martlet/martlet.toml"))
    let health = try health(["--config", "/etc/martlet/martlet.toml"], in: folder)
    #expect(health.status == 0 && health.output == "ok\n", "\(health)")
  }

  @Test func `the image is built of the package and nothing else of the folder`() throws {
    let ignored = try String(contentsOf: Self.root.appending(path: ".dockerignore"), encoding: .utf8)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    let copied = try #require(try Self.text("Dockerfile").firstMatch(of: /COPY (\S+)/)).1
    #expect(ignored == ["*", "!\(copied)"])
  }
}
