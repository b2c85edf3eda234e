import Foundation
import Logging

/// Log lines as JSON, one object a line, for whoever collects logs.
///
/// Always true: a line is one write, so lines of several threads do not mix; `time`, `level` and `message` are always
/// there, and metadata stand beside them, under `metadata.NAME` if their name is one of those; a number stays a number.
struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  var metadataProvider: Logger.MetadataProvider?
  private let write: @Sendable ([UInt8]) -> Void

  init(level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) {
    logLevel = level
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    write(Self.line(time: Date(), level: event.level, message: "\(event.message)", metadata: all))
  }

  static func line(time: Date, level: Logger.Level, message: String, metadata: Logger.Metadata) -> [UInt8] {
    var line = "{\"time\":\"\(self.time(time))\",\"level\":\"\(level.rawValue)\",\"message\":"
    quote(message, into: &line)
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      line += ","
      quote(["time", "level", "message"].contains(key) ? "metadata." + key : key, into: &line)
      line += ":"
      write(value, into: &line)
    }
    return Array((line + "}\n").utf8)
  }

  private static func time(_ time: Date) -> String {
    time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }

  private static func write(_ value: Logger.Metadata.Value, into line: inout String) {
    switch value {
    case .string(let text): quote(text, into: &line)
    case .stringConvertible(let number as any BinaryInteger): line += "\(number)"
    case .stringConvertible(let value): quote("\(value)", into: &line)
    case .array(let values):
      line += "["
      for (index, value) in values.enumerated() {
        if index > 0 { line += "," }
        write(value, into: &line)
      }
      line += "]"
    case .dictionary(let values):
      line += "{"
      for (index, (key, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { line += "," }
        quote(key, into: &line)
        line += ":"
        write(value, into: &line)
      }
      line += "}"
    }
  }

  private static func quote(_ text: String, into line: inout String) {
    line += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": line += "\\\""
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case "\r": line += "\\r"
      case "\t": line += "\\t"
      case _ where ShownText.isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: line.unicodeScalars.append(scalar)
      }
    }
    line += "\""
  }
}
