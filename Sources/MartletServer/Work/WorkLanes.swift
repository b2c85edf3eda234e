internal import MartletValues

/// What runs on the threads of a `FairWork`, in two lanes, and whether one more job may: what takes long has threads of
/// its own, so that the others do not wait for it.
///
/// Always true: of one subject no more jobs run in the quick lane than all but one, and in the slow one half as many as
/// it has places, or one; no two jobs of one topic run; what is remembered of topics is bounded.
struct WorkLanes {
  /// How many jobs run at a time, and what is slow.
  struct Widths: Sendable {
    var quick = 1
    /// For jobs that run for longer than `slowMs`, and those whose topics took much longer the last time.
    var slow = 0
    var slowMs = 0
  }

  private struct Place {
    let subject: UInt64
    let topic: String?
    let since: MonotonicTime
    var isSlow: Bool
  }

  /// The places that are taken in one lane.
  private struct Lane {
    let width: Int
    let ownMax: Int
    var taken = 0
    var bySubject: [UInt64: Int] = [:]

    func hasRoom(for subject: UInt64) -> Bool { taken < width && (bySubject[subject] ?? 0) < ownMax }

    mutating func add(_ count: Int, of subject: UInt64) {
      taken += count
      let own = (bySubject[subject] ?? 0) + count
      bySubject[subject] = own > 0 ? own : nil
    }
  }

  private let widths: Widths
  private var quick: Lane
  private var slow: Lane
  private var places: [UInt64: Place] = [:]
  private var topics: Set<String> = []
  private var slowTopics: Set<String> = []

  init(_ widths: Widths) {
    self.widths = widths
    quick = Lane(width: max(1, widths.quick), ownMax: max(1, widths.quick - 1))
    slow = Lane(width: widths.slow, ownMax: max(1, widths.slow / 2))
  }

  /// Threads that both lanes need at most.
  var threadsMax: Int { quick.width + slow.width }

  func isWelcome(topic: String?, of subject: UInt64) -> Bool {
    if let topic, topics.contains(topic) { return false }
    return lane(of: topic).hasRoom(for: subject)
  }

  private func lane(of topic: String?) -> Lane { isSlow(topic) ? slow : quick }

  private func isSlow(_ topic: String?) -> Bool { topic.map(slowTopics.contains) ?? false }

  /// An admitted job starts. `id` is the caller's choice, and no running job has it.
  mutating func began(_ id: UInt64, topic: String?, of subject: UInt64, now: MonotonicTime) {
    assert(places[id] == nil && isWelcome(topic: topic, of: subject), "a job begins that is not welcome")
    defer { invariant() }
    let isSlow = isSlow(topic)
    places[id] = Place(subject: subject, topic: topic, since: now, isSlow: isSlow)
    if let topic { topics.insert(topic) }
    if isSlow { slow.add(1, of: subject) } else { quick.add(1, of: subject) }
  }

  /// Returns the nanoseconds that it took.
  mutating func ended(_ id: UInt64, now: MonotonicTime) -> UInt64 {
    defer { invariant() }
    guard let place = places.removeValue(forKey: id) else { return 0 }
    if place.isSlow { slow.add(-1, of: place.subject) } else { quick.add(-1, of: place.subject) }
    if let topic = place.topic {
      topics.remove(topic)
      remember(topic, now.milliseconds(since: place.since) >= widths.slowMs * WorkLimits.rememberedFactor)
    }
    return now.nanoseconds &- place.since.nanoseconds
  }

  private mutating func remember(_ topic: String, _ isSlow: Bool) {
    guard widths.slow > 0 else { return }
    if !isSlow {
      slowTopics.remove(topic)
    } else if slowTopics.insert(topic).inserted, slowTopics.count > WorkLimits.slowTopicsMax {
      slowTopics.removeFirst()
    }
  }

  /// Jobs that have run for long leave the quick lane, the oldest first, as far as there is room in the other one.
  mutating func ticked(_ now: MonotonicTime) {
    defer { invariant() }
    guard slow.taken < slow.width else { return }
    let late = places.filter { !$0.value.isSlow && $0.value.since.advanced(milliseconds: widths.slowMs) <= now }
    for (id, place) in late.sorted(by: { ($0.value.since, $0.key) < ($1.value.since, $1.key) })
    where slow.hasRoom(for: place.subject) {
      places[id]?.isSlow = true
      quick.add(-1, of: place.subject)
      slow.add(1, of: place.subject)
    }
  }

  /// Whether a job of the quick lane may leave it by taking long.
  var mayTick: Bool {
    slow.taken < slow.width && places.values.contains { !$0.isSlow && slow.hasRoom(for: $0.subject) }
  }

  // MARK: - Invariants

  /// After each event of a debug build.
  private func invariant() { assert(contradiction == nil, contradiction ?? "") }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    for (lane, isSlow) in [(quick, false), (slow, true)] {
      let own = places.values.filter { $0.isSlow == isSlow }
      if own.count != lane.taken || lane.taken > lane.width { return "the places of a lane are miscounted" }
      if own.reduce(into: [:], { $0[$1.subject, default: 0] += 1 }) != lane.bySubject {
        return "subjects are miscounted"
      }
      if lane.bySubject.values.contains(where: { $0 > lane.ownMax }) { return "one subject has more than its part" }
    }
    if topics != Set(places.values.compactMap(\.topic)) { return "topics are miscounted" }
    return slowTopics.count <= WorkLimits.slowTopicsMax ? nil : "too many topics are remembered"
  }
}
