internal import MartletEngine
internal import MartletLoop
internal import MartletProtocol
internal import MartletValues

/// The databases of a loop as its sessions and the server use them.
extension LoopShard {
  /// The database for one more session, if the loop has it open. Otherwise nil, and `databaseOpened` of the host
  /// follows.
  func openDatabase(
    named name: String, create: Bool, setup: DatabaseSetup, for host: SessionHost
  ) -> LoopDatabase? {
    let session = host.id
    return databases?.open(
      named: name, create: create, setup: setup, subject: host.session.subject,
      for: host.asker(deadline: host.session.openDue),
      isWanted: { [self] in hosts[session]?.session.isOpening ?? false },
      opened: { [self] result in hosts[session]?.databaseOpened(result) })
  }

  func release(_ database: LoopDatabase) { databases?.release(database) }

  func noteSnapshot(of database: LoopDatabase) { databases?.noteSnapshot(of: database) }

  /// A database is about to be closed and opened anew: the loop's readers of it close. Returns the setups for which the
  /// loop has it. From another thread; blocks.
  func detach(databaseNamed name: String) -> [DatabaseSetup] {
    guard let (setups, remains) = inquiry.ask({ [self] in databases?.detach(named: name) }) else { return [] }
    remains.close()
    return setups
  }

  private var inquiry: LoopInquiry { LoopInquiry(loop: loop) }

  /// When each database of the loop was used last that nobody uses now; nil for those that somebody uses. Nil in all
  /// if the loop does not say so in time. From another thread; blocks.
  func restingDatabases() -> [String: MonotonicTime?]? {
    let answer = inquiry.askBriefly { [self] () -> [String: MonotonicTime?]? in
      let busy = busyDatabases
      return databases?.resting { busy.contains(ObjectIdentifier($0)) }
    }
    switch answer {
    case .answered(let resting): return resting
    case .ended: return [:]
    case .silent: return nil
    }
  }

  /// Lets go of a database until one of its sessions uses it again. False if one does now; nil if the loop does
  /// not answer in time. From another thread; blocks.
  func sleep(databaseNamed name: String) -> Bool? {
    let answer = inquiry.askBriefly { [self] () -> DatabaseRemains?? in
      let busy = busyDatabases
      return databases.map { $0.sleep(named: name) { busy.contains(ObjectIdentifier($0)) } }
    }
    switch answer {
    case .answered(let remains):
      remains?.close()
      return remains != nil
    case .ended: return true
    case .silent: return nil
    }
  }

  /// The databases whose sessions have asked for something that has not ended.
  private var busyDatabases: Set<ObjectIdentifier> {
    Set(hosts.values.lazy.filter(\.usesDatabase).compactMap { $0.database.map { ObjectIdentifier($0) } })
  }

  /// Opens a database that sleeps. On the loop; `woken` as well.
  func wake(_ database: LoopDatabase, for host: SessionHost, woken: @escaping (RequestError?) -> Void) {
    databases?.wake(database, subject: host.session.subject, for: host.asker(), woken: woken)
  }

  func replaceReader(of database: LoopDatabase) { databases?.replaceReader(of: database) }

  func readerIsMissed(_ database: LoopDatabase, for host: SessionHost) {
    databases?.readerIsMissed(database, for: host.asker())
  }

  /// The loop's sessions of that name and setup go on with the database that was opened anew. From another thread;
  /// blocks.
  func reattach(_ database: Database) {
    inquiry.ask { [self] in databases?.reattach(database) }
  }

  /// The database is dropped or renamed: its sessions end with that sentence, and the loop's readers of it close. From
  /// another thread; blocks.
  func endSessions(ofDatabase name: String, because error: RequestError) {
    inquiry.ask { [self] in
      databases?.remove(named: name)
      for host in Array(hosts.values) { host.databaseEnded(named: name, because: error) }
    }
  }
}
