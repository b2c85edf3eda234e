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
    /// What ends the waits that come before a request is on its way.
    var waits: [UInt64: @Sendable () -> Void] = [:]
    var nextWait: UInt64 = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock(\.isCancelled) }

  package func cancel() {
    state.withLock { $0.isCancelled = true }
    interrupt()
  }

  /// Ends the requests that are on their way, or wait to be; those that come later run.
  package func interrupt() {
    let (requests, waits) = state.withLock { (Array($0.requests.values), Array($0.waits.values)) }
    for request in requests { request.cancel() }
    for end in waits { end() }
  }

  /// `end` is called if somebody cancels before `remove` is called with the number that this returns.
  func add(_ end: @escaping @Sendable () -> Void) -> UInt64 {
    let (number, isCancelled) = state.withLock { state in
      state.nextWait &+= 1
      state.waits[state.nextWait] = end
      return (state.nextWait, state.isCancelled)
    }
    if isCancelled { end() }
    return number
  }

  func remove(_ wait: UInt64) { state.withLock { _ = $0.waits.removeValue(forKey: wait) } }

  func add(_ request: InFlightRequest) {
    let isCancelled = state.withLock { state in
      state.requests[Key(request)] = request
      return state.isCancelled
    }
    if isCancelled { request.cancel() }
  }

  func remove(_ request: InFlightRequest) { state.withLock { _ = $0.requests.removeValue(forKey: Key(request)) } }

  /// How many requests it would end now.
  var count: Int { state.withLock { $0.requests.count + $0.waits.count } }
}
