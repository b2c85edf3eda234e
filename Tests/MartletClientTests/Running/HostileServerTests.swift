/// What a server answers that breaks the protocol's promises: an error, and neither a crash nor an endless loop.
import MartletAST
import MartletValues
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct HostileServerTests {
  @Test func `rows with fewer columns than the tree asks for are an error`() async throws {
    let server = try await FakeServer { message, peer in
      let id = message.requestID
      peer.say(.columns(id, "n"), .rows(id, [1]), .completion(id))
    }
    let database = try server.database()
    #expect(try await database.rows(of: .select(["a"], from: .table("t"))) == [[1]])
    await #expect(throws: ClientError.otherAnswer) {
      _ = try await database.rows(of: .select(["a", "b"], from: .table("t")))
    }
  }

  @Test(arguments: [["a", "b"], ["b", "a"], [""]])
  func `a list of databases that does not go forward is an error`(names: [String]) async throws {
    let server = try await FakeServer { message, peer in
      peer.say(
        .with {
          $0.requestID = message.requestID
          $0.databases = .with {
            $0.databases = names.map { name in .with { $0.name = name } }
            $0.more = true
          }
        })
    }
    let client = try ServerClient(try MartletURL(server.url()))
    await #expect(throws: ClientError.otherAnswer) { _ = try await client.databases() }
    #expect(server.heard.count <= 2)
  }

  @Test func `a transaction without a limit of time commits`() async throws {
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database {
      $0.requestDeadline = .seconds(Int64.max)
      $0.writeDeadline = .seconds(Int64.max)
    }
    try await database.write { transaction in try await transaction.send(ClientRequest.change) }
    #expect(TransactionScript.words(server).last?.hasPrefix("commit") == true)
  }
}
