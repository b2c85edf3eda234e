/// A server of this build whose log a test reads, line by line, as JSON.
import Foundation
import MartletTestSupport
import Testing

final class LoggedServer {
  /// Of the server as a whole.
  let url: String
  private let process = Process()
  private let log: String

  init(folder: String, arguments: [String] = []) throws {
    log = folder + "/log"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    let ready = folder + "/ready"
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments =
      [
        "serve", "--data", folder + "/data", "--listen", "martlet://127.0.0.1:0", "--ready-file", ready, "--log-format",
        "json",
      ] + arguments
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
    try waitUntil { FileManager.default.fileExists(atPath: ready) }
    url = try String(contentsOfFile: ready, encoding: .utf8).split(separator: "\n").first.map(String.init) ?? ""
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// The server reads its configuration again.
  func hangUp() { kill(process.processIdentifier, SIGHUP) }

  func text() throws -> String { try String(contentsOfFile: log, encoding: .utf8) }

  /// Without one that is being written.
  func lines() throws -> [[String: Any]] {
    let text = try text()
    return try text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
  }

  /// The first line that is wanted, as soon as it is there.
  func line(where isWanted: ([String: Any]) -> Bool) throws -> [String: Any]? {
    var line: [String: Any]?
    try waitUntil {
      line = try lines().first(where: isWanted)
      return line != nil
    }
    return line
  }
}
