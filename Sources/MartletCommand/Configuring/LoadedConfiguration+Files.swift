import Foundation
import MartletServer

/// The files that a configuration names.
extension LoadedConfiguration {
  /// What is wrong with them, a sentence each.
  func mistakesInFiles() -> [String] {
    var mistakes: [String] = []
    if let tls = server.tls {
      let files =
        [("certificate", tls.certificate), ("key", tls.key)]
        + (tls.clientAuthority.map { [("client-authority", $0)] } ?? [])
      mistakes += files.compactMap { key, path in Self.mistake(key, path) }
    }
    if let tokens = server.access.tokensFile {
      do {
        let list = try TokenFile(path: tokens).load()
        let unknown = Set(list.records.map(\.role)).subtracting(server.access.roles.keys)
        mistakes += unknown.sorted().map { "\(tokens): There are tokens of the role '\($0)', which does not exist." }
      } catch {
        mistakes.append(
          FileManager.default.fileExists(atPath: tokens)
            ? "\(error)" : "\(tokens): There is no such file: `martlet token create` makes it with the first token.")
      }
    }
    return mistakes
  }

  private static func mistake(_ key: String, _ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      return "\(path): The file of \(key) cannot be read: check its path and its rights."
    }
    return text.contains("-----BEGIN ") ? nil : "\(path): The file of \(key) is no PEM: it has no line -----BEGIN."
  }
}
