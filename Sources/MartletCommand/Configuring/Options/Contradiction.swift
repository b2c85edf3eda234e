import MartletServer
import MartletValues

/// Options that do not go together, or an option that lacks another.
///
/// Always true: it is told at the option that has to change.
struct Contradiction: Equatable {
  /// The option's key.
  var key: String
  var sentence: String
  var isWarning = false

  /// The contradictions among options alone. `name` returns an option as it was written, such as `--deny` or `deny`.
  static func among(_ settings: ServeSettings, name: (String) -> String) -> [Contradiction] {
    var found: [Contradiction] = []
    if settings.limit(.deadlineMs) > settings.limit(.deadlineMaxMs) {
      let (key, bound) = (LimitOption.deadlineMs.rawValue, LimitOption.deadlineMaxMs.rawValue)
      found.append(Contradiction(key: key, sentence: "\(name(key)) must not exceed \(name(bound))."))
    }
    let everywhere = settings.deny ?? []
    for (key, denied) in [("deny", everywhere), ("deny-tcp", everywhere.union(settings.denyTCP ?? []))]
    where !denied.isDisjoint(with: .rows) && !denied.contains(.raw) {
      found.append(
        Contradiction(
          key: key, sentence: "SQL text can read and write rows, so \(name(key)) has to name raw as well."))
      break
    }
    return found
  }

  /// The contradictions between where a server listens and what it protects itself with.
  static func atAddresses(_ configuration: ServerConfiguration, name: (String) -> String) -> [Contradiction] {
    let insecure = name("insecure") == "insecure" ? "insecure = true" : name("insecure")
    var found = configuration.addressFaults.map { fault in
      let advice =
        switch fault.lacks {
        case .certificate: "Write the table [tls] into the file that --config names"
        case .encryption: "Use martlet+tls://, or say \(insecure) if only machines that you trust reach it"
        case .roles: "Write [roles.NAME] into the file that --config names, or say \(insecure)"
        }
      return Contradiction(key: "listen", sentence: "\(CellText.escaped("\(fault)")). \(advice).")
    }
    if let twice = addressNamedTwice(configuration.listen) {
      found.append(
        Contradiction(
          key: "listen",
          sentence: "\(name("listen")) names the address of \(CellText.escaped(twice)) twice. Name it once."))
    }
    if configuration.tls != nil, !configuration.listen.contains(where: \.isEncrypted) {
      found.append(
        Contradiction(
          key: "tls", sentence: "No address of \(name("listen")) is martlet+tls://, so [tls] has no use.",
          isWarning: true))
    }
    return found
  }

  /// The first address that another one has already, whether with TLS or without. Port 0 is a new one each time.
  private static func addressNamedTwice(_ urls: [MartletURL]) -> String? {
    var seen: Set<String> = []
    for url in urls {
      let addresses: Set<String> =
        switch url.address {
        case .tcp(_, 0), .tls(_, 0): []
        // The name stands for both of its addresses.
        case .tcp("localhost", let port), .tls("localhost", let port): ["127.0.0.1:\(port)", "::1:\(port)"]
        case .tcp(let host, let port), .tls(let host, let port): ["\(host):\(port)"]
        case .unix(let path): [path]
        }
      if !seen.isDisjoint(with: addresses) { return "\(url)" }
      seen.formUnion(addresses)
    }
    return nil
  }
}
