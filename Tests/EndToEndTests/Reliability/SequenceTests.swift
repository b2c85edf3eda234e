/// The numbers of commits as clients see them, over servers that are killed.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct SequenceTests {
  private static let insert = RemoteStatement.sql("INSERT INTO t VALUES (1)")

  @Test func `after kill -9 every commit has a larger number than all that were acknowledged or read`() async throws {
    let folder = try TemporaryFolder()
    var largest: UInt64 = 0
    for round in 0..<4 {
      let server = try ServerProcess(directory: folder.path + "/data")
      let database = try DatabaseClient(
        server.url(database: "numbers"), configuration: .init(createsDatabase: round == 0))
      if round == 0 { try await database.execute(.sql("CREATE TABLE t(a)")) }
      let read = try await database.execute(.sql("SELECT count(*) FROM t", isRead: true)).commitSequence
      #expect(read >= largest, "round \(round)")
      // Many clients, whose last acknowledged commits are any of the last.
      let numbers = await withTaskGroup(of: [UInt64].self) { group in
        for client in 0..<8 {
          let victim = client == 0 ? server.processID : nil
          group.addTask { await Self.write(database, killing: victim) }
        }
        return await group.reduce(into: [UInt64]()) { $0 += $1 }
      }
      server.kill()
      #expect(numbers.count > 100)
      #expect(numbers.allSatisfy { $0 > max(largest, read) }, "round \(round)")
      largest = numbers.max() ?? largest
      await database.close()
    }
  }

  /// The numbers of its commits, until the server is gone; one of the clients kills it.
  private static func write(_ database: DatabaseClient, killing server: Int32?) async -> [UInt64] {
    var numbers: [UInt64] = []
    while let completion = try? await database.execute(insert) {
      numbers.append(completion.commitSequence)
      if numbers.count == 50, let server { kill(server, SIGKILL) }
    }
    return numbers
  }
}
