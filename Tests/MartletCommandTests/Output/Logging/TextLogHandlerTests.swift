/// The server's log as text: one line for each event, whatever somebody is called.
import Logging
import Synchronization
import Testing

@testable import MartletCommand

struct TextLogHandlerTests {
  /// Keeps what a handler would have written.
  private final class Written: Sendable {
    private let kept = Mutex<[String]>([])

    var texts: [String] { kept.withLock { $0 } }

    func add(_ text: String) { kept.withLock { $0.append(text) } }
  }

  private struct Inner: LogHandler {
    let written: Written
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      written.add("\(event.message) \(metadata.merging(event.metadata ?? [:]) { $1 })")
    }
  }

  private static let hostile = "a\nb\rc\u{1B}[31md\u{202E}e\u{2028}f\u{9B}g\u{7}h"

  @Test func `two keys that are one when they are escaped do not end the program`() {
    let written = Written()
    let logger = Logger(label: "test") { _ in TextLogHandler(Inner(written: written)) }
    logger.notice("m", metadata: ["a": ["\n": "1", "\\n": "2"]])
    #expect(written.texts.count == 1)
  }

  @Test func `a message, a value and a value of a value are one line each`() {
    let written = Written()
    var logger = Logger(label: "test") { _ in TextLogHandler(Inner(written: written)) }
    logger[metadataKey: "kept"] = "\(Self.hostile)"
    logger.notice(
      "\(Self.hostile)",
      metadata: [
        "text": "\(Self.hostile)", "list": ["\(Self.hostile)"], "table": ["key": "\(Self.hostile)"],
        "number": .stringConvertible(Self.hostile),
      ])
    #expect(written.texts.count == 1)
    for text in written.texts {
      #expect(text.contains("a\\nb\\rc\\u{1b}[31md") && !text.contains("\u{202E}"), "\(text)")
      #expect(!text.unicodeScalars.contains { [.control, .lineSeparator].contains($0.properties.generalCategory) })
    }
  }

  @Test func `levels and what a logger keeps are those of the handler inside`() {
    let written = Written()
    var handler = TextLogHandler(Inner(written: written))
    handler.logLevel = .error
    handler.metadata = ["a": "b"]
    #expect(handler.logLevel == .error && handler[metadataKey: "a"] == "b")
    handler[metadataKey: "a"] = nil
    #expect(handler.metadata.isEmpty)
  }
}
