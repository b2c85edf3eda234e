/// The places that a connection can be opened at, and their spelling.
extension Connection {
  /// Where a database is.
  public enum Location: Sendable {
    /// In memory, gone when the connection is.
    case inMemory
    /// In a file that SQLite makes and removes.
    case temporary
    /// A path, or the URL of a server's database, such as `martlet://host:port/name`.
    case uri(String, parameters: [URIQueryParameter] = [])
  }
}

extension Connection.Location: CustomStringConvertible {
  /// The location as SQLite takes it.
  public var description: String {
    switch self {
    case .inMemory: ":memory:"
    case .temporary: ""
    case .uri(let uri, let parameters):
      parameters.isEmpty ? uri : "file:\(uri)?" + parameters.map(\.description).joined(separator: "&")
    }
  }

  /// A database at a server.
  var isRemote: Bool {
    guard case .uri(let uri, _) = self else { return false }
    return ["martlet://", "martlet+tls://", "martlet+unix://"].contains { uri.hasPrefix($0) }
  }
}

/// What may be said of a file beside its path.
public enum URIQueryParameter: Sendable {
  /// Whether connections of one process share a cache.
  public enum CacheMode: String, Sendable {
    case shared
    case `private`
  }

  /// How a file is opened.
  public enum FileMode: String, Sendable {
    case readOnly = "ro"
    case readWrite = "rw"
    case readWriteCreate = "rwc"
    case memory
  }

  case cache(CacheMode)
  case immutable(Bool)
  case modeOf(String)
  case mode(FileMode)
  case nolock(Bool)
  case powersafeOverwrite(Bool)
  case vfs(String)
}

extension URIQueryParameter: CustomStringConvertible {
  public var description: String {
    switch self {
    case .cache(let mode): "cache=\(mode.rawValue)"
    case .immutable(let isOn): "immutable=\(isOn ? 1 : 0)"
    case .modeOf(let name): "modeof=\(name)"
    case .mode(let mode): "mode=\(mode.rawValue)"
    case .nolock(let isOn): "nolock=\(isOn ? 1 : 0)"
    case .powersafeOverwrite(let isOn): "psow=\(isOn ? 1 : 0)"
    case .vfs(let name): "vfs=\(name)"
    }
  }
}
