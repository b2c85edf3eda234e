internal import MartletValues

/// What each subject and each role uses now: connections, requests in flight, requests of the last moments.
///
/// Always true: whoever has no connection and all tokens is not in it; those who are away and still lack some are at
/// most `QuotaLimits.absentMax`. A count never goes below zero.
struct QuotaLedger: Sendable {
  struct Usage {
    var connections = 0
    var inFlight = 0
    /// Nil if no rate was asked about yet.
    var bucket: TokenBucket?

    var isAbsent: Bool { connections == 0 && inFlight == 0 }

    mutating func mayBeForgotten(now: MonotonicTime) -> Bool { isAbsent && bucket?.isFull(now: now) ?? true }

    /// The bucket with the numbers that hold now.
    mutating func refresh(_ bounds: QuotaPlace.Bounds, now: MonotonicTime) {
      guard let rate = bounds.rate else { return bucket = nil }
      if bucket == nil { bucket = TokenBucket(rate: rate.most, burst: rate.burst, now: now) }
      bucket?.change(rate: rate.most, burst: rate.burst, now: now)
    }

    /// The quota that one more request would exceed.
    mutating func excess(
      _ bounds: QuotaPlace.Bounds, tokens: Int, inFlight more: Int, now: MonotonicTime
    ) -> RequestError? {
      if let most = bounds.inFlight, more > 0, inFlight > most.most - more {
        return .quotaExceeded(most.quota, most.most)
      }
      refresh(bounds, now: now)
      if let rate = bounds.rate, bucket?.has(tokens, now: now) == false { return .quotaExceeded(rate.quota, rate.most) }
      return nil
    }

    /// Counts the request, whether there is room for it or not.
    mutating func take(_ bounds: QuotaPlace.Bounds, tokens: Int, inFlight more: Int, now: MonotonicTime) {
      refresh(bounds, now: now)
      bucket?.take(tokens, now: now)
      inFlight += more
    }

    mutating func change(by difference: Int) { inFlight = max(0, inFlight + difference) }
  }

  private(set) var subjects: [UInt64: Usage] = [:]
  private(set) var roles: [UInt64: Usage] = [:]
  private var sweptAt = QuotaLimits.sweptMin

  // MARK: - Connections

  /// Counts one more connection. Returns the error of the quota that it would exceed; nil if `left` follows.
  mutating func entered(_ place: QuotaPlace, now: MonotonicTime) -> RequestError? {
    if let most = place.ofSubject.connections, (subjects[place.subject]?.connections ?? 0) >= most.most {
      return .quotaExceeded(most.quota, most.most)
    }
    if let most = place.ofRole.connections, (roles[place.role]?.connections ?? 0) >= most.most {
      return .quotaExceeded(most.quota, most.most)
    }
    take(place, inFlight: 0, now: now)
    return nil
  }

  /// A connection has ended, with all that it had in flight.
  mutating func left(_ place: QuotaPlace, inFlight: Int, now: MonotonicTime) {
    defer { invariant() }
    Self.leave(&subjects, place.subject, inFlight, now)
    Self.leave(&roles, place.role, inFlight, now)
  }

  /// A connection that is open is counted elsewhere from now on, beyond what may be there if need be: nobody loses a
  /// connection by a reload.
  mutating func moved(
    from old: QuotaPlace?, inFlight was: Int, to new: QuotaPlace?, inFlight: Int, now: MonotonicTime
  ) {
    // First the new one, so that a bucket that both have is not forgotten in between.
    if let new { take(new, inFlight: inFlight, now: now) }
    if let old { left(old, inFlight: was, now: now) }
  }

  private mutating func take(_ place: QuotaPlace, inFlight: Int, now: MonotonicTime) {
    defer { invariant() }
    if subjects[place.subject] == nil, subjects.count >= sweptAt { sweep(now: now) }
    subjects[place.subject, default: Usage()].connections += 1
    roles[place.role, default: Usage()].connections += 1
    subjects[place.subject]?.inFlight += inFlight
    roles[place.role]?.inFlight += inFlight
  }

  private static func leave(_ usages: inout [UInt64: Usage], _ key: UInt64, _ inFlight: Int, _ now: MonotonicTime) {
    guard var usage = usages[key] else { return }
    usage.connections = max(0, usage.connections - 1)
    usage.inFlight = max(0, usage.inFlight - inFlight)
    usages[key] = usage.mayBeForgotten(now: now) ? nil : usage
  }

  // MARK: - Requests

  /// Counts one more request, which costs `tokens`; returns the quota that it would exceed. Nothing is taken if one is
  /// exceeded. What `mustPass` is counted and never refused.
  mutating func arrived(
    _ place: QuotaPlace, tokens: Int, inFlight: Int = 1, mustPass: Bool = false, now: MonotonicTime
  ) -> RequestError? {
    // Both are there since the connection was counted; changed in place, because each request comes here.
    guard let subject = subjects.index(forKey: place.subject), let role = roles.index(forKey: place.role) else {
      return nil
    }
    let excess =
      subjects.values[subject].excess(place.ofSubject, tokens: tokens, inFlight: inFlight, now: now)
      ?? roles.values[role].excess(place.ofRole, tokens: tokens, inFlight: inFlight, now: now)
    if let excess, !mustPass { return excess }
    subjects.values[subject].take(place.ofSubject, tokens: tokens, inFlight: inFlight, now: now)
    roles.values[role].take(place.ofRole, tokens: tokens, inFlight: inFlight, now: now)
    return nil
  }

  /// `difference` more requests are in flight; fewer if it is below 0.
  mutating func inFlightChanged(_ place: QuotaPlace, by difference: Int) {
    if let index = subjects.index(forKey: place.subject) { subjects.values[index].change(by: difference) }
    if let index = roles.index(forKey: place.role) { roles.values[index].change(by: difference) }
  }

  // MARK: - What is kept

  private mutating func sweep(now: MonotonicTime) {
    subjects = Self.kept(of: subjects, now: now)
    let absent = subjects.values.filter(\.isAbsent).compactMap { $0.bucket?.seenAt }.sorted()
    if absent.count > QuotaLimits.absentMax {
      let middle = absent[absent.count / 2]
      subjects = subjects.filter { !$0.value.isAbsent || ($0.value.bucket?.seenAt ?? now) > middle }
    }
    roles = Self.kept(of: roles, now: now)
    sweptAt = max(QuotaLimits.sweptMin, subjects.count * 2)
  }

  private static func kept(of usages: [UInt64: Usage], now: MonotonicTime) -> [UInt64: Usage] {
    usages.compactMapValues { usage in
      var usage = usage
      return usage.mayBeForgotten(now: now) ? nil : usage
    }
  }

  // MARK: - Invariants

  /// After a connection has come or gone in a debug build, while there are few.
  private func invariant() {
    assert(subjects.count > AccessLimits.countedMax || contradiction == nil, contradiction ?? "")
  }

  /// A sentence for the first thing that must be true and is not; nil if all is well.
  var contradiction: String? {
    let roleConnections = roles.values.reduce(0) { $0 + $1.connections }
    if roleConnections != total.connections { return "roles and subjects have other numbers of connections" }
    let all = Array(subjects.values) + Array(roles.values)
    return all.contains { $0.connections < 0 || $0.inFlight < 0 } ? "a count is below zero" : nil
  }

  // MARK: - Questions

  /// All connections and requests that are counted.
  var total: (connections: Int, inFlight: Int) {
    subjects.values.reduce((0, 0)) { ($0.0 + $1.connections, $0.1 + $1.inFlight) }
  }

  // MARK: - For tests

  var subjectCount: Int { subjects.count }
}
