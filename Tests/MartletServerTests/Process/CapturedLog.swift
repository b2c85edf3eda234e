/// What a server logs, for a test that looks at it.
import Logging
import Synchronization

final class CapturedLog: Sendable {
  struct Line: Sendable {
    var message: String
    var metadata: Logger.Metadata
  }

  private let captured = Mutex<[Line]>([])

  private struct Handler: LogHandler {
    let log: CapturedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.captured.withLock { $0.append(Line(message: "\(event.message)", metadata: event.metadata ?? [:])) }
    }
  }

  /// In the order in which they came.
  var lines: [Line] { captured.withLock { $0 } }

  /// All of it, for a test that looks for what must not be there.
  var text: String { lines.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n") }

  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}
