import MartletServer
import MartletValues

/// A configuration that is right, in a few lines for people.
enum ConfigurationSummary {
  static func text(_ loaded: LoadedConfiguration, file: String) -> String {
    let server = loaded.server
    var lines = ["\(CellText.escaped(file)) is right."]
    lines += server.listen.map { "listens at \(CellText.escaped("\($0)"))" }
    if let address = loaded.metricsListen { lines.append("answers HTTP at \(address.urlHost):\(address.port)") }
    lines.append("keeps databases in \(CellText.escaped(server.directory))")
    if let audit = server.audit {
      let columns = audit.parameters.map { "\($0.table).\($0.column)" }.sorted().map(CellText.escaped)
      lines.append(
        "writes the audit log to \(CellText.escaped(audit.file)), of statements: \(audit.statements.rawValue)"
          + (columns.isEmpty ? "" : ", with values of \(columns.joined(separator: ", "))"))
    }
    for role in server.access.roles.values.sorted(by: { $0.name < $1.name }) {
      let quotas = Quota.allCases.compactMap { quota in role.quotas.values[quota].map { "\(quota.rawValue) \($0)" } }
      lines.append(
        "role \(role.name): \(role.grants.map(grant).joined(separator: "; "))"
          + (quotas.isEmpty ? "" : ", quotas \(quotas.joined(separator: ", "))"))
    }
    for (name, issuer) in server.access.issuers.sorted(by: { $0.key < $1.key }) {
      lines.append("JWTs of \(name), \(CellText.escaped(issuer.issuer)): \(Self.roles(issuer.role))")
    }
    lines.append("programs of this machine that show nothing else: \(others(server.access.others))")
    return lines.joined(separator: "\n  ") + "\n"
  }

  private static func grant(_ grant: Grant) -> String {
    let words = grant.permissions.words.joined(separator: ", ")
    let databases = grant.databases.map(\.text).joined(separator: ", ")
    let tables = grant.tables.map {
      ", tables \($0.tables.keys.sorted().map(CellText.escaped).joined(separator: ", "))"
    }
    return "\(words) in \(databases)\(tables ?? "")"
  }

  private static func roles(_ source: JWTIssuer.RoleSource) -> String {
    switch source {
    case .fixed(let role): return "role \(role)"
    case .claim(let claim, let roles):
      let words = roles.sorted { $0.key < $1.key }.map { "\(CellText.escaped($0.key)) is \($0.value)" }
      return "roles by \(CellText.escaped(claim)): \(words.joined(separator: ", "))"
    }
  }

  private static func others(_ others: AccessPolicy.Others) -> String {
    switch others {
    case .unrestricted: "unrestricted"
    case .role(let role): "role \(role)"
    case .refused: "refused"
    }
  }
}
