import Foundation
import MartletServer

/// Tokens as a table for people and as JSON for programs.
///
/// Always true: neither shows a hash.
enum TokenListText {
  static func text(_ records: [TokenRecord], now: Date) -> String {
    guard !records.isEmpty else { return "There are no tokens yet.\n" }
    let rows = records.map { record in
      let end = record.expires.map { day($0) + (record.isValid(at: now) ? "" : " (expired)") } ?? "never"
      return [record.id, record.role, CellText.escaped(record.name), claims(record), day(record.created), end]
    }
    let lines = TextColumns.lines(
      header: ["id", "role", "name", "claims", "created", "expires"], rows: rows, numbers: [])
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Entry: Encodable {
    var id: String
    var role: String
    var name: String
    var claims: [String: String]
    var created: String
    var expires: String?
  }

  static func json(_ records: [TokenRecord]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let entries = records.map { record in
      Entry(
        id: record.id, role: record.role, name: record.name, claims: record.claims,
        created: record.created.formatted(.iso8601),
        expires: record.expires?.formatted(.iso8601))
    }
    return String(decoding: try encoder.encode(entries), as: UTF8.self) + "\n"
  }

  private static func claims(_ record: TokenRecord) -> String {
    record.claims.sorted { $0.key < $1.key }.map { "\($0.key)=\(CellText.escaped($0.value))" }.joined(separator: " ")
  }

  private static func day(_ date: Date) -> String { date.formatted(.iso8601) }
}
