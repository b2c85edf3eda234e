import MartletServer
import MartletValues

/// A configuration file's text to what it says.
///
/// Always true: it looks at no other file and starts nothing; all mistakes are found, not only the first.
struct ConfigurationReader {
  private(set) var settings = ServeSettings()
  private(set) var tls: TLSSettings?
  private(set) var access = AccessPolicy()
  private(set) var audit: AuditSettings?
  private(set) var mistakes: [ConfigurationMistake] = []
  private(set) var warnings: [ConfigurationMistake] = []
  /// The lines of the keys.
  private(set) var lines: [String: Int] = [:]

  /// `folder` is where paths that do not start with a slash are; `userID` returns the id of a user's name.
  init(_ text: String, folder: String, userID: (String) -> UInt32?) {
    let found = TableReader.Mistakes()
    do throws(ConfigurationMistake) {
      let keys = ConfigurationKeys.top + ConfigurationKeys.tables
      guard let top = TableReader(try TOMLNode(parsing: text), name: "", keys: keys, found) else { return }
      for key in top.keys { lines[key] = top.line(of: key) }
      readTop(top, folder: folder)
      readLimits(top)
      readTLS(top, folder: folder)
      readAudit(top, folder: folder)
      access = AccessReader(top, folder: folder, userID: userID).policy
      if !access.certificates.isEmpty, tls?.clientAuthority == nil {
        top.complain(
          "certificates",
          "No client shows a certificate without tls.client-authority, so [certificates] has no use. Name the authority, "
            + "or remove the table.")
      }
      for (name, role) in access.roles {
        access.roles[name]?.grants = role.grants.map { grant in
          var grant = grant
          grant.shapeFiles = grant.shapeFiles?.map { Self.path($0, in: folder) }
          return grant
        }
      }
      access.tokensFile = top.text("tokens", OptionRule.path).map { Self.path($0, in: folder) }
      if access.tokensFile != nil, access.roles.isEmpty, !top.has("roles") {
        found.warnings.append(
          ConfigurationMistake(line: top.line(of: "tokens"), "There are no roles, so tokens have no use."))
      }
    } catch {
      mistakes = [error]
    }
    mistakes += found.all
    warnings = found.warnings
  }

  private mutating func readTop(_ top: TableReader, folder: String) {
    settings.data = top.text("data", OptionRule.path).map { Self.path($0, in: folder) }
    settings.readyFile = top.text("ready-file", OptionRule.path).map { Self.path($0, in: folder) }
    settings.socketMode = top.text("socket-mode", OptionRule.socketMode)
    settings.isInsecure = top.truth("insecure")
    settings.loops = top.number("loops", OptionRule.loops)
    settings.logLevel = top.text("log-level", OptionRule.logLevel)
    settings.logFormat = top.text("log-format", OptionRule.logFormat)
    settings.slowQueryMs = top.number("slow-query-ms", OptionRule.slowQueryMs)
    settings.metricsListen = top.text("metrics-listen", OptionRule.metricsAddress)
    settings.pageChecksums = top.truth("page-checksums")
    settings.keyFile = top.text("key-file", OptionRule.path).map { Self.path($0, in: folder) }
    settings.memory = top.text("memory", OptionRule.memory)
    settings.deny = Self.permissions("deny", top)
    settings.denyTCP = Self.permissions("deny-tcp", top)
    settings.listen = top.texts("listen").map { texts in
      if texts.isEmpty { top.complain("listen", "listen names at least one address, or is left out.") }
      return texts.compactMap { text, line in
        do throws(InvalidOption) {
          return try OptionRule.url(text, "listen")
        } catch {
          top.mistakes.add(line, "'\(CellText.escaped(text))' is no address. \(error.description)")
          return nil
        }
      }
    }
  }

  private mutating func readLimits(_ top: TableReader) {
    guard let table = top.table("limits", keys: ConfigurationKeys.limits) else { return }
    for option in LimitOption.allCases {
      settings.limits[option] = table.number(option.rawValue, option.checked)
      if table.has(option.rawValue) { lines[option.rawValue] = table.line(of: option.rawValue) }
    }
  }

  private mutating func readTLS(_ top: TableReader, folder: String) {
    guard let table = top.table("tls", keys: ConfigurationKeys.tls) else { return }
    func file(_ key: String) -> String? { table.text(key, OptionRule.path).map { Self.path($0, in: folder) } }
    let (certificate, key, authority) = (file("certificate"), file("key"), file("client-authority"))
    for name in ["certificate", "key"] where !table.has(name) {
      table.complain(name, "[tls] needs \(name): the path of a PEM file.")
    }
    // If one is missing or wrong, that is the mistake to tell, and not that there is no TLS.
    var settings = TLSSettings(certificate: certificate ?? "", key: key ?? "", clientAuthority: authority)
    switch table.text("client-certificate") {
    case "required"?:
      settings.requiresClientCertificate = true
      if !table.has("client-authority") {
        table.complain("client-certificate", "A client certificate can be required only with client-authority.")
      }
    case nil, "optional"?: break
    default: table.complain("client-certificate", "client-certificate is \"optional\" or \"required\".")
    }
    switch table.text("minimum") {
    case "1.2"?: settings.allowsTLS12 = true
    case nil, "1.3"?: break
    default: table.complain("minimum", "minimum is \"1.3\" or \"1.2\".")
    }
    tls = settings
  }

  private mutating func readAudit(_ top: TableReader, folder: String) {
    guard let table = top.table("audit", keys: ConfigurationKeys.audit) else { return }
    if !table.has("file") { table.complain("file", "[audit] needs file: the path of the audit log.") }
    var settings = AuditSettings(file: table.text("file", OptionRule.path).map { Self.path($0, in: folder) } ?? "")
    if let word = table.text("statements") {
      if let level = AuditLevel(rawValue: word) {
        settings.statements = level
      } else {
        table.complain("statements", "statements is \"refused\", \"writes\" or \"all\".")
      }
    }
    readColumns(table, into: &settings)
    audit = settings
  }

  private func readColumns(_ table: TableReader, into settings: inout AuditSettings) {
    guard let names = table.texts("parameters") else { return }
    if names.count > ConfigurationLimits.auditedColumnsMax {
      table.complain("parameters", "parameters names at most \(ConfigurationLimits.auditedColumnsMax) columns.")
    }
    for name in names {
      if let column = AuditedColumn(name.text) {
        settings.parameters.insert(column)
      } else {
        table.mistakes.add(
          name.line, "'\(CellText.escaped(name.text))' is no column. Write its table and its name, as in orders.total.")
      }
    }
  }

  /// The words of a list; nil if it is not there.
  static func permissions(_ key: String, _ table: TableReader) -> Permissions? {
    table.texts(key).map { words in
      words.reduce(into: Permissions()) { permissions, word in
        guard let found = Permissions(word: word.text) else {
          let words = OptionRule.permissionWords
          return table.mistakes.add(
            word.line,
            "There is no permission '\(CellText.escaped(word.text))'.\(Suggestion.question(word.text, among: words)) There "
              + "are \(words.dropLast().joined(separator: ", ")) and all.")
        }
        permissions.formUnion(found)
      }
    }
  }

  /// Paths of a file are those of its own folder.
  static func path(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
  }
}
