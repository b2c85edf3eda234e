internal import MartletValues

/// How many TLS handshakes run at once, in all and of one address, and how many an address may begin in a second,
/// because each costs more than hundreds of requests.
///
/// If an address has all of its places taken, its oldest handshake gives way; if the server has, the oldest of the
/// address with the most. Both only if it has had its place for long enough for an honest one. So a client that only
/// holds places keeps others waiting for less time than a hello may take.
///
/// Always true: bounded; what an address has used comes back within a second; an address that has begun too many in
/// this second makes no handshake give way.
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

  /// What an address may still begin in the second that began at `since`.
  private struct Bucket {
    var left: Int
    var since: MonotonicTime
  }

  private let atOnceMax: Int
  private let perSecondMax: Int
  /// Handshakes of one address that run at once, so that one address never has all of them.
  private let perAddressMax: Int
  private(set) var running = 0
  private var lastID: UInt64
  private var buckets: [UInt64: Bucket] = [:]
  /// The handshakes of each address that has any, from the oldest to the youngest.
  private var places: [UInt64: [Running]] = [:]

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
    defer { invariant() }
    var bucket = buckets[share] ?? Bucket(left: perSecondMax, since: now)
    if now.milliseconds(since: bucket.since) >= 1_000 { (bucket.left, bucket.since) = (perSecondMax, now) }
    guard bucket.left > 0 || isOnThisMachine else { return nil }
    var gone: Place?
    let isAddressFull = places[share, default: []].count >= perAddressMax
    if isAddressFull || running >= atOnceMax {
      gone = (isAddressFull ? share : shareWithMost).flatMap { oldest(of: $0, now: now) }
      guard let gone else { return nil }
      end(gone)
    }
    bucket.left = max(0, bucket.left - 1)
    if buckets[share] == nil, buckets.count >= AccessLimits.shakingMax {
      buckets = buckets.filter { places[$0.key] != nil }
    }
    buckets[share] = bucket
    lastID += 1
    places[share, default: []].append(Running(id: lastID, since: now))
    running += 1
    return (Place(id: lastID, share: share), gone)
  }

  /// The handshake has ended; nothing if it has given way.
  mutating func end(_ place: Place) {
    defer { invariant() }
    guard var left = places[place.share], let index = left.firstIndex(where: { $0.id == place.id }) else { return }
    left.remove(at: index)
    places[place.share] = left.isEmpty ? nil : left
    running -= 1
  }

  private var shareWithMost: UInt64? { places.max { $0.value.count < $1.value.count }?.key }

  /// Nil if it is too young to give way.
  private func oldest(of share: UInt64, now: MonotonicTime) -> Place? {
    guard let first = places[share]?.first,
      now.milliseconds(since: first.since) >= AccessLimits.handshakeMsMin
    else { return nil }
    return Place(id: first.id, share: share)
  }

  private func invariant() {
    assert(running <= atOnceMax, "more handshakes run than may")
    assert(places.count <= running, "an address without a handshake has places")
    guard running <= AccessLimits.countedMax else { return }
    assert(places.values.reduce(0) { $0 + $1.count } == running, "handshakes are miscounted")
    assert(places.values.allSatisfy { $0.count <= perAddressMax }, "an address has more handshakes than it may")
  }
}
