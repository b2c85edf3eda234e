import MartletLoop
import MartletServer
import MartletValues

/// What is said twice and does not go together, or lacks what it needs.
///
/// Always true: it is told at the option that has to change.
struct Contradiction: Equatable {
  /// The option's key.
  var key: String
  var sentence: String
  var isWarning = false

  /// Those among options alone. `name` gives an option as it was written, such as `--deny` or `deny`.
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

  /// Those between where a server listens and what it protects itself with.
  static func atAddresses(_ configuration: ServerConfiguration, name: (String) -> String) -> [Contradiction] {
    var found: [Contradiction] = []
    func complain(_ url: MartletURL, _ sentence: String) {
      found.append(Contradiction(key: "listen", sentence: "\(CellText.escaped("\(url)")) \(sentence)"))
    }
    let insecure = name("insecure") == "insecure" ? "insecure = true" : name("insecure")
    for url in configuration.listen {
      if url.isEncrypted, configuration.tls == nil {
        complain(url, "needs a certificate and its key: write the table [tls] into the file that --config names.")
      }
      guard !url.isLoopback, !configuration.isInsecure else { continue }
      if !url.isEncrypted {
        complain(
          url,
          "is not a loopback address, and nothing is encrypted there: use martlet+tls://, or say \(insecure) if only "
            + "machines that you trust reach it.")
      }
      if configuration.access.roles.isEmpty {
        complain(
          url,
          "is not a loopback address, and without roles anybody who reaches it could read and write every database: "
            + "write [roles.NAME] into the file that --config names, or say \(insecure).")
      }
    }
    if configuration.tls != nil, !configuration.listen.contains(where: \.isEncrypted) {
      found.append(
        Contradiction(
          key: "tls", sentence: "No address of \(name("listen")) is martlet+tls://, so [tls] has no use.",
          isWarning: true))
    }
    return found
  }
}

extension MartletURL {
  /// Whether only programs of this machine reach it.
  fileprivate var isLoopback: Bool {
    switch address {
    case .tcp(let host, let port), .tls(let host, let port):
      SocketAddress.internet(host: host, port: UInt16(clamping: port)).isLoopback
    case .unix: true
    }
  }
}
