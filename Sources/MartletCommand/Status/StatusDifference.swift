import MartletClient
import MartletValues

/// What a server did between two looks at it.
///
/// Always true: a counter that went down counts as 0, since the server was started anew in between, or forgot.
struct StatusDifference {
  let before: Inspection
  let after: Inspection
  let seconds: Double
  private let former: [String: Int64]
  private let present: [String: Int64]

  init(before: Inspection, after: Inspection, seconds: Double) {
    self.before = before
    self.after = after
    self.seconds = max(seconds, 0.001)
    former = Self.byName(before)
    present = Self.byName(after)
  }

  private static func byName(_ inspection: Inspection) -> [String: Int64] {
    Dictionary(inspection.counters.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// A counter or gauge as it is now; 0 if the server does not have it.
  func value(_ name: String) -> Int64 { present[name] ?? 0 }

  func change(_ name: String) -> Int64 {
    let (change, isTooLarge) = value(name).subtractingReportingOverflow(former[name] ?? 0)
    if isTooLarge { return value(name) > 0 ? .max : 0 }
    return max(0, change)
  }

  /// A second.
  func rate(_ name: String) -> Double { Double(change(name)) / seconds }

  /// `part` of the sum of both, in percent; nil if both are 0.
  func percent(_ part: String, of other: String) -> Double? {
    let (part, rest) = (Double(change(part)), Double(change(other)))
    return part + rest > 0 ? 100 * part / (part + rest) : nil
  }

  /// The latencies of what came in between.
  var latencies: [LatencyCounts] {
    after.latencies.map { now in
      before.latencies.first { $0.kind == now.kind }.map { now.since($0) } ?? now
    }
  }

  struct Shape {
    var database: String
    var sql: String
    var shape: ShapeID
    var executions: UInt64
    var rows: UInt64
    var errors: UInt64
    var microseconds: UInt64
  }

  /// What took time in between, the most first.
  var shapes: [Shape] {
    struct Key: Hashable {
      var shape: ShapeID
      var database: String
    }
    var known: [Key: ShapeStatistics] = [:]
    for shape in before.shapes { known[Key(shape: shape.shape, database: shape.database)] = shape }
    let found = after.shapes.map { now -> Shape in
      let then = known[Key(shape: now.shape, database: now.database)]
      func change(_ now: UInt64, _ then: UInt64?) -> UInt64 { now > then ?? 0 ? now - (then ?? 0) : 0 }
      return Shape(
        database: now.database, sql: now.sql, shape: now.shape, executions: change(now.executions, then?.executions),
        rows: change(now.rows, then?.rows), errors: change(now.errors, then?.errors),
        microseconds: change(now.microseconds, then?.microseconds))
    }
    return found.filter { $0.executions > 0 }.sorted {
      ($0.microseconds, $0.executions, $1.sql) > ($1.microseconds, $1.executions, $0.sql)
    }
  }

  struct Peer {
    var peer: String
    var client: String
    var database: String
    var connections: Int
    var requests: UInt64
    var oldestMs: UInt64
  }

  /// Sessions of the same program at the same place with the same database, as one.
  var peers: [Peer] {
    var former: [UInt64: UInt64] = [:]
    for session in before.sessions { former[session.id] = session.requests }
    var found: [String: Peer] = [:]
    for session in after.sessions {
      let place = Self.host(of: session.peer)
      let key = "\(place)\u{0}\(session.client)\u{0}\(session.database)"
      var peer =
        found[key]
        ?? Peer(
          peer: place, client: session.client, database: session.database, connections: 0, requests: 0, oldestMs: 0)
      peer.connections += 1
      // A server may say any number.
      peer.requests &+= session.requests - min(session.requests, former[session.id] ?? 0)
      peer.oldestMs = max(peer.oldestMs, session.ageMs)
      found[key] = peer
    }
    return found.values.sorted {
      ($0.requests, $0.connections, $1.peer, $1.client) > ($1.requests, $1.connections, $0.peer, $0.client)
    }
  }

  /// Without the port, which is another one for each connection.
  private static func host(of peer: String) -> String {
    guard let colon = peer.lastIndex(of: ":"), peer[colon...].dropFirst().allSatisfy(\.isNumber) else { return peer }
    return String(peer[..<colon])
  }
}
