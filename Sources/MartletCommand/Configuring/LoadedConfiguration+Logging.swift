import Logging
import MartletServer

/// Where the server's log goes.
extension LoadedConfiguration {
  /// To standard error, as the configuration says; once in a process. A logger that was made before logs otherwise.
  mutating func startLogging() {
    let (level, format) = (logLevel, logFormat)
    LoggingSystem.bootstrap { label -> any LogHandler in
      if format == .json { return JSONLogHandler(level: level) }
      var handler = TextLogHandler(StreamLogHandler.standardError(label: label))
      handler.logLevel = level
      return handler
    }
    server.logger = Logger(label: "martlet")
  }

  func logWarnings() {
    for warning in warnings { server.logger.warning("\(warning.text(file: file ?? ""))") }
  }
}
