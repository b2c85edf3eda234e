/// Who is connected: one session as the server sees it.
public struct SessionInfo: Sendable, Equatable {
  public var id: UInt64
  /// An address, or the process and user behind a Unix socket.
  public var peer: String
  /// What the client calls itself.
  public var client: String
  /// Empty if the session is for the server as a whole.
  public var database: String
  public var ageMs: UInt64
  /// Statements, batches and what belongs to transactions, since it was opened.
  public var requests: UInt64

  public init(id: UInt64, peer: String, client: String, database: String, ageMs: UInt64 = 0, requests: UInt64 = 0) {
    self.id = id
    self.peer = peer
    self.client = client
    self.database = database
    self.ageMs = ageMs
    self.requests = requests
  }

  /// About how many bytes it takes.
  package var byteCount: Int { 64 + peer.utf8.count + client.utf8.count + database.utf8.count }
}
