internal import MartletProtocol
internal import MartletValues

/// Who a session is for: asked at its hello, and again when the operator has changed who may do what.
///
/// Always true: nobody learns why it was refused, nor sooner for one cause than for another; what it has shown of
/// itself is not kept here.
extension Session {
  mutating func identify(
    _ hello: ClientMessage.Hello, id: UInt32, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    guard mustIdentify || !hello.credential.isEmpty else { return goOn(after: hello, id: id, &actions) }
    var hello = hello
    let credential = hello.credential
    hello.credential = ""
    phase = .identifying(hello, helloID: id)
    actions.append(.identify(credential: credential))
  }

  /// The database of the hello that is asked about, or that was taken; empty if there is none.
  var wantedDatabase: String { if case .identifying(let hello, _) = phase { hello.database } else { database } }

  /// The client that says the hello is known. `ends`: when what it has shown of itself ends.
  mutating func identified(_ subject: Subject, ends: MonotonicTime?, _ actions: inout [SessionAction]) {
    defer { invariant() }
    guard case .identifying(let hello, let id) = phase else { return }
    self.subject = subject
    identityEnds = ends
    goOn(after: hello, id: id, &actions)
  }

  /// The client that says the hello is not known here, and is told so at `time`.
  mutating func identityRefused(saidAt time: MonotonicTime) {
    defer { invariant() }
    guard case .identifying(_, let id) = phase else { return }
    // The socket is still read, so that a peer that hangs up takes no place.
    phase = .refusing(helloID: id, at: time)
  }

  /// The client that says the hello is known, and has as many connections as an operator's quota allows: it is told so.
  mutating func connectionRefused(_ error: RequestError, now: MonotonicTime, _ actions: inout [SessionAction]) {
    defer { invariant() }
    guard case .identifying(_, let id) = phase else { return }
    refuse(error, to: id, reason: .quotaExceeded, now: now, &actions)
  }

  /// The hello was taken, and the session's end has not begun.
  var hasSaidHello: Bool {
    switch phase {
    case .awaitingSetup, .opening, .open: true
    case .awaitingHello, .identifying, .refusing, .draining, .lingering, .closed: false
    }
  }

  /// The operator has changed what it may do, from the next request on.
  mutating func permissionsChanged(_ subject: Subject, ends: MonotonicTime?) {
    self.subject = subject
    identityEnds = ends
  }

  /// The operator does not know it any more, or takes its database from it.
  mutating func identityRevoked(
    _ cause: DrainCause = .identityEnded, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    defer { invariant() }
    switch phase {
    case .open: drain(cause, now: now, &actions)
    case .awaitingSetup, .identifying, .opening:
      // As a hello that comes now is refused.
      if cause == .databaseTaken {
        return refuse(.databaseNotForRole, to: 0, reason: .refused, now: now, &actions)
      }
      refuse(.unknownIdentity, to: 0, reason: .unidentified, now: now, &actions)
    case .awaitingHello, .refusing, .draining, .lingering, .closed: break
    }
  }
}

/// Why a session takes nothing new.
enum DrainCause: Sendable, Equatable {
  case shutdown
  /// What the client had shown of itself is not valid any more.
  case identityEnded
  /// The client is known, and may not open the session's database any more, or not have its setup.
  case databaseTaken

  var sentence: String { error.message }

  var error: RequestError {
    switch self {
    case .shutdown: .shuttingDown
    case .identityEnded: .identityEnded
    case .databaseTaken: .databaseTaken
    }
  }

  var closeReason: CloseReason {
    switch self {
    case .shutdown: .shuttingDown
    case .identityEnded: .identityEnded
    case .databaseTaken: .databaseTaken
    }
  }
}
