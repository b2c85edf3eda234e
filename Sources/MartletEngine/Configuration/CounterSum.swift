import MartletValues

/// Counters of several databases as one: totals are added, and stay when a database is closed.
struct CounterSum {
  private var order: [String] = []
  private var values: [String: (value: Int64, kind: EngineCounter.Kind)] = [:]

  mutating func add(_ counters: [EngineCounter]) {
    for counter in counters {
      guard let known = values[counter.name] else {
        order.append(counter.name)
        values[counter.name] = (counter.value, counter.kind)
        continue
      }
      let value =
        counter.kind == .maximum ? max(known.value, counter.value) : known.value &+ counter.value
      values[counter.name] = (value, counter.kind)
    }
  }

  /// What remains of a database that is being closed.
  mutating func retire(_ counters: [EngineCounter]) { add(counters.filter { $0.kind == .total }) }

  var list: [(name: String, value: Int64)] { order.map { ($0, values[$0]?.value ?? 0) } }
}

/// A named number, and how those of several databases make one.
struct EngineCounter {
  enum Kind {
    /// Only grows; added.
    case total
    /// A number of the moment; added over the open databases.
    case gauge
    /// A number of the moment or since the start; the largest one counts.
    case maximum
  }

  let name: String
  let value: Int64
  let kind: Kind

  init(_ name: String, _ value: Int64, _ kind: Kind = .total) {
    self.name = name
    self.value = value
    self.kind = kind
  }

  init(_ name: String, _ value: UInt64) { self.init(name, Int64(clamping: value)) }
}
