import Foundation
import MartletClient
import MartletValues

/// The page of `martlet status`: a server at a glance, in as many lines and columns as the terminal has.
///
/// Always true: no line is wider than the terminal, and nothing that a client sent can steer it.
struct StatusPage {
  var difference: StatusDifference
  /// The server's URL.
  var server: String
  /// Only what concerns this database is shown of sessions and shapes; nil: all.
  var database: String?

  /// Lines that fit `width`; at most `height` if there is one.
  func lines(width: Int?, height: Int? = nil) -> [String] {
    var lines = numbers
    let rest = height.map { max(0, $0 - lines.count - 4) }
    let peers = peerLines
    let shapes = shapeLines
    // The shapes get what the sessions leave, and at least half.
    let peersMax = rest.map { min(peers.count, max($0 / 2, $0 - shapes.count)) } ?? peers.count
    lines += [""] + peers.prefix(peersMax)
    lines += [""] + shapes.prefix(rest.map { max(0, $0 - peersMax) } ?? shapes.count)
    return lines.map { line in width.map { TableFit.cut(CellText.escaped(line), to: $0) } ?? CellText.escaped(line) }
  }

  // MARK: Numbers

  private var numbers: [String] {
    let status = difference
    func rate(_ name: String) -> String { CountText.of(status.rate(name)) + "/s" }
    func bytes(_ name: String) -> String { ByteText.of(UInt64(exactly: status.rate(name).rounded()) ?? .max) + "/s" }
    let uptime = CountText.age(ms: UInt64(clamping: status.value("uptime_ms")))
    var lines = [
      "\(server)  up \(uptime)  \(Count.of(status.value("connections"), "connection"))  "
        + "\(Count.of(status.value("databases_open"), "database")) open",
      "requests   \(rate("requests"))  \(percent(inlinePercent)) on the spot  rows \(rate("rows_sent"))  "
        + "in \(bytes("bytes_received"))  out \(bytes("bytes_sent"))",
      "cache      plans \(percent(status.percent("plan_hits", of: "plan_misses"))) hits, "
        + "\(status.value("plans_cached")) cached  prepared \(rate("prepares"))",
    ]
    lines += latencyLines
    lines += [
      "commits    \(rate("commits"))  \(groupText)  open write transactions "
        + "\(status.value("open_write_transactions"))  waiting writes \(status.value("write_queue_depth"))",
      "log        \(ByteText.of(UInt64(clamping: status.value("wal_bytes"))))  checkpoints "
        + "\(rate("checkpoints"))  oldest snapshot "
        + CountText.time(ms: UInt64(clamping: status.value("oldest_snapshot_age_ms")))
        + "  ended snapshots \(status.value("snapshot_evictions"))",
      "readers    running \(status.value("open_reads"))  waiting \(status.value("read_queue_depth"))  paused "
        + "\(status.value("streams_paused"))  memory "
        + ByteText.of(UInt64(clamping: status.value("memory_held_bytes"))) + " of "
        + ByteText.of(UInt64(clamping: status.value("memory_budget_bytes"))),
    ]
    if let trouble { lines.append(trouble) }
    return lines
  }

  private var inlinePercent: Double? {
    let all = difference.change("requests")
    return all > 0 ? 100 * Double(difference.change("requests_inline")) / Double(all) : nil
  }

  private func percent(_ value: Double?) -> String { value.map { CountText.digits($0) + " %" } ?? "-" }

  private var groupText: String {
    let (groups, members) = (difference.change("group_commits"), difference.change("group_members"))
    guard groups > 0 else { return "writes a commit -" }
    let sizes = [
      ("1", "group_size_1"), ("2-4", "group_size_2_4"), ("5-16", "group_size_5_16"), ("17-64", "group_size_17_64"),
      ("65+", "group_size_65_up"),
    ].compactMap { size, name -> String? in
      let count = difference.change(name)
      return count > 0 ? "\(size): \(percent((100 * Double(count) / Double(groups)).rounded()))" : nil
    }
    return "writes a commit \(CountText.digits(Double(members) / Double(groups))) (\(sizes.joined(separator: ", ")))"
  }

  private var latencyLines: [String] {
    let rows = difference.latencies.filter { $0.count > 0 }.map { counts in
      [
        counts.kind, CountText.of(Double(counts.count) / difference.seconds) + "/s",
        CountText.time(us: counts.count > 0 ? counts.microseconds / counts.count : nil),
        CountText.time(us: counts.percentile(0.5)), CountText.time(us: counts.percentile(0.9)),
        CountText.time(us: counts.percentile(0.99)), CountText.time(us: counts.percentile(0.999)),
      ]
    }
    guard !rows.isEmpty else { return ["latency    no requests in this time"] }
    return TextColumns.lines(
      header: ["latency", "count", "mean", "50 %", "90 %", "99 %", "99.9 %"], rows: rows, numbers: [1, 2, 3, 4, 5, 6])
  }

  private var trouble: String? {
    let found = [
      ("databases_fenced", "databases take no writes: see martlet databases"),
      ("threads_stuck_now", "threads do not come back: see the server's log"),
    ].filter { difference.value($0.0) > 0 }.map { "\(difference.value($0.0)) \($0.1)" }
    return found.isEmpty ? nil : "TROUBLE    " + found.joined(separator: "; ")
  }

  // MARK: Who and what

  private var peerLines: [String] {
    let peers = difference.peers.filter { database == nil || $0.database == database }
    return TextColumns.lines(
      header: ["from", "client", "database", "connections", "requests", "oldest"],
      rows: peers.map { peer in
        [
          peer.peer, peer.client, peer.database.isEmpty ? "-" : peer.database, "\(peer.connections)",
          CountText.of(Double(peer.requests) / difference.seconds) + "/s", CountText.age(ms: peer.oldestMs),
        ]
      }, numbers: [3, 4, 5])
  }

  private var shapeLines: [String] {
    let shapes = difference.shapes.filter { database == nil || $0.database == database }
    let total = max(1, shapes.reduce(0) { $0 + Double($1.microseconds) })
    return TextColumns.lines(
      header: ["time", "calls", "mean", "rows", "database", "statement"],
      rows: shapes.map { shape in
        [
          percent((100 * Double(shape.microseconds) / total).rounded()),
          CountText.of(Double(shape.executions) / difference.seconds) + "/s",
          CountText.time(us: shape.microseconds / max(1, shape.executions)),
          CountText.of(Double(shape.rows) / difference.seconds) + "/s", shape.database,
          shape.sql.split(whereSeparator: \.isWhitespace).joined(separator: " "),
        ]
      }, numbers: [0, 1, 2, 3])
  }
}
