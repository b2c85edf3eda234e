#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The shell's history in a file of its owner's.
///
/// Always true: a history that cannot be read or written costs the shell nothing but the history.
struct HistoryFile {
  private var history = History()
  private let path: String?

  /// `MARTLET_HISTORY` names the file; without it, `.martlet_history` in the home directory.
  init() {
    if let named = getenv("MARTLET_HISTORY") {
      path = String(cString: named)
    } else {
      path = getenv("HOME").map { String(cString: $0) + "/.martlet_history" }
    }
  }

  var lines: [String] { history.lines }

  mutating func load() {
    guard let path, let text = try? FileText.read(path) else { return }
    history = History(fileContents: text)
  }

  mutating func append(_ line: String) {
    let before = history.lines.count
    history.append(line)
    guard let path, history.lines.count != before || before == CommandLimits.historyLinesMax else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    try? StandardOutput.write(Array(history.fileContents.utf8), to: descriptor)
    close(descriptor)
  }
}
