/// Which threads have not come back for too long, and which have come back since: the rules of the watchdog.
///
/// Always true: each is told of once when it is found, and once when it is back.
struct StuckThreads {
  /// A thread in what it does now.
  struct Subject: Hashable {
    /// `loop.0`, `reader` or `writer`.
    var thread: String
    /// Another number for each statement, if they are told apart.
    var id: UInt64
  }

  enum Finding: Equatable {
    case stuck(Subject, ms: Int)
    case back(Subject, ms: Int)
  }

  private var known: [Subject: Int] = [:]

  var count: Int { known.count }
  var subjects: [Subject] { known.keys.sorted { ($0.thread, $0.id) < ($1.thread, $1.id) } }

  /// Notes the threads that are overdue now, with by how many milliseconds; returns what has changed.
  mutating func looked(at overdue: [Subject: Int]) -> [Finding] {
    var findings: [Finding] = []
    for (subject, ms) in known where overdue[subject] == nil { findings.append(.back(subject, ms: ms)) }
    for (subject, ms) in overdue where known[subject] == nil { findings.append(.stuck(subject, ms: ms)) }
    known = overdue
    return findings
  }
}
