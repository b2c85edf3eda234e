internal import Synchronization

/// What the server counts: one set per loop, written by that loop alone and read by whoever inspects.
///
/// Always true: totals never go down; a gauge says so in its name's comment.
final class ServerCounters: Sendable {
  /// A number that one thread writes and any thread reads, without a locked instruction.
  struct Counter: ~Copyable, Sendable {
    private let value = Atomic<Int>(0)

    @inline(__always)
    func add(_ amount: Int = 1) { value.store(value.load(ordering: .relaxed) &+ amount, ordering: .relaxed) }

    var total: Int { value.load(ordering: .relaxed) }
  }

  /// Gauge: connections that are open now.
  let connections = Counter()
  let connectionsAccepted = Counter()
  let connectionsRefused = Counter()
  let framesReceived = Counter()
  let framesRefused = Counter()
  let bytesReceived = Counter()
  let bytesSent = Counter()
  /// Statements and batches, whatever became of them.
  let requests = Counter()
  /// Requests that were answered on the loop itself.
  let requestsInline = Counter()
  /// Rows that went into answers.
  let rowsSent = Counter()
  /// Connections that were not read for a while, because they held more memory than their share.
  let memoryPauses = Counter()
  /// Requests that were refused for want of memory before they reached the engine.
  let memoryRefusals = Counter()
  /// Hellos whose sender was not known here.
  let identitiesRefused = Counter()
  /// Connections whose TLS failed, or that spoke none if it was expected.
  let handshakesFailed = Counter()
  /// Requests and connections that a quota refused or ended.
  let quotaRefusals = Counter()
  private let closed = Mutex<[CloseReason: Int]>([:])

  func noteClosed(_ reason: CloseReason) { closed.withLock { $0[reason, default: 0] += 1 } }

  /// The sums over all loops, with stable names.
  static func totals(of loops: [ServerCounters]) -> [(name: String, value: Int64)] {
    func sum(_ counter: (ServerCounters) -> Int) -> Int64 { Int64(loops.reduce(0) { $0 &+ counter($1) }) }
    let totals: [(name: String, value: Int64)] = [
      ("connections", sum { $0.connections.total }),
      ("connections_accepted", sum { $0.connectionsAccepted.total }),
      ("connections_refused", sum { $0.connectionsRefused.total }),
      ("frames_received", sum { $0.framesReceived.total }),
      ("frames_refused", sum { $0.framesRefused.total }),
      ("bytes_received", sum { $0.bytesReceived.total }),
      ("bytes_sent", sum { $0.bytesSent.total }),
      ("requests", sum { $0.requests.total }),
      ("requests_inline", sum { $0.requestsInline.total }),
      ("rows_sent", sum { $0.rowsSent.total }),
      ("memory_pauses", sum { $0.memoryPauses.total }),
      ("memory_refusals", sum { $0.memoryRefusals.total }),
      ("identities_refused", sum { $0.identitiesRefused.total }),
      ("handshakes_failed", sum { $0.handshakesFailed.total }),
      ("quota_refusals", sum { $0.quotaRefusals.total }),
    ]
    return totals
      + CloseReason.allCases.map { reason in
        ("closed_\(reason.rawValue)", sum { $0.closed.withLock { $0[reason, default: 0] } })
      }
  }
}
