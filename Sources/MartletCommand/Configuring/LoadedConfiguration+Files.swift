import MartletServer

/// The files that a configuration names.
extension LoadedConfiguration {
  /// What is wrong with them, a sentence each: what a server says that starts with them, and tokens without a role.
  func mistakesInFiles() -> [String] {
    var mistakes = Server.fileFaults(of: server)
    if let path = server.access.tokensFile, let list = try? TokenFile(path: path).load() {
      let roles = Set(list.records.map(\.role)).subtracting(server.access.roles.keys)
      mistakes += roles.sorted().map {
        "\(path): There are tokens of the role '\($0)', which does not exist: write the role, or revoke them."
      }
    }
    return mistakes
  }
}
