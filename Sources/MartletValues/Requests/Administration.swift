/// What can be done to the databases of a server's directory.
///
/// Always true: names are as they were sent; whoever carries it out checks them.
public enum Administration: Sendable, Equatable {
  /// The databases by name, beginning after this one.
  case list(after: String)
  /// Fails if there is one of that name.
  case create(String)
  /// Fails if sessions have it open, unless `endsSessions`: then they are ended with a sentence.
  case rename(String, to: String, endsSessions: Bool)
  /// With everything that is in it.
  case drop(String, endsSessions: Bool)

  /// What the task needs that an operator can deny.
  public var permissions: Permissions {
    switch self {
    case .list: .inspect
    case .create: .create
    case .rename: [.drop, .create, .schema]
    case .drop: [.drop, .schema]
    }
  }

  /// Nobody may have the database open meanwhile.
  public var needsItClosed: Bool {
    switch self {
    case .rename, .drop: true
    case .list, .create: false
    }
  }

  /// The number on the wire.
  public var task: UInt32 {
    switch self {
    case .list: 1
    case .create: 2
    case .rename: 3
    case .drop: 4
    }
  }

  /// Nil if there is no task of that number.
  public init?(task: UInt32, database: String, newName: String, endsSessions: Bool) {
    switch task {
    case 1: self = .list(after: database)
    case 2: self = .create(database)
    case 3: self = .rename(database, to: newName, endsSessions: endsSessions)
    case 4: self = .drop(database, endsSessions: endsSessions)
    default: return nil
    }
  }

  public var database: String {
    switch self {
    case .list(let name), .create(let name), .rename(let name, _, _), .drop(let name, _): name
    }
  }

  /// The databases that are made, renamed or dropped.
  public var changedDatabases: [String] {
    switch self {
    case .list: []
    case .create(let name), .drop(let name, _): [name]
    case .rename(let name, let newName, _): [name, newName]
    }
  }

  public var newName: String { if case .rename(_, let name, _) = self { name } else { "" } }

  public var endsSessions: Bool {
    switch self {
    case .rename(_, _, let ends), .drop(_, let ends): ends
    case .list, .create: false
    }
  }
}
