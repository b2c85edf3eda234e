public import MartletValues

/// The quotas of a role, its own or those that it inherits; what is not among them is not bounded.
public struct RoleQuotas: Sendable, Hashable {
  public var values: [Quota: Int]

  public init(_ values: [Quota: Int] = [:]) { self.values = values }

  /// The quotas that hold for each statement; nil if there are none.
  var statement: StatementQuotas? { StatementQuotas(values) }
}

/// Where a session is counted: under its subject and under its role, each with what may be used there.
///
/// Always true: it does not change; a session whose role or quotas change gets another.
struct QuotaPlace: Sendable, Equatable {
  struct Bounds: Sendable, Equatable {
    var connections: (quota: Quota, most: Int)?
    var inFlight: (quota: Quota, most: Int)?
    var rate: (quota: Quota, most: Int, burst: Int)?

    var isEmpty: Bool { connections == nil && inFlight == nil && rate == nil }

    static func == (left: Bounds, right: Bounds) -> Bool {
      left.connections?.most == right.connections?.most && left.inFlight?.most == right.inFlight?.most
        && left.rate?.most == right.rate?.most && left.rate?.burst == right.rate?.burst
    }
  }

  let subject: UInt64
  let role: UInt64
  let ofSubject: Bounds
  let ofRole: Bounds

  /// Nil if nothing is counted for that role.
  init?(subject: UInt64, role: String, _ quotas: RoleQuotas) {
    func bound(_ quota: Quota) -> (Quota, Int)? { quotas.values[quota].map { (quota, max(1, $0)) } }
    func rate(_ quota: Quota, _ burst: Quota) -> (Quota, Int, Int)? {
      bound(quota).map { ($0.0, $0.1, max(1, quotas.values[burst] ?? $0.1)) }
    }
    ofSubject = Bounds(
      connections: bound(.connections), inFlight: bound(.requestsInFlight),
      rate: rate(.requestsPerSecond, .requestBurst))
    ofRole = Bounds(
      connections: bound(.roleConnections), inFlight: bound(.roleRequestsInFlight),
      rate: rate(.roleRequestsPerSecond, .roleRequestBurst))
    if ofSubject.isEmpty && ofRole.isEmpty { return nil }
    self.subject = subject
    self.role = Subject.number(of: role)
  }

  /// Whether the session's requests are counted, and not its connections alone.
  var countsRequests: Bool {
    ofSubject.inFlight != nil || ofSubject.rate != nil || ofRole.inFlight != nil || ofRole.rate != nil
  }

  var countsInFlight: Bool { ofSubject.inFlight != nil || ofRole.inFlight != nil }
}
