internal import MartletEngine
internal import MartletValues

/// Carries out what a client asks of the directory's databases, on threads that no loop waits for.
///
/// Always true: the changes of one session are made one after another, in its order, while those of others go on; the
/// askers' shares decide who is next. Sessions that have a database open are told that it is dropped or renamed before
/// its files change.
final class Administrator: Sendable {
  private let changes = FairWorker(label: "martlet-change", WorkLimits.changes)
  private let lists = FairWorker(label: "martlet-list")

  /// Answers soon, on any thread.
  func run(
    _ task: Administration, of subject: Subject, for asker: Asker, on engine: Engine, _ loops: LoopSet,
    isListed: @escaping @Sendable (String) -> Bool,
    answer: @escaping @Sendable (Result<DatabaseList?, RequestError>) -> Void
  ) {
    if case .list(let name) = task {
      lists.submit(for: asker, refuse: { answer(.failure($0)) }) {
        answer(Result { () throws(RequestError) in try Self.list(after: name, isListed, of: engine, on: loops) })
      }
    } else {
      let session = "\(asker.share.subject)/\(asker.share.session)"
      changes.submit(for: asker, topic: session, refuse: { answer(.failure($0)) }) {
        answer(
          Result { () throws(RequestError) in
            try Self.change(task, of: subject, on: engine, loops)
            return nil
          })
      }
    }
  }

  private static func list(
    after name: String, _ isListed: (String) -> Bool, of engine: Engine, on loops: LoopSet
  ) throws(RequestError) -> DatabaseList? {
    var list = try engine.databases(after: name, limit: WorkLimits.listedMax, where: isListed)
    let sessions = loops.sessionsByDatabase
    for index in list.entries.indices { list.entries[index].sessions = sessions[list.entries[index].name] ?? 0 }
    return list
  }

  private static func change(
    _ task: Administration, of subject: Subject, on engine: Engine, _ loops: LoopSet
  ) throws(RequestError) {
    switch task {
    case .list: break
    case .create(let name): try engine.createDatabase(named: name, subject: subject)
    case .rename(let name, let newName, let endsSessions):
      try engine.renameDatabase(
        named: name, to: newName,
        endSessions: endsSessions ? { loops.endSessions(ofDatabase: name, because: .renamed(name, newName)) } : nil)
    case .drop(let name, let endsSessions):
      try engine.dropDatabase(
        named: name,
        endSessions: endsSessions ? { loops.endSessions(ofDatabase: name, because: .dropped(name)) } : nil)
    }
  }
}
