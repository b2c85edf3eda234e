internal import Foundation
internal import MartletEngine
internal import MartletValues
internal import Synchronization

/// Carries out what a client asks of the directory's databases, on threads that no loop waits for.
///
/// Always true: one change is made at a time; whoever had a database open that goes or gets another name was told so
/// before its files changed.
final class Administrator: Sendable {
  private let isChanging = Atomic<Bool>(false)
  /// Lists are made one after the other, however many are asked for.
  private let lists = DispatchQueue(label: "martlet-list")

  /// How many databases one answer lists.
  static let listMax = 1_000

  /// Answers soon, on any thread.
  func run(
    _ task: Administration, of engine: Engine, on loops: LoopSet, isListed: @escaping @Sendable (String) -> Bool,
    answer: @escaping @Sendable (Result<DatabaseList?, RequestError>) -> Void
  ) {
    if case .list(let name) = task {
      return lists.async {
        answer(Result { () throws(RequestError) in try Self.list(after: name, isListed, of: engine, on: loops) })
      }
    }
    let isFree = isChanging.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    guard isFree else { return answer(.failure(Self.busy)) }
    Thread.detachNewThread { [self] in
      let result: Result<DatabaseList?, RequestError>
      do throws(RequestError) {
        try Self.change(task, of: engine, on: loops)
        result = .success(nil)
      } catch {
        result = .failure(error)
      }
      isChanging.store(false, ordering: .releasing)
      answer(result)
    }
  }

  private static func list(
    after name: String, _ isListed: (String) -> Bool, of engine: Engine, on loops: LoopSet
  ) throws(RequestError) -> DatabaseList? {
    var list = try engine.databases(after: name, limit: listMax, where: isListed)
    let sessions = loops.sessionsByDatabase
    for index in list.entries.indices { list.entries[index].sessions = sessions[list.entries[index].name] ?? 0 }
    return list
  }

  private static func change(
    _ task: Administration, of engine: Engine, on loops: LoopSet
  ) throws(RequestError) {
    switch task {
    case .list: break
    case .create(let name): try engine.createDatabase(named: name)
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

  private static let busy = RequestError(
    .unavailable, .overloaded, "Another database is being made, renamed or dropped: try again when that is done.",
    isRetryable: true)
}

extension RequestError {
  /// `name` was valid, or nobody would have it open.
  static func dropped(_ name: String) -> RequestError {
    RequestError(
      .aborted, .unknownDatabase, "The database \(name) was dropped by its operator, and this connection ended with it."
    )
  }

  static func renamed(_ name: String, _ newName: String) -> RequestError {
    RequestError(
      .aborted, .unknownDatabase,
      "The database \(name) is called \(newName) now, so this connection ended: connect to that.")
  }
}
