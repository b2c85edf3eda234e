/// The commands of docs/SECURITY.md, run as they stand there, with folders and addresses of the test's own.
import Foundation
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SecurityPageTests {
  private static let page: String = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return (try? String(contentsOf: folder.appending(path: "../../../../docs/SECURITY.md"), encoding: .utf8)) ?? ""
  }()

  /// The page's blocks of a language, of its six steps; "" is a block of commands.
  private static func blocks(_ language: String) -> [String] {
    let part = page.components(separatedBy: "### Only the statements")[0]
    let pieces = part.components(separatedBy: "```")
    return stride(from: 1, to: pieces.count, by: 2).map { pieces[$0] }.filter { $0.hasPrefix(language + "\n") }
      .map { String($0.dropFirst(language.count + 1)) }
  }

  /// The words of a command behind `martlet`, and the file that its output goes to.
  private static func words(_ line: String) -> (words: [String], file: String?) {
    var words = line.components(separatedBy: "\"").enumerated().flatMap { index, part in
      index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
    }
    let file = words.last.flatMap { $0.hasPrefix(">") ? String($0.dropFirst()) : nil }
    if file != nil { words.removeLast() }
    return (Array(words.dropFirst()), file)
  }

  @Test func `the page's six steps make a server, and a client with a token is served`() throws {
    let folder = try TemporaryFolder()
    /// The page's text with paths and addresses of this test.
    func here(_ text: String) -> String {
      text.replacing("/etc/martlet", with: folder.path).replacing("/var/lib/martlet", with: folder.path + "/data")
        .replacing("0.0.0.0:6278", with: "127.0.0.1:0").replacing("--host db.example.org", with: "--host 127.0.0.1")
        .replacing(" shop.token", with: " \(folder.path)/shop.token").replacing(
          " ca.pem", with: " \(folder.path)/ca.pem")
    }
    let configuration = try #require(Self.blocks("toml").first)
    try Data(here(configuration).utf8).write(to: URL(filePath: folder.path + "/martlet.toml"))
    let commands = Self.blocks("").flatMap { $0.split(separator: "\n").map(String.init) }
    #expect(commands.count == 5 && commands.allSatisfy { $0.hasPrefix("martlet ") }, "\(commands)")
    var server: Process?
    defer {
      server?.terminate()
      server?.waitUntilExit()
    }
    var url = ""
    for command in commands {
      var (words, file) = Self.words(here(command))
      if words.first == "serve" {
        (server, url) = try Self.serve(words, ready: folder.path + "/ready")
        continue
      }
      if let place = words.firstIndex(where: { $0.hasPrefix("martlet+tls://") }) { words[place] = url + "/shop" }
      let outcome = try Martlet.run(words)
      #expect(outcome.status == 0, "\(command): \(outcome.complaint)")
      if let file { try Data(outcome.output.utf8).write(to: URL(filePath: folder.path + "/" + file)) }
      if words.first == "sql" { #expect(outcome.output.contains("Hello")) }
    }
    // Nobody is served who shows nothing.
    let outcome = try Martlet.run(["sql", url + "/shop", "--ca", folder.path + "/ca.pem", "select 1"])
    #expect(outcome.status != 0 && outcome.complaint.contains("does not know who asks"), "\(outcome.complaint)")
  }

  /// A server of these words, and its first address.
  private static func serve(_ words: [String], ready: String) throws -> (Process, url: String) {
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = words + ["--ready-file", ready]
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntil { FileManager.default.fileExists(atPath: ready) || !process.isRunning }
    let lines = try String(contentsOfFile: ready, encoding: .utf8).split(separator: "\n")
    return (process, String(try #require(lines.first)))
  }
}
