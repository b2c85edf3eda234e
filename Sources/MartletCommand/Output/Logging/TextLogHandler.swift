import Logging

/// Log lines as text, for people and for journals that keep lines.
///
/// Always true: a line is one line, whatever a client has called something: what breaks lines or steers a terminal is
/// written as an escape.
struct TextLogHandler: LogHandler {
  private var inner: any LogHandler

  init(_ inner: any LogHandler) { self.inner = inner }

  var logLevel: Logger.Level {
    get { inner.logLevel }
    set { inner.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { inner.metadata }
    set { inner.metadata = newValue.mapValues(Self.escaped) }
  }

  var metadataProvider: Logger.MetadataProvider? {
    get { inner.metadataProvider }
    set { inner.metadataProvider = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { inner[metadataKey: key] }
    set { inner[metadataKey: key] = newValue.map(Self.escaped) }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = "\(CellText.escaped("\(event.message)"))"
    event.metadata = event.metadata?.mapValues(Self.escaped)
    inner.log(event: event)
  }

  private static func escaped(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
    switch value {
    case .string(let text): .string(CellText.escaped(text))
    case .stringConvertible(let value): .string(CellText.escaped("\(value)"))
    case .array(let values): .array(values.map(escaped))
    case .dictionary(let values):
      // Two keys may be one when they are escaped.
      .dictionary(Dictionary(values.map { (CellText.escaped($0.key), escaped($0.value)) }) { first, _ in first })
    }
  }
}
