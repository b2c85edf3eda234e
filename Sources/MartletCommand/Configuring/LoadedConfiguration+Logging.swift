import Logging
import MartletServer

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the server's log goes.
extension LoadedConfiguration {
  /// To standard error, as the configuration says; once in a process. A logger that was made before logs otherwise.
  /// Returns what writes the lines: whoever ends the process flushes it.
  mutating func startLogging() -> LogOutput {
    let (level, format) = (logLevel, logFormat)
    let output = LogOutput(descriptor: STDERR_FILENO) { leftOut in
      // Not below the level from which on lines are written.
      Logger(label: "martlet").log(
        level: max(level, .warning), "Lines of the log were left out, because they could not be written in time",
        metadata: ["lines": .stringConvertible(leftOut)])
    }
    LoggingSystem.bootstrap { label -> any LogHandler in
      if format == .json { return JSONLogHandler(level: level) { output.write($0) } }
      var handler = TextLogHandler(StreamLogHandler(label: label, stream: LogOutput.Stream(output: output)))
      handler.logLevel = level
      return handler
    }
    server.logger = Logger(label: "martlet")
    return output
  }

  func logWarnings() {
    for warning in warnings { server.logger.warning("\(warning.text(file: file ?? ""))") }
  }
}
