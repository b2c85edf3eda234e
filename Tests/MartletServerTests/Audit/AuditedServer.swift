/// A server of this process that writes an audit log, and what stands in it.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

struct AuditedServer {
  let live: LiveServer
  let configuration: ServerConfiguration
  let path: String

  init(
    _ level: AuditLevel, _ configure: (inout ServerConfiguration, _ folder: String) throws -> Void = { _, _ in }
  ) throws {
    var (path, made) = ("", ServerConfiguration?.none)
    live = try LiveServer(loops: 1) { configuration, folder in
      path = folder + "/audit"
      configuration.audit = AuditSettings(file: path, statements: level)
      try configure(&configuration, folder)
      made = configuration
    }
    self.path = path
    configuration = try #require(made)
  }

  func text(_ path: String? = nil) throws -> String {
    live.server.context.audit.settle()
    return try String(contentsOfFile: path ?? self.path, encoding: .utf8)
  }

  func lines(_ path: String? = nil) throws -> [[String: Any]] {
    try text(path).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
  }

  /// Lines of requests as `event kind outcome`, in their order.
  func requests() throws -> [String] {
    try lines().filter { $0["request"] != nil || $0["kind"] != nil }.map {
      "\($0["event"] ?? "-") \($0["kind"] ?? "-") \($0["outcome"] ?? "-")"
    }
  }

  /// The first line that is wanted, as soon as it is there.
  func line(where isWanted: ([String: Any]) -> Bool) throws -> [String: Any]? {
    var line: [String: Any]?
    try waitUntil(within: .seconds(30)) {
      line = try lines().first(where: isWanted)
      return line != nil
    }
    return line
  }

  func reload(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
    var changed = configuration
    change(&changed)
    try live.server.reload(changed)
  }
}
