import Foundation
import MartletValues

/// A list of databases as a table for people and as JSON for programs.
enum DatabaseListText {
  static func print(_ entries: [DatabaseList.Entry], json: Bool) throws {
    try StandardOutput.write(Array((json ? try self.json(entries) : text(entries)).utf8), to: 1)
  }

  static func text(_ entries: [DatabaseList.Entry]) -> String {
    guard !entries.isEmpty else { return "There are no databases yet.\n" }
    let rows = entries.map {
      [$0.name, ByteText.of($0.bytes), ByteText.of($0.logBytes), $0.state.word, "\($0.sessions)"]
    }
    let lines = TextColumns.lines(
      header: ["database", "size", "log", "state", "sessions"], rows: rows, numbers: [1, 2, 4])
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Entry: Encodable {
    var database: String
    var bytes: UInt64
    var log_bytes: UInt64
    var state: String
    var sessions: Int
  }

  static func json(_ entries: [DatabaseList.Entry]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let list = entries.map {
      Entry(
        database: $0.name, bytes: $0.bytes, log_bytes: $0.logBytes, state: $0.state.word, sessions: $0.sessions)
    }
    return String(decoding: try encoder.encode(list), as: UTF8.self) + "\n"
  }
}
