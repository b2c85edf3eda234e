internal import Synchronization

/// Lets any thread end the requests of a session.
package final class RequestCanceller: Sendable {
  /// Each connection numbers its requests on its own.
  private struct Key: Hashable {
    let connection: ObjectIdentifier
    let id: UInt32

    init(_ request: InFlightRequest) {
      connection = ObjectIdentifier(request.connection)
      id = request.id
    }
  }

  private struct State {
    var isCancelled = false
    var requests: [Key: InFlightRequest] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock(\.isCancelled) }

  package func cancel() {
    let requests = state.withLock { state in
      state.isCancelled = true
      return Array(state.requests.values)
    }
    for request in requests { request.cancel() }
  }

  /// Ends the requests that are on their way; those that come later run.
  package func interrupt() {
    let requests = state.withLock { Array($0.requests.values) }
    for request in requests { request.cancel() }
  }

  func add(_ request: InFlightRequest) {
    let isCancelled = state.withLock { state in
      state.requests[Key(request)] = request
      return state.isCancelled
    }
    if isCancelled { request.cancel() }
  }

  func remove(_ request: InFlightRequest) { state.withLock { _ = $0.requests.removeValue(forKey: Key(request)) } }

  /// How many requests it would end now.
  var count: Int { state.withLock { $0.requests.count } }
}
