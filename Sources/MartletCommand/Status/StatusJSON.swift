import Foundation
import MartletClient
import MartletValues

/// The status of a server as one JSON object for programs.
///
/// Always true: totals are since the server's start, rates of the time between the two looks; names of counters are the
/// server's own.
enum StatusJSON {
  private struct Latency: Encodable {
    var kind: String
    var count: UInt64
    var total_count: UInt64
    var mean_us: UInt64?
    var p50_us: UInt64?
    var p90_us: UInt64?
    var p99_us: UInt64?
    var p999_us: UInt64?
  }

  private struct Shape: Encodable {
    var shape: String
    var database: String
    var sql: String
    var executions: UInt64
    var errors: UInt64
    var rows: UInt64
    var microseconds: UInt64
  }

  private struct Session: Encodable {
    var id: UInt64
    var peer: String
    var client: String
    var database: String
    var age_ms: UInt64
    var requests: UInt64
  }

  private struct Status: Encodable {
    var interval_ms: Int
    var counters: [String: Int64]
    var rates: [String: Double]
    var latencies: [Latency]
    var sessions: [Session]
    var shapes: [Shape]
  }

  static func text(_ status: StatusDifference, database: String?) throws -> String {
    let names = status.after.counters.map(\.name)
    let totals = Dictionary(
      status.after.latencies.map { ($0.kind, $0.count) }, uniquingKeysWith: { first, _ in first })
    let object = Status(
      interval_ms: Int(status.seconds * 1_000),
      counters: Dictionary(names.map { ($0, status.value($0)) }, uniquingKeysWith: { first, _ in first }),
      rates: Dictionary(
        names.filter { !ServerCounterNames.isGauge($0) }.map { ($0, (status.rate($0) * 100).rounded() / 100) },
        uniquingKeysWith: { first, _ in first }),
      latencies: status.latencies.map { counts in
        Latency(
          kind: counts.kind, count: counts.count, total_count: totals[counts.kind] ?? 0,
          mean_us: counts.count > 0 ? counts.microseconds / counts.count : nil, p50_us: counts.percentile(0.5),
          p90_us: counts.percentile(0.9), p99_us: counts.percentile(0.99), p999_us: counts.percentile(0.999))
      },
      sessions: status.after.sessions.filter { database == nil || $0.database == database }.map {
        Session(
          id: $0.id, peer: $0.peer, client: $0.client, database: $0.database, age_ms: $0.ageMs, requests: $0.requests)
      },
      shapes: status.after.shapes.filter { database == nil || $0.database == database }.map {
        Shape(
          shape: "\($0.shape)", database: $0.database, sql: $0.sql, executions: $0.executions, errors: $0.errors,
          rows: $0.rows, microseconds: $0.microseconds)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(object), as: UTF8.self) + "\n"
  }
}
