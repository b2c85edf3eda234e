/// Who asks: where its messages come from, and what it may do.
///
/// It belongs to a session, and everything that the session starts carries it.
///
/// Always true: what it refers to does not change, so that it can travel with each request for little.
public struct Subject: Sendable, Hashable {
  /// Where a session comes from.
  public enum Origin: Sendable, Hashable {
    /// The program that has the engine in its own process.
    case program
    /// A Unix socket, and which process of this machine connected to it.
    case process(Int32, user: UInt32, group: UInt32)
    /// A Unix socket whose peer the system does not name.
    case unnamedProcess
    /// TCP, from an address in the form of IPv6. `isThisMachine`: from an address that no other machine has.
    case address(high: UInt64, low: UInt64, isThisMachine: Bool)
    /// TCP, from an address that the system does not tell.
    case unknownAddress
  }

  public var origin: Origin
  public var permissions: Permissions
  /// Which of many behind one address it is, by what it has shown of itself; 0: it has shown nothing.
  public var person: UInt64 = 0
  /// Which tables, columns and rows it may use; nil: all.
  public var restriction: Restriction?
  /// The statements that the subject may run; nil: all.
  public var registered: RegisteredShapes?
  /// The quotas of the subject's requests; nil: what the server's limits allow.
  public var quotas: StatementQuotas?

  public init(origin: Origin, permissions: Permissions) {
    self.origin = origin
    self.permissions = permissions
  }

  /// The program itself, which may do everything.
  public static let program = Subject(origin: .program, permissions: .all)

  /// Whether the subject is on this machine for certain.
  public var isOnThisMachine: Bool {
    switch origin {
    case .program, .process, .unnamedProcess: true
    case .address(_, _, let isThisMachine): isThisMachine
    case .unknownAddress: false
    }
  }

  /// The number under which time is shared out: one for each that has shown who it is, for each user of this machine
  /// and for each address.
  public var share: UInt64 { person != 0 ? person : originShare }

  /// As `share`, without what the subject has shown of itself.
  public var originShare: UInt64 {
    switch origin {
    case .program: 0
    case .process(_, let user, _): 1 << 32 | UInt64(user)
    case .unnamedProcess: 2
    case .unknownAddress: 3
    case .address(let high, let low, _):
      // Whoever has one address of IPv6 has its whole network of 2^64.
      high == 0 ? low : high
    }
  }

  /// The number of a name, the same one each time and different from those of others for all practical purposes.
  public static func number(of name: String) -> UInt64 {
    let digest = Array(name.utf8).withUnsafeBytes { ShapeID(hashing: $0) }
    return max(1, digest.high)
  }

  /// The key under which its plans are kept: the shape itself if it has no rules for tables.
  @inlinable
  public func key(of shape: ShapeID) -> ShapeID { restriction?.key(of: shape) ?? shape }

  /// Throws PERMISSION if the subject may run registered statements only, and this is none of them.
  @inlinable
  public func check(_ shape: ShapeID) throws(RequestError) {
    guard let registered, !registered.contains(shape) else { return }
    throw .shapeNotRegistered
  }

  /// Throws PERMISSION if one of `needed` is missing; names the first that is.
  public func check(_ needed: Permissions) throws(RequestError) {
    if permissions.isSuperset(of: needed) { return }
    let missing = needed.subtracting(permissions)
    // Who may drop no databases is told so, and not that this changes their schema.
    if missing.contains(.drop) { throw .permissionMissing(.drop) }
    // Who may change nothing of a schema is told so, and not each kind of change.
    if permissions.isDisjoint(with: .schema), missing.first.map({ Permissions.schema.isSuperset(of: $0) }) == true {
      throw .permissionMissing(.schema)
    }
    throw .permissionMissing(missing.first ?? missing)
  }
}
