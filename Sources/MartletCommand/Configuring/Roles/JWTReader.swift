import MartletServer
import MartletValues

/// The issuers of JWTs of a configuration file: `[jwt.NAME]`.
///
/// Always true: each of their roles exists, and each has a way to one, or there is a mistake.
struct JWTReader {
  private(set) var issuers: [String: JWTIssuer] = [:]

  private let names: [String]

  init(_ top: TableReader, folder: String, roles names: [String]) {
    self.names = names
    guard let tables = top.table("jwt", keys: nil) else { return }
    var homes: [String: String] = [:]
    for name in tables.keys {
      if !SimpleName.isValid(name) { tables.complain(name, SimpleName.rule("An issuer's name here")) }
      guard let table = tables.table(name, name: "jwt.\(name)", keys: ConfigurationKeys.jwt) else { continue }
      let issuer = issuer(name, table, folder)
      if let home = homes.updateValue(name, forKey: issuer.issuer), !issuer.issuer.isEmpty {
        table.complain("issuer", "The issuer stands in [jwt.\(CellText.escaped(home))] already. Keep one of them.")
      }
      issuers[name] = issuer
    }
  }

  private func issuer(_ name: String, _ table: TableReader, _ folder: String) -> JWTIssuer {
    func needed(_ key: String, _ what: String) -> String? {
      if !table.has(key) { table.complain(key, "[jwt.\(CellText.escaped(name))] needs \(key): \(what).") }
      return table.text(key, Self.name)
    }
    // If one is missing or wrong, that is the mistake.
    var issuer = JWTIssuer(
      issuer: needed("issuer", "what its JWTs have as iss") ?? "",
      audience: needed("audience", "what JWTs for this server have as aud") ?? "", keys: "",
      role: role(name, table))
    if !table.has("keys") {
      table.complain("keys", "[jwt.\(CellText.escaped(name))] needs keys: the path of a JWKS with its public keys.")
    }
    issuer.keys = table.text("keys", OptionRule.path).map { ConfigurationReader.path($0, in: folder) } ?? ""
    issuer.claims = claims(table)
    let leeway = Self.seconds(0, JWTLimits.leewaySecondsMax)
    let lifetime = Self.seconds(JWTLimits.lifetimeSecondsMin, JWTLimits.lifetimeSecondsMax)
    if let seconds = table.number("leeway-s", leeway) { issuer.leewaySeconds = seconds }
    if let seconds = table.number("lifetime-max-s", lifetime) { issuer.lifetimeSeconds = seconds }
    return issuer
  }

  // MARK: - The role

  private func role(_ name: String, _ table: TableReader) -> JWTIssuer.RoleSource {
    let shown = CellText.escaped(name)
    if table.has("role") {
      for key in ["role-claim", "roles"] where table.has(key) {
        table.complain(key, "[jwt.\(shown)] has role or role-claim with roles, not both.")
      }
      return .fixed(existing("role", table) ?? "")
    }
    guard table.has("role-claim"), table.has("roles") else {
      table.complain(
        table.has("roles") ? "roles" : "role-claim",
        "[jwt.\(shown)] needs role, or role-claim with [jwt.\(shown).roles]: the role of each value of that claim.")
      return .fixed("")
    }
    var roles: [String: String] = [:]
    if let values = table.table("roles", name: "jwt.\(name).roles", keys: nil) {
      if values.keys.isEmpty { table.complain("roles", "[jwt.\(shown).roles] has no value. Write VALUE = \"ROLE\".") }
      for value in values.keys { roles[value] = existing(value, values) }
    }
    return .claim(table.text("role-claim", Self.name) ?? "", roles: roles)
  }

  /// The role that a key names, if there is one of that name.
  private func existing(_ key: String, _ table: TableReader) -> String? {
    guard let role = table.text(key) else { return nil }
    if !names.contains(role) { table.complain(key, RoleReader.missing(role, names)) }
    return role
  }

  private func claims(_ table: TableReader) -> [String] {
    var names: [String] = []
    for (text, line) in table.texts("claims") ?? [] {
      if text == "name" {
        table.mistakes.add(line, "claim('name') is the JWT's sub already. Take name out of claims.")
      } else if !SimpleName.isValid(text) {
        table.mistakes.add(line, SimpleName.rule("A claim's name here"))
      } else if !names.contains(text) {
        names.append(text)
      }
    }
    if names.count > JWTLimits.claimsMax {
      table.complain("claims", "claims names at most \(JWTLimits.claimsMax).")
    }
    return names
  }

  // MARK: - Rules

  private static func name(_ text: String, _ key: String) throws(InvalidOption) -> String {
    guard (1...JWTLimits.nameBytesMax).contains(text.utf8.count) else {
      throw InvalidOption("\(key) is a text of 1 to \(JWTLimits.nameBytesMax) bytes.")
    }
    return text
  }

  private static func seconds(_ least: Int, _ most: Int) -> (Int, String) throws(InvalidOption) -> Int {
    { (number: Int, key: String) throws(InvalidOption) -> Int in
      guard (least...most).contains(number) else { throw InvalidOption("\(key) is \(least) to \(most), in seconds.") }
      return number
    }
  }
}
