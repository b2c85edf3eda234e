import Synchronization

/// A monitor that takes in what arrives, without anybody who brings something waiting for its lock.
///
/// Who brings something takes it in, if nobody else has the lock just then. Otherwise it is put aside, and the one who
/// has the lock takes it in, before looking at the state and once more when the lock is free again. So many threads
/// that bring something at once neither sleep nor wake each other, as they would for a lock.
///
/// Always true: what has arrived is taken in once, in the order in which it arrived, at once or as soon as the lock is
/// free; nobody looks at the state while something that arrived before has not been taken in; who waits for a change is
/// woken by it.
package final class ArrivalMonitor<State, Arrival: Sendable>: Sendable {
  /// What is left to do for an arrival when the lock is free.
  package typealias Afterwards = @Sendable () -> Void

  package typealias Look<Result> = Monitor<State>.Look<Result>

  private struct Held {
    var state: State
    /// Room for what is taken in, used again and again.
    var taken: [Arrival] = []
  }

  private let held: Monitor<Held>
  private let admit: @Sendable (Arrival, inout State) -> Afterwards?
  private let aside = Monitor<[Arrival]>([])
  /// How many are aside; changed with their lock held.
  private let asideCount = Atomic<Int>(0)
  /// Who has the lock may be about to sleep, and then nobody would look at what is put aside. Whoever has the lock next
  /// takes that back.
  private let fallsAsleep = Atomic<Bool>(false)

  /// `admit` takes one arrival into the state, with the lock held.
  package init(_ state: State, admit: @escaping @Sendable (Arrival, inout State) -> Afterwards?) {
    held = Monitor(Held(state: state))
    self.admit = admit
  }

  // MARK: - Arrivals

  /// Takes it in, behind what was put aside before, or leaves that to who has the lock.
  package func arrive(_ arrival: Arrival) {
    let rest: [Afterwards]? = held.tryChange { held in
      var rest = takeIn(&held)
      if let own = admit(arrival, &held.state) { rest.append(own) }
      return rest
    }
    if let rest { return finish(rest) }
    aside.withLock { aside in
      aside.append(arrival)
      asideCount.store(aside.count, ordering: .relaxed)
    }
    takeInRest()
  }

  /// What was put aside while somebody had the lock, who may not have seen it any more.
  private func takeInRest() {
    // Either the one who has had the lock sees what is aside, or the one who has put it there sees that the lock is
    // free, or that the other is about to sleep.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    while asideCount.load(ordering: .relaxed) > 0 {
      if let rest = held.tryChange(takeIn) {
        rest.forEach { $0() }
      } else if fallsAsleep.load(ordering: .relaxed) {
        held.change(takeIn).forEach { $0() }
      } else {
        return
      }
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
  }

  private func takeIn(_ held: inout Held) -> [Afterwards] {
    var isNews = false
    return takeIn(&held, &isNews)
  }

  /// With the lock held. `isNews`: whether something was taken in.
  private func takeIn(_ held: inout Held, _ isNews: inout Bool) -> [Afterwards] {
    var afterwards: [Afterwards] = []
    fallsAsleep.store(false, ordering: .relaxed)
    guard asideCount.load(ordering: .relaxed) > 0 else { return afterwards }
    isNews = true
    aside.withLock { aside in
      swap(&aside, &held.taken)
      asideCount.store(0, ordering: .relaxed)
    }
    for arrival in held.taken {
      if let rest = admit(arrival, &held.state) { afterwards.append(rest) }
    }
    held.taken.removeAll(keepingCapacity: held.taken.count <= EngineLimits.arrivalsKept)
    return afterwards
  }

  // MARK: - The state

  /// Looks at the state or changes it. Who waits is woken only if something was taken in before.
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, rest): (Result, [Afterwards]) = held.withLock(tellingNews: { held, isNews in
      let rest = takeIn(&held, &isNews)
      return (body(&held.state), rest)
    })
    finish(rest)
    return result
  }

  /// Changes the state and wakes the threads that wait for that.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, rest): (Result, [Afterwards]) = held.change { held in
      let rest = takeIn(&held)
      return (body(&held.state), rest)
    }
    finish(rest)
    return result
  }

  /// Looks at the state until the look finds something; `body` runs with the lock held.
  package func wait<Result>(_ body: (inout State) -> Look<Result>) -> Result {
    while true {
      let (result, rest): (Result?, [Afterwards]) = held.wait { held in look(&held, body) }
      finish(rest)
      if let result { return result }
    }
  }

  /// Finds nil if something was taken in that the look of `body` does not find; another look follows then.
  private func look<Result>(
    _ held: inout Held, _ body: (inout State) -> Look<Result>
  ) -> Monitor<Held>.Look<(Result?, [Afterwards])> {
    var isNews = false
    let rest = takeIn(&held, &isNews)
    switch body(&held.state) {
    case .found(let result): return isNews ? .foundNews((result, rest)) : .found((result, rest))
    case .foundNews(let result): return .foundNews((result, rest))
    case .wait(let nanoseconds):
      if isNews { return .foundNews((nil, rest)) }
      fallsAsleep.store(true, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if asideCount.load(ordering: .relaxed) > 0 { return look(&held, body) }
      return .wait(nanoseconds: nanoseconds)
    }
  }

  private func finish(_ rest: [Afterwards]) {
    rest.forEach { $0() }
    takeInRest()
  }
}
