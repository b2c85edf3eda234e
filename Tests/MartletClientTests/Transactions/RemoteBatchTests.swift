/// Batches against a scripted server: what their steps carry, and what comes back.
import Foundation
import MartletValues
import SwiftProtobuf
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct RemoteBatchTests {
  private let change = ClientRequest.change

  @Test func `a batch carries conditions and references, and its steps' results come back`() async throws {
    let server = try await FakeServer { message, peer in
      let id = message.requestID
      var skipped = ProtoServerMessage.completion(id, step: 3)
      skipped.completion.skipped = true
      peer.say(
        .columns(id, step: 1, "n"), .rows(id, step: 1, [4, 5]), .completion(id, step: 1, changed: 2),
        .error(id, .alreadyExists, .constraint, step: 2), skipped, .completion(id))
    }
    let results = try await server.database().batch(atomic: false) { [change] batch in
      let parent = batch.add(change, ["Anna"])
      let child = batch.add(change, [parent.lastInsertRowID, parent.firstRow(column: 0)], when: parent.succeeded)
      batch.add(change, [child.rowsChanged], whenAny: [child.changedRows, !child.failed])
    }
    #expect(try results[0].rows.map { try $0.get(Int.self, "n") } == [4, 5])
    #expect(results[0].completion?.rowsChanged == 2 && results[0].error == nil)
    #expect(results[1].error?.reason == .constraint && results[1].completion == nil)
    #expect(results[2].completion?.isSkipped == true)
    let sent = try #require(server.heard.first).batch
    #expect(!sent.atomic && sent.steps.count == 3)
    #expect(sent.steps[1].conditions.map(\.step) == [1] && sent.steps[2].any)
  }

  @Test func `an atomic batch that fails throws the step's error with its place`() async throws {
    let server = try await FakeServer { message, peer in
      var error = ProtoServerMessage.error(message.requestID, .alreadyExists, .constraint, step: 2)
      error.error.path = "insert.values"
      peer.say(.completion(message.requestID, step: 1), error, .error(message.requestID, .aborted, .batchAborted))
    }
    let database = try server.database()
    let error = await #expect(throws: RequestError.self) {
      try await database.batch([BatchStep(change), BatchStep(change)])
    }
    #expect(error?.reason == .constraint && error?.path == "steps[1].insert.values")
  }
}
