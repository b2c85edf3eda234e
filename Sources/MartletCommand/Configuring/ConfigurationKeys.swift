import MartletValues

/// The keys of a configuration file, by its tables.
///
/// Always true: a key that is not here is refused.
enum ConfigurationKeys {
  static let top = [
    "data", "listen", "ready-file", "socket-mode", "insecure", "loops", "log-level", "log-format", "slow-query-ms",
    "metrics-listen", "page-checksums", "key-file", "memory", "deny", "deny-tcp", "tokens",
  ]
  static let tables = ["tls", "limits", "roles", "users", "certificates", "local", "audit", "jwt"]
  static let tls = ["certificate", "key", "client-authority", "client-certificate", "minimum"]
  static let limits = LimitOption.allCases.map(\.rawValue)
  static let role = ["databases", "allow", "inherits", "tables", "shapes", "quotas"]
  static let roleQuotas = Quota.allCases.map(\.rawValue)
  static let roleTable = ["allow", "read", "write", "rows", "change-rows", "new-rows"]
  static let local = ["role", "access"]
  static let audit = ["file", "statements", "parameters"]
  static let jwt = [
    "issuer", "audience", "keys", "role", "role-claim", "roles", "claims", "leeway-s", "lifetime-max-s",
  ]

  /// All keys, as documentation names them.
  static var all: [String] {
    top + tls.map { "tls.\($0)" } + limits.map { "limits.\($0)" } + role.map { "roles.NAME.\($0)" }
      + roleTable.map { "roles.NAME.tables.TABLE.\($0)" } + roleQuotas.map { "roles.NAME.quotas.\($0)" }
      + ["users.NAME", "certificates.NAME"] + local.map { "local.\($0)" }
      + audit.map { "audit.\($0)" } + jwt.map { $0 == "roles" ? "jwt.NAME.roles.VALUE" : "jwt.NAME.\($0)" }
  }

  /// The tables that have a key, for somebody who wrote it elsewhere.
  static func tables(with key: String) -> [String] {
    [
      ("tls", tls), ("limits", limits), ("roles.NAME", role), ("roles.NAME.tables.TABLE", roleTable), ("local", local),
      ("audit", audit), ("jwt.NAME", jwt), ("roles.NAME.quotas", roleQuotas),
    ].filter { $0.1.contains(key) }.map(\.0)
  }
}
