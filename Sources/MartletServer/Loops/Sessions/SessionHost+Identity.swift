internal import Foundation
internal import Logging
internal import MartletEngine
internal import MartletValues

/// Who the session is for, as the operator's rules say.
///
/// Always true: what was shown is not kept; the log says why somebody was refused, and the answer does not.
extension SessionHost {
  func identify(_ credential: String, now: MonotonicTime) {
    let authenticator = shard.context.authenticator
    let origin = session.subject.origin
    var proof = Proof(origin: origin, credential: credential)
    proof.certificate = transport.certificate(of: self)
    let fault: IdentityFault
    do throws(IdentityFault) {
      let identity = try authenticator.identify(proof)
      self.identity = identity
      if let error = takePlace(for: identity, now: now) {
        shard.context.logger.debug("A connection is refused by a quota", metadata: metadata)
        auditRefused(error.reason.rawValue)
        return session.connectionRefused(error, now: now, &actions)
      }
      return session.identified(
        identity.subject(in: session.wantedDatabase), ends: end(of: identity, now: now), &actions)
    } catch {
      fault = error
    }
    shard.counters.identitiesRefused.add()
    let shown = proof.shown
    shard.context.notices.note(
      .unknownIdentity, now: now, metadata.merging(["shown": "\(shown)", "reason": "\(fault)"]) { $1 })
    auditRefused(RequestError.Reason.unauthenticated.rawValue, shown: shown)
    session.identityRefused(saidAt: authenticator.refused(session.subject.originShare, now: now))
  }

  /// The rules have changed: what the session is allowed changes with them, or it ends.
  func identifyAgain() {
    session.mustIdentify = shard.context.authenticator.mustIdentify
    guard session.hasSaidHello else { return }
    // There were no roles when it said hello, so it has shown nothing but where it comes from.
    let identity =
      identity ?? Identity(subject: session.subject, role: nil, evidence: .origin, name: "", ends: nil)
    let now = ServerClock.now
    guard let same = shard.context.authenticator.identity(again: identity) else {
      return end(.identityEnded, noting: .identityEnded, now: now)
    }
    guard session.database.isEmpty || same.mayOpen(session.database),
      database?.isOpen(to: same.subject(in: session.database)) ?? true
    else { return end(.databaseTaken, noting: .databaseTaken, now: now) }
    self.identity = same
    auditParty = nil
    movePlace(to: same, now: now)
    session.permissionsChanged(same.subject(in: session.database), ends: end(of: same, now: now))
  }

  private func end(_ cause: DrainCause, noting kind: ClientNotices.Kind, now: MonotonicTime) {
    shard.context.notices.note(kind, now: now, metadata)
    session.identityRevoked(cause, now: now, &actions)
    perform(now: now)
    flush(now: now)
  }

  /// On the clock that sessions know. At most a year from now: the clock of the wall may be set meanwhile.
  private func end(of identity: Identity, now: MonotonicTime) -> MonotonicTime? {
    guard let ends = identity.ends else { return nil }
    let seconds = min(max(0, ends.timeIntervalSinceNow), TimeInterval(AccessLimits.identitySecondsMax))
    return now.advanced(milliseconds: Int(seconds * 1_000))
  }
}
