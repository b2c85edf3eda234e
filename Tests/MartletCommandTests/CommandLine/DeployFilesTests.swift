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
    #expect(pod.contains("containerPort: \(port)") && pod.contains("0.0.0.0:\(port)"))
    #expect(pod.contains("mountPath: /var/lib/martlet") && image.contains("\"--data\", \"/var/lib/martlet\""))
  }

  @Test func `a server runs with the image's own words`() throws {
    let image = try Self.lines("Dockerfile").joined(separator: "\n")
    let words = try ["ENTRYPOINT", "CMD"].flatMap { name in
      let line = try #require(image.firstMatch(of: try Regex("(?m)^\(name) (\\[.*\\])$")))
      return try JSONDecoder().decode([String].self, from: Data((line[1].substring ?? "").utf8))
    }
    let folder = try TemporaryFolder()
    var arguments = Array(words.dropFirst()).map { $0 == "/var/lib/martlet" ? folder.path + "/data" : $0 }
    for index in arguments.indices where arguments[index].hasPrefix("0.0.0.0:") { arguments[index] = "127.0.0.1:0" }
    // With an address of the test's own in place of the default port.
    let socket = "martlet+unix://" + folder.path + "/server.sock"
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = arguments + ["--listen", socket, "--ready-file", folder.path + "/ready"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while !FileManager.default.fileExists(atPath: folder.path + "/ready"), ContinuousClock.now < deadline {
      usleep(2_000)
    }
    let health = try Martlet.run(["databases", socket])
    #expect(health.status == 0, "\(health)")
  }
}
