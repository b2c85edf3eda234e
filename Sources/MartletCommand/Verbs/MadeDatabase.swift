import MartletAST
import MartletClient
import MartletValues

/// A database that was made for what a person asked for, if it was not there.
///
/// Always true: one that was made, and into which nothing came because of an error, does not stay behind.
struct MadeDatabase {
  let client: DatabaseClient
  let wasMade: Bool
  let security: SecurityOptions

  /// Closes the connection; after a failure without anything in a database that was made, takes that away again.
  func close(after failure: (any Error)? = nil) async {
    let isUnused = failure != nil && wasMade ? await isEmpty() : false
    await client.close()
    guard isUnused, let name = client.url.database else { return }
    var configuration = ClientConfiguration()
    configuration.connectAttemptsMax = 1
    guard (try? security.apply(to: &configuration, url: client.url)) != nil,
      let server = try? ServerClient(client.url, configuration: configuration)
    else { return }
    do {
      try await server.dropDatabase(name)
    } catch {
      StandardOutput.complain("Note: the database \(name) was made, and is empty.\n")
    }
    await server.close()
  }

  /// Whether the database is known to hold nothing.
  private func isEmpty() async -> Bool {
    do {
      return try await client.fetchOne(RemoteStatement(.select(["name"], from: .table("sqlite_schema")))) == nil
    } catch {
      return false
    }
  }
}

extension DatabaseArgument {
  /// Connects to the database; if it is not there, the error names `--create`.
  func connectPresent() async throws -> MadeDatabase {
    do {
      let client = try await Self.open(url, security, createsDatabase: false, deadline: deadline)
      return MadeDatabase(client: client, wasMade: false, security: security)
    } catch {
      throw CommandFailure.explaining(error, hasCreate: true)
    }
  }

  /// Connects to the database, and makes it if it is not there.
  func connectMaking() async throws -> MadeDatabase {
    do {
      let client = try await Self.open(url, security, createsDatabase: false, deadline: deadline)
      return MadeDatabase(client: client, wasMade: false, security: security)
    } catch let error as RequestError where error.reason == .unknownDatabase && error.code == .notFound {
      // In a task of its own: if this one is cancelled meanwhile, nobody would know whether the database was made, and
      // nobody would take it away again.
      let client = try await Task { [url, security, deadline] in
        try await Self.connect(to: url, security: security, createsDatabase: true, deadline: deadline)
      }.value
      return MadeDatabase(client: client, wasMade: true, security: security)
    } catch {
      throw CommandFailure.explaining(error)
    }
  }
}
