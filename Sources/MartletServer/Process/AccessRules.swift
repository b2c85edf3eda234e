internal import MartletLoop
internal import MartletValues

/// What the operator lets clients do, by the way they come.
///
/// Always true: a client that may be on another machine does no more than read and write rows, because nothing says yet
/// who it is.
struct AccessRules: Sendable {
  /// What nobody may do.
  var denied: Permissions = []
  /// What clients over TCP may not do either.
  var deniedOverTCP: Permissions = []

  func subject(of peer: Peer, isPipe: Bool) -> Subject { subject(from: Self.origin(of: peer, isPipe: isPipe)) }

  func subject(from origin: Subject.Origin) -> Subject {
    var subject = Subject(origin: origin, permissions: [])
    guard subject.isOnThisMachine else { return subject }
    let overTCP = if case .address = origin { deniedOverTCP } else { Permissions() }
    subject.permissions = Permissions.all.subtracting(denied).subtracting(overTCP)
    return subject
  }

  private static func origin(of peer: Peer, isPipe: Bool) -> Subject.Origin {
    switch peer.identity {
    case .unknown: isPipe ? .unnamedProcess : .unknownAddress
    case .process(let process, let user, let group): .process(process, user: user, group: group)
    case .address(let high, let low, let isThisMachine): .address(high: high, low: low, isThisMachine: isThisMachine)
    }
  }
}
