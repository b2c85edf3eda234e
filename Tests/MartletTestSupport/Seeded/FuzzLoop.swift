/// A seeded loop over hostile inputs, which says what it did and what the process has grown by.
///
/// Always true: it makes as many rounds as the test says, or goes on for MARTLET_FUZZ_SECONDS; MARTLET_SEED is where
/// the seeds begin, so that a round can be made again alone.
import Foundation

package struct FuzzLoop {
  /// What came of a loop.
  package struct Report: Sendable {
    package var rounds = 0
    /// After the first rounds, in which caches fill; nil if the system does not tell.
    package var before: ProcessSize?
    package var after: ProcessSize?

    /// By so much more memory is resident; 0 if nobody can tell.
    package var growthBytes: Int { (after?.residentBytes ?? 0) - (before?.residentBytes ?? 0) }
    package var moreDescriptors: Int { (after?.descriptors ?? 0) - (before?.descriptors ?? 0) }
  }

  private let name: String
  private let rounds: Int

  package init(_ name: String, rounds: Int) {
    self.name = name
    self.rounds = rounds
  }

  /// `body` gets the number of the round and a generator that depends on it alone.
  package func run(_ body: (_ round: Int, _ random: inout SeededGenerator) throws -> Void) rethrows -> Report {
    let seconds = scale("MARTLET_FUZZ_SECONDS", otherwise: 0)
    let first = scale("MARTLET_SEED", otherwise: 0)
    let end = ContinuousClock.now + .seconds(seconds)
    var report = Report()
    while seconds > 0 ? ContinuousClock.now < end : report.rounds < rounds {
      if report.rounds == max(1, rounds / 2) { report.before = ProcessSize.now }
      var random = SeededGenerator(seed: UInt64(first + report.rounds))
      try body(first + report.rounds, &random)
      report.rounds += 1
    }
    report.after = ProcessSize.now
    let sizes = [report.before, report.after].map { $0.map { "\($0)" } ?? "unknown" }
    print("fuzz \(name): \(report.rounds) rounds; \(sizes[0]), then \(sizes[1])")
    return report
  }
}

/// What a process holds.
package struct ProcessSize: Sendable, CustomStringConvertible {
  package var residentBytes: Int
  package var descriptors: Int

  package var description: String { "\(residentBytes >> 20) MiB and \(descriptors) descriptors" }

  /// How many sockets this process has open; 0 if there is no /proc.
  package static var sockets: Int {
    let folder = "/proc/self/fd"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.count { file in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(file)"))?.hasPrefix("socket:") == true
    }
  }

  /// This process's; nil if there is no /proc.
  package static var now: ProcessSize? {
    guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = statm.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    else { return nil }
    return ProcessSize(residentBytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))), descriptors: files.count)
  }
}
