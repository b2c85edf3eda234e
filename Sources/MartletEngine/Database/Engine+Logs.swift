import MartletValues

/// The logs of databases that nobody opened since a server was killed: at a proper end they go into the files.
///
/// Always true: used when every database is closed and none is opened any more, with the directory held. A log that
/// cannot be copied stays as it is, and is told.
extension Engine {
  /// Copies the logs of all databases but the `fenced` ones into their files. None is begun after `deadline`.
  func copyLogs(in directory: DataDirectory, until deadline: MonotonicTime, fenced: Set<String>) {
    guard directory.isThere, let names = try? Self.names(in: directory.path) else { return }
    var late: [String] = []
    for name in names.sorted() where DatabaseFiles.hasLog(name, in: directory) {
      if fenced.contains(name) {
        tellLog(of: name, "it is fenced")
      } else if configuration.clock() >= deadline {
        late.append(name)
      } else if let failure = copyLog(of: name, in: directory) {
        tellLog(of: name, failure)
      }
    }
    if let first = late.first { tellLog(of: first, "there was no time for it and \(late.count - 1) others") }
  }

  /// Nil if the log is in the file now, and why not otherwise.
  private func copyLog(of name: String, in directory: DataDirectory) -> String? {
    do throws(RequestError) {
      let files = try DatabaseFiles(name: name, in: directory, create: false)
      defer { files.release() }
      try files.checkNobodyElse()
      try files.copyLog(limits: configuration.limits, clock: configuration.clock)
      return DatabaseFiles.hasLog(name, in: directory) ? "another program uses it" : nil
    } catch {
      return error.message.last == "." ? String(error.message.dropLast()) : error.message
    }
  }

  private func tellLog(of name: String, _ reason: String) {
    configuration.report(
      EngineNotice(
        .warning, database: name,
        "The database's log is not in its file, so a copy of the file needs the -wal beside it: \(reason)"))
  }
}
