internal import Foundation
internal import MartletLoop
internal import MartletTLS
internal import MartletValues
internal import Synchronization

/// Says who asks, for all loops: the rules and the certificate that are in force, and who was refused lately.
///
/// Always true: a reload replaces rules and certificate as a whole; nothing that is secret leaves it.
final class Authenticator: Sendable {
  private struct State {
    var rules: AccessRules
    var tls: TLSContext?
    var refusals = RefusalLedger()
    var handshakes: HandshakeLimits
    /// How each handshake that runs is told to give way.
    var ways: [UInt64: @Sendable () -> Void] = [:]
  }

  private let state: Mutex<State>

  init(rules: AccessRules = AccessRules(), tls: TLSContext? = nil, limits: Limits = Limits()) {
    state = Mutex(State(rules: rules, tls: tls, handshakes: HandshakeLimits(limits: limits)))
  }

  /// Takes rules and a certificate into force; sessions that are open are asked again by `LoopSet`.
  func replace(rules: AccessRules, tls: TLSContext?) {
    state.withLock { state in
      state.rules = rules
      state.tls = tls
    }
  }

  /// What new connections to TLS addresses are encrypted with; nil: there are no such addresses.
  var tls: TLSContext? { state.withLock { $0.tls } }

  /// What is known of a peer before its hello, and whether the hello has to say more.
  func greet(_ peer: Peer, isPipe: Bool) -> (subject: Subject, mustIdentify: Bool) {
    state.withLock { ($0.rules.subject(of: peer, isPipe: isPipe), $0.rules.mustIdentify) }
  }

  /// Whether hellos have to say who they are from.
  var mustIdentify: Bool { state.withLock { $0.rules.mustIdentify } }

  /// The identity of the client that shows this. Throws the reason if the client is not known here.
  func identify(_ proof: Proof) throws(IdentityFault) -> Identity {
    let rules = state.withLock { $0.rules }
    return try rules.identify(proof, now: Date())
  }

  /// Who somebody is under the rules that are in force now.
  func identity(again identity: Identity) -> Identity? {
    let rules = state.withLock { $0.rules }
    return rules.identity(again: identity, now: Date())
  }

  /// When a client that is refused now may be told.
  func refused(_ share: UInt64, now: MonotonicTime) -> MonotonicTime {
    state.withLock { $0.refusals.refused(share, now: now) }
  }

  // MARK: - Handshakes

  /// A place for another handshake, if it may begin; `handshakeEnded` follows. `giveWay` is called, on some thread, if
  /// it has to make room for others by then.
  func placeForHandshake(
    of subject: Subject, now: MonotonicTime, giveWay: @escaping @Sendable () -> Void
  ) -> HandshakeLimits.Place? {
    let (place, other) = state.withLock { state -> (HandshakeLimits.Place?, (@Sendable () -> Void)?) in
      guard
        let (place, gone) = state.handshakes.begin(
          subject.share, isOnThisMachine: subject.isOnThisMachine, now: now)
      else { return (nil, nil) }
      state.ways[place.id] = giveWay
      return (place, gone.flatMap { state.ways.removeValue(forKey: $0.id) })
    }
    other?()
    return place
  }

  func handshakeEnded(_ place: HandshakeLimits.Place) {
    state.withLock { state in
      state.handshakes.end(place)
      state.ways[place.id] = nil
    }
  }
}
