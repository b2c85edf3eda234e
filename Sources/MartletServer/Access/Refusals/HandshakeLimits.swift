internal import MartletValues

/// How many TLS handshakes run at once, in all and of one address, and how many an address may begin in a second,
/// because each costs more than hundreds of requests.
///
/// Where all places are taken, the handshake gives way that has had its place for longest, if that was long enough for
/// an honest one: of the same address, or, where all have too many, of the address that has most. So those who only
/// hold places keep nobody waiting for as long as a hello may take.
///
/// Always true: bounded; what an address has used comes back within a second; nobody gives way to whom the second
/// keeps out.
struct HandshakeLimits: Sendable {
  /// A handshake that may begin; `end` follows.
  struct Place: Sendable, Equatable {
    let id: UInt64
    let share: UInt64
  }

  private struct Running: Sendable {
    let id: UInt64
    let since: MonotonicTime
  }

  private struct Bucket {
    var left: Int
    var since: MonotonicTime
    /// From the oldest to the youngest.
    var running: [Running] = []
  }

  private let atOnceMax: Int
  private let perSecondMax: Int
  /// Handshakes of one address that run at once, so that one address never has all of them.
  private let perAddressMax: Int
  private(set) var running = 0
  private var lastID: UInt64
  private var buckets: [UInt64: Bucket] = [:]

  init(limits: Limits) {
    atOnceMax = limits.handshakesMax
    perSecondMax = limits.handshakesPerSecondMax
    lastID = 0
    perAddressMax = max(1, limits.handshakesMax / 4)
  }

  /// Nil if there are too many. `gone` has given way and needs no `end`. Programs of this machine may begin any number
  /// in a second: they could waste its time in other ways.
  mutating func begin(
    _ share: UInt64, isOnThisMachine: Bool = false, now: MonotonicTime
  ) -> (place: Place, gone: Place?)? {
    var bucket = buckets[share] ?? Bucket(left: perSecondMax, since: now)
    if now.milliseconds(since: bucket.since) >= 1_000 { (bucket.left, bucket.since) = (perSecondMax, now) }
    guard bucket.left > 0 || isOnThisMachine else { return nil }
    var gone: Place?
    if bucket.running.count >= perAddressMax || running >= atOnceMax {
      let giving = bucket.running.count >= perAddressMax ? share : shareWithMost
      gone = giving.flatMap { oldest(of: $0, now: now) }
      guard let gone else { return nil }
      end(gone)
      bucket.running.removeAll { $0.id == gone.id }
    }
    bucket.left = max(0, bucket.left - 1)
    lastID += 1
    bucket.running.append(Running(id: lastID, since: now))
    if buckets[share] == nil, buckets.count >= AccessLimits.shakingMax {
      buckets = buckets.filter { !$1.running.isEmpty }
    }
    buckets[share] = bucket
    running += 1
    return (Place(id: lastID, share: share), gone)
  }

  /// The handshake has ended; nothing if it has given way.
  mutating func end(_ place: Place) {
    guard let index = buckets[place.share]?.running.firstIndex(where: { $0.id == place.id }) else { return }
    buckets[place.share]?.running.remove(at: index)
    running -= 1
  }

  private var shareWithMost: UInt64? { buckets.max { $0.value.running.count < $1.value.running.count }?.key }

  /// Nil if it is too young to give way.
  private func oldest(of share: UInt64, now: MonotonicTime) -> Place? {
    guard let first = buckets[share]?.running.first,
      now.milliseconds(since: first.since) >= AccessLimits.handshakeMsMin
    else { return nil }
    return Place(id: first.id, share: share)
  }
}
