internal import MartletProtocol
internal import MartletValues

/// What is asked of a server beside statements, and what it answers.
extension RequestRunner {
  /// Asks, and returns the answer; nil if it was a completion.
  @discardableResult
  func ask(_ request: ClientMessage.Request, deadline: Duration? = nil) async throws -> ServerMessage.Part? {
    try await collect(.plain(request), deadline: deadline).answer
  }

  /// The server's counters, its busiest shapes and its sessions.
  func inspect(shapes: Int, sessions: Int) async throws -> Inspection {
    let request = ClientMessage.Request.inspect(
      shapes: UInt32(clamping: shapes), sessions: UInt32(clamping: sessions))
    guard case .inspection(let inspection) = try await ask(request) else { throw ClientError.otherAnswer }
    return inspection
  }

  /// All databases of the server's directory, page by page.
  func databases() async throws -> [DatabaseList.Entry] {
    var entries: [DatabaseList.Entry] = []
    while true {
      let former = entries.last?.name ?? ""
      let request = ClientMessage.Request.administer(.list(after: former))
      guard case .databases(let list) = try await ask(request) else { throw ClientError.otherAnswer }
      entries += list.entries
      guard list.hasMore, let last = list.entries.last?.name else { return entries }
      // A server that does not go forward would be asked for ever.
      guard last > former else { throw ClientError.otherAnswer }
    }
  }
}
