package import MartletValues

/// A database that a session has and does not use at this moment: its files may be closed meanwhile.
///
/// Always true: while it exists the name counts as in use, so that it is not renamed or dropped without notice.
package final class DatabaseNap: Sendable {
  package let name: String
  private let engine: Engine
  private let script: SetupScript
  /// What the setup takes meanwhile.
  private let place: SetupPlace?

  init(_ name: String, scope: SetupScope, engine: Engine) {
    self.name = name
    script = scope.script
    self.engine = engine
    place = scope.place?.another()
    engine.napBegan(name)
  }

  deinit { engine.napEnded(name) }

  /// Throws PERMISSION if the subject may not have it with its setup.
  package func check(_ subject: Subject) throws(RequestError) { try script.check(subject) }

  /// The database, opened if need be. Blocks. Throws as `Engine.database` does.
  package func wake(for subject: Subject) throws(RequestError) -> Database {
    try engine.database(named: name, create: false, setup: script.setup, subject: subject)
  }
}

extension Engine {
  /// For a holder that does not use the database now: it lets go of the database, and asks for it again through the
  /// nap. Nil if it has to stay open, since it is fenced, or is being renamed or dropped.
  package func nap(_ database: Database) -> DatabaseNap? {
    if database.isLeaving || database.isFenced { return nil }
    return DatabaseNap(database.name, scope: database.scope, engine: self)
  }

  func napBegan(_ name: String) { monitor.withLock { $0.naps[name, default: 0] += 1 } }

  func napEnded(_ name: String) {
    monitor.withLock { state in
      let left = (state.naps[name] ?? 1) - 1
      state.naps[name] = left > 0 ? left : nil
    }
  }

  /// Sets whom to ask if as many databases are open as may be, and each has a holder. `ask` makes the holders let go of
  /// one of these that nobody uses now, and that is in no steady use; it returns false if there is none. Called on a
  /// thread that opens a database.
  package func whenFull(_ ask: @escaping @Sendable (_ names: [String]) -> Bool) { monitor.withLock { $0.letGo = ask } }

  /// Closes databases until there is room for the one that is being opened. Each subject may have `databasesOpenMax`.
  /// The limit for all subjects together is higher, and its last places are for those that have next to none. Nobody
  /// takes the place of a subject that has fewer. A database that the program itself opened is nobody's, and gives way
  /// to anybody.
  func makeRoom(for subject: Subject) throws(RequestError) {
    let limits = configuration.limits
    let owner = subject.origin == .program ? nil : subject.share
    let most = owner == nil ? limits.databasesOpenMax : limits.databasesOpenTotalMax
    var isOverOwn = false
    for _ in 0..<EngineLimits.roomAttemptsMax {
      let (open, opening, letGo) = monitor.withLock { ($0.open, $0.entries.count - $0.open.count, $0.letGo) }
      let own = open.filter { $0.owner == owner }
      isOverOwn = own.count >= limits.databasesOpenMax
      let kept = owner == nil || own.count < limits.databasesOpenReserved ? 0 : limits.databasesOpenReserved
      if !isOverOwn, open.count + opening <= most - kept { return }
      let counts = Dictionary(open.map { ($0.owner, 1) }, uniquingKeysWith: +)
      let others = open.filter {
        $0.owner == nil || $0.owner == owner || owner == nil || counts[$0.owner, default: 0] > own.count
      }
      let among = isOverOwn ? own : others
      if closeOneIdle(among: among) { continue }
      guard let letGo, letGo(among.map(\.name)) else { break }
    }
    throw isOverOwn ? .tooManyOwnDatabases(limits.databasesOpenMax) : .tooManyDatabases(most)
  }
}
