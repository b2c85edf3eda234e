internal import MartletSQLite

/// Decides which observers of a database have to fetch again.
///
/// Always true: an observer that has to fetch is told once, however many commits come before it does; a commit that
/// comes while it fetches is not lost, and makes it fetch once more only if it concerns what the fetch read.
struct ObservationSchedule {
  /// Names an observer for as long as it is there.
  struct ObserverID: Hashable, Sendable { let number: UInt64 }

  private enum Phase {
    /// The observer has been told to fetch, and will see what commits until it begins.
    case due
    /// The observer's snapshot may be older than these writes.
    case fetching(missed: TableSet)
    /// The observer's value is current until something of this region is written.
    case resting(region: TableSet)
  }

  private var phases: [ObserverID: Phase] = [:]
  private var lastNumber: UInt64 = 0

  init() {}

  var isEmpty: Bool { phases.isEmpty }

  /// A new observer, which knows nothing yet: it is due.
  mutating func observerCame() -> ObserverID {
    lastNumber += 1
    let id = ObserverID(number: lastNumber)
    phases[id] = .due
    return id
  }

  mutating func observerLeft(_ id: ObserverID) { phases[id] = nil }

  /// A transaction that wrote to `tables` is visible to readers. Returns the observers to tell.
  mutating func committed(_ tables: TableSet) -> [ObserverID] {
    var told: [ObserverID] = []
    for (id, phase) in phases {
      switch phase {
      case .due: break
      case .fetching(var missed):
        missed.formUnion(tables)
        phases[id] = .fetching(missed: missed)
      case .resting(let region) where region.overlaps(tables):
        phases[id] = .due
        told.append(id)
      case .resting: break
      }
    }
    return told
  }

  /// The observer is about to take its snapshot.
  mutating func fetchBegan(_ id: ObserverID) {
    if phases[id] != nil { phases[id] = .fetching(missed: TableSet()) }
  }

  /// The observer has read `region` from its snapshot; a fetch that failed counts as having read everything.
  mutating func fetchEnded(_ id: ObserverID, region: TableSet) {
    guard case .fetching(let missed) = phases[id] else { return }
    phases[id] = region.overlaps(missed) ? .due : .resting(region: region)
  }

  /// Whether the observer has to fetch.
  func isDue(_ id: ObserverID) -> Bool {
    if case .due = phases[id] { true } else { false }
  }
}
