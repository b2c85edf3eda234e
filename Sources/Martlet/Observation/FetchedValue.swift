import MartletDatabase
import Observation
import Synchronization

/// The value behind a property wrapper: loads it, follows the database, and tells `Observation` of changes.
///
/// Always true: what is shown came from the load that began last among those that have ended, or from a commit after
/// it. One task at most follows the database, and ends with this object.
final class FetchedValue<Value: Sendable>: Observable, Sendable {
  typealias Request = @Sendable (Database) throws -> Value

  /// What is fetched, and from where; nil for the default database.
  private struct Source: Sendable {
    var request: Request?
    var database: (any DatabaseReader)?
  }

  private struct State {
    var value: Value
    var error: (any Error)?
    /// What the load that is shown asked for; before there is one, what was declared.
    var shownSource: Source
    /// What the loads ask for that began later and have not ended, in their order.
    var laterSources: [(number: Int, source: Source)] = []
    /// Something was loaded, or is being loaded.
    var isStarted = false
    var loadsRunning = 0
    /// Loads are numbered as they begin: the last one, and the one that is shown.
    var lastLoad = 0
    var shownLoad = 0
    var follower: Task<Void, Never>?

    /// What a load fetches that says nothing of its own.
    var source: Source { laterSources.last?.source ?? shownSource }
  }

  /// A load that is under way, and then what follows it.
  private struct Load: Sendable {
    let number: Int
    let source: Source
    let request: Request
    let observer: DatabaseObserver
  }

  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()
  /// Looked up when it is needed, so that it may be prepared after this was declared.
  private let defaultDatabase = Dependency(\.defaultDatabase)

  /// Fetches nothing yet. Nil for `request`: there is nothing to fetch before something is loaded.
  init(_ value: Value, request: Request?, database: (any DatabaseReader)?) {
    state = Mutex(State(value: value, shownSource: Source(request: request, database: database)))
  }

  deinit { state.withLock { $0.follower }?.cancel() }

  // MARK: - What is shown

  var value: Value {
    start()
    registrar.access(self, keyPath: \.value)
    return state.withLock { $0.value }
  }

  var loadError: (any Error)? {
    start()
    registrar.access(self, keyPath: \.loadError)
    return state.withLock { $0.error }
  }

  var isLoading: Bool {
    start()
    registrar.access(self, keyPath: \.isLoading)
    return state.withLock { $0.loadsRunning > 0 }
  }

  // MARK: - Loading

  /// The first time that anybody looks: fetches at once if that takes no round trip, and otherwise in a task.
  private func start() {
    let isFirst = state.withLock { state in
      guard !state.isStarted, state.source.request != nil else { return false }
      state.isStarted = true
      return true
    }
    guard isFirst, let load = begin() else { return }
    if load.observer.isEmbedded {
      end(load, Result { try load.observer.fetch(load.request) })
    } else {
      Task { await run(load) }
    }
  }

  /// Fetches now and follows from then on; with a request or a database, those take the place of what was there. Throws
  /// what fetching throws, which is then in `loadError` too.
  func load(_ request: Request? = nil, from database: (any DatabaseReader)? = nil) async throws -> FetchSubscription {
    guard let load = begin(request, from: database) else { return FetchSubscription(follower: nil) }
    let (subscription, result) = await run(load)
    _ = try result.get()
    return subscription
  }

  @discardableResult
  private func run(_ load: Load) async -> (FetchSubscription, Result<Value, any Error>) {
    let result: Result<Value, any Error>
    do { result = .success(try await load.observer.fetch(load.request)) } catch { result = .failure(error) }
    return (FetchSubscription(follower: end(load, result)), result)
  }

  private func begin(_ request: Request? = nil, from database: (any DatabaseReader)? = nil) -> Load? {
    // Request and database are chosen together: another load may begin meanwhile, and brings both.
    let begun: (number: Int, source: Source, request: Request)? = state.withLock { state in
      guard let wanted = request ?? state.source.request else { return nil }
      let source = Source(request: wanted, database: database ?? state.source.database)
      state.lastLoad += 1
      state.loadsRunning += 1
      state.isStarted = true
      state.laterSources.append((state.lastLoad, source))
      return (state.lastLoad, source, wanted)
    }
    guard let begun else { return nil }
    // It observes from before the fetch, so that no commit comes between.
    let observer = DatabaseObserver(begun.source.database ?? defaultDatabase.wrappedValue)
    changed(\.isLoading)
    return Load(number: begun.number, source: begun.source, request: begun.request, observer: observer)
  }

  /// Shows the result, unless that of a later load is shown already, and follows the database from then on.
  @discardableResult
  private func end(_ load: Load, _ result: Result<Value, any Error>) -> Task<Void, Never>? {
    defer {
      state.withLock { $0.loadsRunning -= 1 }
      changed(\.isLoading)
    }
    if case .failure(let error) = result, error is CancellationError {
      forget(load)
      return nil
    }
    let isShown = state.withLock { state in
      guard load.number > state.shownLoad else { return false }
      state.shownLoad = load.number
      state.shownSource = load.source
      state.laterSources.removeAll { $0.number <= load.number }
      state.follower?.cancel()
      return true
    }
    guard isShown else { return nil }
    show(result, of: load)
    // Only now, so that nothing newer is shown before the result.
    let follower = follow(load)
    let isLast = state.withLock { state in
      if state.shownLoad == load.number { state.follower = follower }
      return state.shownLoad == load.number
    }
    if !isLast { follower.cancel() }
    return follower
  }

  /// As if the load had never been asked for, in whatever order those are cancelled that were.
  private func forget(_ load: Load) {
    state.withLock { state in
      state.laterSources.removeAll { $0.number == load.number }
      state.isStarted = state.shownLoad > 0 || !state.laterSources.isEmpty
    }
  }

  private func show(_ result: Result<Value, any Error>, of load: Load) {
    let outcome: (hasError: Bool, hadError: Bool)? = state.withLock { state in
      guard state.shownLoad == load.number else { return nil }
      let hadError = state.error != nil
      switch result {
      case .success(let value):
        state.value = value
        state.error = nil
      case .failure(let error): state.error = error
      }
      return (state.error != nil, hadError)
    }
    guard let outcome else { return }
    if !outcome.hasError { changed(\.value) }
    if outcome.hasError || outcome.hadError { changed(\.loadError) }
  }

  /// Tells of a change that has been made already. A thread that was told before the change would read the old value
  /// and not be told again.
  private func changed(_ path: KeyPath<FetchedValue, some Any>) {
    registrar.withMutation(of: self, keyPath: path) {}
  }

  // MARK: - Following

  private func follow(_ load: Load) -> Task<Void, Never> {
    Task { [weak self] in
      while await load.observer.change() {
        guard let self else { return }
        await self.fetchAgain(load)
      }
    }
  }

  private func fetchAgain(_ load: Load) async {
    do {
      let value = try await load.observer.fetch(load.request)
      if !Task.isCancelled { show(.success(value), of: load) }
    } catch {
      // A failure is not the end: the next commit tries again.
      if !Task.isCancelled { show(.failure(error), of: load) }
    }
  }
}
