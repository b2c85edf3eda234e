import MartletServer
import MartletValues

/// The roles of a configuration file, and who has them.
///
/// Always true: a role that is named exists, or there is a mistake.
struct AccessReader {
  private(set) var policy = AccessPolicy()

  private let names: [String]

  init(_ top: TableReader, folder: String, userID: (String) -> UInt32?) {
    let roles = top.table("roles", keys: nil)
    names = roles?.keys ?? []
    if let roles { policy.roles = RoleReader(roles).roles }
    readUsers(top, userID)
    readCertificates(top)
    readLocal(top)
    policy.issuers = JWTReader(top, folder: folder, roles: names).issuers
  }

  private mutating func readUsers(_ top: TableReader, _ userID: (String) -> UInt32?) {
    guard let users = top.table("users", keys: nil) else { return }
    for name in users.keys {
      guard let role = role(name, users) else { continue }
      guard let id = UInt32(name) ?? userID(name) else {
        users.complain(name, "This machine has no user '\(CellText.escaped(name))'. Name one that it has, or an id.")
        continue
      }
      if let former = policy.users.updateValue(role, forKey: id), former != role {
        users.complain(name, "The user \(id) has the role '\(former)' already, by another name. Keep one of them.")
      }
    }
  }

  private mutating func readCertificates(_ top: TableReader) {
    guard let certificates = top.table("certificates", keys: nil) else { return }
    for name in certificates.keys {
      guard let role = role(name, certificates) else { continue }
      guard !name.isEmpty else {
        certificates.complain(name, "A certificate is named by its common name or a DNS name.")
        continue
      }
      policy.certificates[name] = role
    }
  }

  private mutating func readLocal(_ top: TableReader) {
    guard let local = top.table("local", keys: ConfigurationKeys.local) else { return }
    if local.has("role"), local.has("access") {
      return local.complain(
        "access", "[local] has role or access, not both: programs with a role have its permissions.")
    }
    if let role = role("role", local) { policy.others = .role(role) }
    switch local.text("access") {
    case "refused"?: policy.others = .refused
    case nil, "unrestricted"?: break
    default: local.complain("access", "access is \"unrestricted\" or \"refused\".")
    }
  }

  /// The role that a key names, if there is one of that name.
  private func role(_ key: String, _ table: TableReader) -> String? {
    guard let role = table.text(key) else { return nil }
    guard names.contains(role) else {
      table.complain(key, RoleReader.missing(role, names))
      return nil
    }
    return role
  }
}
