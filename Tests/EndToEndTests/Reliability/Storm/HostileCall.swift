/// A call of one of SQLite's functions with arguments that make it work longest.
import MartletValues

struct HostileCall: Sendable {
  let sql: String
  var parameters: [Value] = []

  private static func text(_ content: String) -> Value { .text(content) }
  private static let million = 1_000_000

  static let all: [HostileCall] = [
    HostileCall(
      sql: "SELECT instr(?1, ?2)",
      parameters: [
        text(String(repeating: "a", count: 2 * million)), text(String(repeating: "a", count: million) + "b"),
      ]),
    HostileCall(
      sql: "SELECT length(replace(?1, ?2, 'x'))",
      parameters: [
        text(String(repeating: "a", count: 2 * million)), text(String(repeating: "a", count: million) + "b"),
      ]),
    HostileCall(
      sql: "SELECT length(trim(?1, ?2))",
      parameters: [
        text(String(repeating: "é", count: million)), text(String(repeating: "x", count: 100_000) + "é"),
      ]),
    HostileCall(sql: "SELECT length(printf('%.*c', 1000000000, 'x'))"),
    HostileCall(sql: "SELECT length(printf('%1000000000d', 1))"),
    HostileCall(
      sql: "SELECT ?1 LIKE ?2",
      parameters: [
        text(String(repeating: "a", count: 3 * million)), text("%" + String(repeating: "a%", count: 120) + "b"),
      ]),
    HostileCall(
      sql: "SELECT ?1 GLOB ?2",
      parameters: [
        text(String(repeating: "a", count: 3 * million)), text("*" + String(repeating: "a*", count: 120) + "b"),
      ]),
    HostileCall(
      sql: "SELECT length(json_patch(?1, ?1))",
      parameters: [text("{" + (0..<100_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}")]),
    HostileCall(
      sql: "SELECT json_extract(?1, '$.k99999')",
      parameters: [text("{" + (0..<100_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}")]),
    HostileCall(
      sql: "SELECT count(*) FROM json_each(?1)",
      parameters: [text("[" + String(repeating: "1,", count: million) + "1]")]),
    HostileCall(sql: "SELECT length(group_concat(a.note, b.note)) FROM items a, items b LIMIT 1"),
    HostileCall(sql: "SELECT length(hex(zeroblob(2000000)))"),
    HostileCall(sql: "SELECT count(*) FROM items a, items b WHERE a.note < b.note"),
    HostileCall(sql: "SELECT max(a.note || b.note || a.title) FROM items a, items b"),
    HostileCall(sql: "SELECT DISTINCT a.note || b.note FROM items a, items b LIMIT 1 OFFSET 100000000"),
    HostileCall(sql: "SELECT a.note || b.note AS both FROM items a, items b ORDER BY both LIMIT 1"),
    HostileCall(sql: "SELECT CAST(?1 AS REAL)", parameters: [text(String(repeating: "1", count: 3 * million))]),
    HostileCall(
      sql: "SELECT ?1 = ?2", parameters: Array(repeating: text(String(repeating: "z", count: million)), count: 2)),
  ]
}
