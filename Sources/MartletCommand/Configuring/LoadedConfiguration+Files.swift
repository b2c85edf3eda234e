import MartletServer

/// The files that a configuration names.
extension LoadedConfiguration {
  /// What is wrong with them, a sentence each: what a server says that starts with them, and tokens without a role.
  func mistakesInFiles() -> [String] {
    var mistakes = Server.fileFaults(of: server)
    if let path = server.access.tokensFile, let list = try? TokenFile(path: path).load() {
      let roles = Set(list.records.map(\.role)).subtracting(server.access.roles.keys)
      mistakes += roles.sorted().map {
        "\(path): There are tokens of the role '\($0)', which does not exist. Write the role, or revoke them."
      }
    }
    return mistakes
  }

  /// What is right and may be meant otherwise: claims that nobody has who could be asked for them.
  func warningsInFiles() -> [String] {
    let tokens = server.access.tokensFile.flatMap { try? TokenFile(path: $0).load() } ?? TokenList()
    return server.access.unknownClaims(tokens).map { unknown in
      let question = Suggestion.question(unknown.claim, among: unknown.known)
      return
        "The role '\(CellText.escaped(unknown.role))' asks for the claim '\(unknown.claim)', which none of its tokens and "
        + "JWTs has.\(question)"
    }
  }
}
