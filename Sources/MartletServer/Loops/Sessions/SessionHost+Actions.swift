internal import MartletEngine
internal import MartletProtocol
internal import MartletValues
internal import MartletWire

/// The single actions of a session, as `SessionHost.perform` calls them: what is forgotten, opened and closed.
///
/// Always true: a request is kept until the session forgets it.
extension SessionHost {
  func forget(_ request: UInt32, now: MonotonicTime) {
    guard let started = executions.removeValue(forKey: request) else { return }
    requestBytes -= started.bytes
    guard let ending, ending.request == request else { return started.execution.abandon() }
    noteEnd(of: started, error: ending.error, now: now)
    // The engine has nothing left of a write that it has answered.
    if !started.execution.isWrite { started.execution.abandon() }
  }

  func openDatabase(_ name: String, create: Bool, setup: DatabaseSetup) {
    do throws(RequestError) { try identity?.check(mayOpen: [name]) } catch {
      return refuseDatabase(error)
    }
    guard let open = shard.openDatabase(named: name, create: create, setup: setup, for: self) else { return }
    database = open
    opened()
    session.databaseOpened(&actions)
  }

  private func refuseDatabase(_ error: RequestError) {
    auditRefused(error.reason.rawValue)
    session.databaseRefused(error, &actions)
  }

  /// The database that was being opened on another thread is open, or is not.
  func databaseOpened(_ result: Result<LoopDatabase, RequestError>) {
    let now = ServerClock.now
    guard session.isOpening else {
      if case .success(let open) = result { shard.release(open) }
      return
    }
    switch result {
    case .failure(let error): refuseDatabase(error)
    case .success(let open):
      do throws(RequestError) {
        // Rights that the setup needs may have been taken away while the database was being opened.
        try open.check(session.subject)
      } catch {
        shard.release(open)
        refuseDatabase(error)
        break
      }
      database = open
      opened()
      if open.database?.takeNews() == true { tellOfNewDatabase(now: now) }
      session.databaseOpened(&actions)
    }
    perform(now: now)
    goOn(now: now)
  }

  // MARK: Sleep

  /// Something that the session asked for has not ended.
  var usesDatabase: Bool { !executions.isEmpty || !transactions.isEmpty || isWaking }

  func wake(_ database: LoopDatabase) {
    isWaking = true
    transport.pauseReading(of: self)
    shard.wake(database, for: self) { [weak self] error in self?.woken(error) }
  }

  private func woken(_ error: RequestError?) {
    isWaking = false
    guard closeReason == nil else { return }
    let now = ServerClock.now
    if let error, !error.isRetryable {
      session.databaseEnded(error, now: now, &actions)
      perform(now: now)
      return flush(now: now)
    }
    if session.takesFrames { transport.resumeReading(of: self) }
    // What has come by now is refused, and what comes later asks again.
    wakeRefusal = error
    goOn(now: now)
    wakeRefusal = nil
  }

  /// Lets go of everything; nothing comes after it.
  func finish(_ reason: CloseReason) {
    guard closeReason == nil else { return }
    closeReason = reason
    presence.leave()
    auditEnded(reason)
    for started in executions.values { started.execution.abandon() }
    for transaction in transactions.values { transaction.abandon() }
    executions = [:]
    transactions = [:]
    account.close()
    leavePlace(now: ServerClock.now)
    if let database { shard.release(database) }
    database = nil
    shard.closed(self, reason: reason)
  }
}
