/// What is done with a database as a whole.
///
/// Always true: nothing of it runs inside of a transaction.
extension DatabaseWriter {
  /// Writes the file anew, without the room that deleted rows left.
  public func vacuum() throws { try writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }

  /// The same on a thread that may block.
  public func vacuum() async throws { try await writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }

  /// Writes a copy of the database, as it is now, to a file that is not there yet or is empty.
  public func vacuum(into path: String) throws {
    try writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
  }

  /// The same on a thread that may block.
  public func vacuum(into path: String) async throws {
    try await writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
  }
}
