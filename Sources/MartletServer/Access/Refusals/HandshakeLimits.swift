internal import MartletValues

/// How many TLS handshakes run at once, in all and of one address, and how many an address may begin in a second,
/// because each costs more than hundreds of requests.
///
/// Always true: bounded; what an address has used comes back within a second.
struct HandshakeLimits: Sendable {
  private struct Bucket {
    var left: Int
    var since: MonotonicTime
    var running = 0
  }

  private let atOnceMax: Int
  private let perSecondMax: Int
  /// Handshakes of one address that run at once, so that one address never has all of them.
  private let perAddressMax: Int
  private(set) var running = 0
  private var buckets: [UInt64: Bucket] = [:]

  init(limits: Limits) {
    atOnceMax = limits.handshakesMax
    perSecondMax = limits.handshakesPerSecondMax
    perAddressMax = max(1, limits.handshakesMax / 4)
  }

  /// False if there are too many. `end` follows each that began. Programs of this machine may begin any number in a
  /// second: they could waste its time in other ways.
  mutating func begin(_ share: UInt64, isOnThisMachine: Bool = false, now: MonotonicTime) -> Bool {
    guard running < atOnceMax else { return false }
    var bucket = buckets[share] ?? Bucket(left: perSecondMax, since: now)
    if now.milliseconds(since: bucket.since) >= 1_000 {
      bucket = Bucket(left: perSecondMax, since: now, running: bucket.running)
    }
    guard bucket.left > 0 || isOnThisMachine, bucket.running < perAddressMax else { return false }
    bucket.left = max(0, bucket.left - 1)
    bucket.running += 1
    if buckets[share] == nil, buckets.count >= AccessLimits.shakingMax { buckets = buckets.filter { $1.running > 0 } }
    buckets[share] = bucket
    running += 1
    return true
  }

  mutating func end(_ share: UInt64) {
    running = max(0, running - 1)
    if let here = buckets[share]?.running, here > 0 { buckets[share]?.running = here - 1 }
  }
}
