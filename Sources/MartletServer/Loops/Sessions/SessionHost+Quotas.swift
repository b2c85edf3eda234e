internal import MartletProtocol
internal import MartletValues

/// What a session uses of its subject's and its role's quotas, told to the ledger of all loops.
///
/// Always true: what the ledger has of the session is `place` and `countedInFlight`, and both go when the session
/// does; a session whose role bounds none of this never comes here.
extension SessionHost {
  private var desk: QuotaDesk { shard.context.quotas }

  // MARK: The connection

  /// Counts one more connection of the client that says the hello. Returns the error of the quota that it would exceed.
  func takePlace(for identity: Identity, now: MonotonicTime) -> RequestError? {
    // A hello after another one whose database was refused.
    leavePlace(now: now)
    guard let place = identity.quotaPlace else { return nil }
    if let error = desk.enter(place, now: now) { return error }
    self.place = place
    return nil
  }

  /// A reload may have changed role and quotas.
  func movePlace(to identity: Identity, now: MonotonicTime) {
    let next = identity.quotaPlace
    guard next != place else { return }
    let inFlight = next?.countsInFlight == true ? session.requests.count : 0
    desk.move(from: place, inFlight: countedInFlight, to: next, inFlight: inFlight, now: now)
    (place, countedInFlight) = (next, inFlight)
  }

  func leavePlace(now: MonotonicTime) {
    guard let left = place else { return }
    desk.leave(left, inFlight: countedInFlight, now: now)
    place = nil
    countedInFlight = 0
  }

  // MARK: Requests

  /// The quota that this message would exceed. A request that is let in is in flight from here on.
  func quotaExceeded(by message: ClientMessage, now: MonotonicTime) -> RequestError? {
    guard let place, place.countsRequests, session.takesRequests, case .request(let request) = message.kind else {
      return nil
    }
    let inFlight = place.countsInFlight && !request.isPing ? 1 : 0
    // A client that may not end a transaction would hold what others wait for.
    let error = desk.arrive(
      place, tokens: request.tokens, inFlight: inFlight, mustPass: endsTransaction(request), now: now)
    if error == nil { countedInFlight += inFlight }
    return error
  }

  /// Whether the request ends a transaction that is open. Ends of others count, because one could send any number.
  private func endsTransaction(_ request: ClientMessage.Request) -> Bool {
    if case .finish(let transaction, _, _) = request {
      session.transactions.state(of: transaction) == .open
    } else {
      false
    }
  }

  /// Requests have begun or ended: the ledger has as many as the session.
  func noteInFlight() {
    guard let place, place.countsInFlight else { return }
    let count = session.requests.count
    guard count != countedInFlight else { return }
    desk.changeInFlight(place, by: count - countedInFlight)
    countedInFlight = count
  }
}

extension Identity {
  fileprivate var quotaPlace: QuotaPlace? {
    role.flatMap { QuotaPlace(subject: subject.share, role: $0.name, $0.quotas) }
  }
}

extension ClientMessage.Request {
  fileprivate var isPing: Bool { if case .ping = self { true } else { false } }

  /// A batch costs what its steps would if each were sent alone.
  fileprivate var tokens: Int { if case .batch(let batch) = self { max(1, batch.steps.count) } else { 1 } }
}
