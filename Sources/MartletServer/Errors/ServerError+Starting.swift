import MartletLoop

/// Why a server with these settings cannot start on this system.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do.
extension ServerError {
  static func unfitLimits(_ contradiction: String) -> ServerError {
    ServerError("The limits do not fit: \(contradiction).")
  }

  static func cannotListen(at address: String, _ error: LoopError) -> ServerError {
    error.isAddressInUse
      ? ServerError(
        "The server cannot listen at \(address): another program listens there, maybe another Martlet server. Stop it, "
          + "or choose another address.")
      : ServerError("The server cannot listen at \(address) (\(error)). Choose another address.")
  }

  static func socketFolderMissing(_ path: String, folder: String) -> ServerError {
    ServerError("The server cannot listen at \(path): there is no folder \(folder). Make it, or choose another path.")
  }

  static func cannotWatch(signal: Int32, _ error: LoopError) -> ServerError {
    ServerError("The signal \(signal) cannot be watched (\(error)).")
  }

  static let stoppedWhileStarting = ServerError("The server was stopped while it started.")

  /// `lack`: what there is no thread for, in the system's words if it has any.
  static func tooFewThreads(_ lack: String) -> ServerError {
    ServerError(
      "The system has too few threads for the server (\(lack)). Raise the limit on tasks (`ulimit -u`, TasksMax of "
        + "the unit, the container's limit on processes), or that on addresses (`ulimit -v`).")
  }

  static func tooFewOpenFiles(granted: Int, least: Int) -> ServerError {
    ServerError(
      "The system allows \(granted) open files, and this server needs at least \(least). Raise the limit with "
        + "`ulimit -n`, or LimitNOFILE of its unit.")
  }

  /// - Parameter number: counted from 1.
  static func cannotStartLoop(_ number: Int, of count: Int, _ error: LoopError) -> ServerError {
    ServerError(
      "Event loop \(number) of \(count) cannot start (\(error)). Raise the system's limit, or use fewer loops.")
  }

  /// - Parameter fault: what an address lacks that other machines reach, as a sentence without its full stop.
  static func unsafeAddress(_ fault: String, advice: String) -> ServerError { ServerError("\(fault). \(advice)") }

  static let startedAlready = ServerError("A server starts once. Make another one.")

  static func cannotWriteReadyFile(_ path: String) -> ServerError {
    ServerError("The ready file \(path) cannot be written. Choose another path.")
  }
}
