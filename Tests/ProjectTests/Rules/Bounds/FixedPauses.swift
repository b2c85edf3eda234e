/// A test that pauses for a fixed time waits too long on a quick machine and not long enough on a busy one. It waits
/// for a condition: `waitUntil`, `suspendUntil`, `suspendUntilQuiet`, a signal.
///
/// Always true: the list is exact. A pause that has gone, and one more in a file that has some, are both told of.
import Foundation

enum FixedPauses {
  /// The pauses that stay, with their number and the reason.
  static let allowed: [(path: String, count: Int, because: String)] = [
    ("Tests/MartletTestSupport/Waiting.swift", 2, "between two looks at a condition"),
    ("Tests/MartletTestSupport/PowerLoss/RecordingDisk.swift", 1, "a disk whose syncs take as long as a test says"),
    ("Tests/MartletCommandTests/CommandLine/Martlet.swift", 1, "ends a program that hangs"),
    ("Tests/MartletCommandTests/CommandLine/Shell/PseudoTerminal.swift", 1, "ends a program that hangs"),
    (
      "Tests/MartletClientTests/Transactions/CountedStatementsTests.swift", 1, "a server that is slower than a deadline"
    ),
    ("Tests/MartletServerTests/Live/LateLoopTests.swift", 1, "a loop that is busy for longer than a limit"),
    ("Tests/MartletDatabaseTests/Remote/CancelStormTests.swift", 1, "a cancel at any moment"),
    ("Tests/EndToEndTests/Client/SentStatementsTests.swift", 1, "a cancel at any moment"),
    ("Tests/EndToEndTests/Client/ReturnedRowsTests.swift", 1, "a cancel at any moment"),
    ("Tests/EndToEndTests/Reliability/BankTests.swift", 1, "a cancel at any moment"),
    ("Tests/EndToEndTests/Reliability/Files/FileFaultEndToEndTests.swift", 1, "a file is away at any moment"),
    ("Tests/EndToEndTests/Reliability/Memory/MemoryStage.swift", 1, "the pace of a client that makes small requests"),
    ("Tests/EndToEndTests/Reliability/Storm/Attack.swift", 2, "a cancel at any moment; the pace of one who is refused"),
    ("Tests/EndToEndTests/Reliability/Storm/DiskProbe.swift", 1, "leaves the disk to the server meanwhile"),
  ]

  private static let hints = ["sleep", "asyncAfter"]
  private static let pause = "(^|[^.\\w])(usleep|nanosleep|sleep)\\(|\\b(Task|Thread)\\.sleep\\(|\\.asyncAfter\\("

  static let rule = LintRule(project: "a test waits for a condition") { files in
    files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }.compactMap { file in
      let found = file.lines.indices.filter { index in
        let line = file.lines[index]
        return hints.contains(where: line.contains) && !line.matches("^\\s*//") && line.matches(pause)
          && !file.path.hasPrefix("Tests/ProjectTests/")
      }
      let most = allowed.first { $0.path == file.path }?.count ?? 0
      if found.count == most { return nil }
      let places = found.map { "\($0 + 1)" }.joined(separator: ", ")
      return found.count < most
        ? "\(file.path): \(found.count) fixed pauses, fewer than \(most): lower the number"
        : "\(file.path): \(found.count) fixed pauses (lines \(places)), and \(most) may be: wait for a condition"
    }
  }
}
