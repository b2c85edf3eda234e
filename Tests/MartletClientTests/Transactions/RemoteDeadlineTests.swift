/// Deadlines of a request against a scripted server: which travels, and how a request ends with it.
import Foundation
import MartletValues
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct RemoteDeadlineTests {
  private let change = ClientRequest.change

  @Test func `the nearest deadline travels with the request`() async throws {
    let server = try await FakeServer(script: TransactionScript.agree)
    let database = try server.database {
      $0.requestDeadline = .seconds(100)
      $0.writeDeadline = .seconds(100)
    }
    try await database.execute(change)
    try await database.execute(change, deadline: .seconds(50))
    try await withDeadline(.seconds(20)) {
      try await database.execute(change)
      try await database.execute(change, deadline: .seconds(50))
      try await withDeadline(.seconds(90)) { try await database.execute(change, deadline: .seconds(5)) }
    }
    let bounds: [ClosedRange<UInt32>] = [
      50_001...100_000, 20_001...50_000, 5_001...20_000, 5_001...20_000, 1...5_000,
    ]
    for (message, bound) in zip(server.heard, bounds) { #expect(bound.contains(message.execute.deadlineMs)) }
    // The server may shorten a deadline that no call has named.
    #expect(server.heard.map(\.execute.deadlineMayShrink) == [true, false, true, false, false])
  }

  @Test func `a request without an answer ends with its deadline`() async throws {
    let server = try await FakeServer { message, peer in
      if case .ping = message.kind { peer.say(.pong(message.requestID)) }
    }
    let database = try server.database { $0.replyGrace = .zero }
    try await database.ping()
    let error = await #expect(throws: RequestError.self) {
      try await database.execute(change, deadline: .milliseconds(20))
    }
    #expect(error?.code == .deadlineExceeded && error?.isOutcomeUnknown == true)
  }

  @Test func `a request that finds no free connection ends with its deadline, unsent`() async throws {
    let server = try await FakeServer { _, _ in }
    let database = try server.database {
      $0.connectionsMax = 1
      $0.pipelineDepth = 1
    }
    let first = Task { [change] in try await database.execute(change) }
    await server.hears { $0.count == 1 }
    let error = await #expect(throws: RequestError.self) {
      try await database.execute(change, deadline: .milliseconds(20))
    }
    #expect(error?.code == .deadlineExceeded && error?.isOutcomeUnknown == false)
    await database.close()
    let closed = await #expect(throws: ClientError.self) { try await first.value }
    #expect(closed?.code == .closed && closed?.isOutcomeUnknown == true)
  }
}
