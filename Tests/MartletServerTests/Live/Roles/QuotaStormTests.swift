/// Clients that do all they can to be counted wrongly, beside one that keeps its manners.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletServer

@Suite(.serialized) struct QuotaStormTests {
  private static let read = ClientMessage.Kind.execute(.init(source: .statement(QuotaServer.read.bytes)))

  private static var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4_096
  }

  /// Somebody else, who asks all the time and is answered each time; returns how often.
  private static func innocent(_ client: RawClient, while isGoingOn: @escaping @Sendable () -> Bool) -> () -> Int {
    let box = Served()
    Thread.detachNewThread {
      var id: UInt32 = 10
      while isGoingOn() {
        id += 1
        client.send(id, read)
        guard let answer = try? client.answer(id), answer.error == nil, answer.rows == [[1]] else {
          Issue.record("an innocent client was refused")
          break
        }
        box.count.add(1, ordering: .relaxed)
      }
      box.done.signal()
    }
    return {
      box.done.wait()
      return box.count.load(ordering: .relaxed)
    }
  }

  private final class Served: Sendable {
    let count = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
  }

  private final class Flag: Sendable {
    private let value = Atomic<Bool>(true)
    var isOn: Bool { value.load(ordering: .relaxed) }
    func lower() { value.store(false, ordering: .relaxed) }
  }

  @Test func `ten thousand refusals cost no memory and no descriptors, and a neighbour is served all the time`() throws
  {
    let server = try QuotaServer(["app": [.requestsPerSecond: 1, .connections: 3, .requestsInFlight: 2]])
    let tokens = try server.tokens("app", "app")
    let (client, neighbour) = (try server.connect(tokens[0]), try server.connect(try server.tokens("free")[0]))
    let flag = Flag()
    defer { flag.lower() }
    let served = Self.innocent(neighbour) { flag.isOn }
    func round(_ requests: UInt32, _ connections: Int) throws -> Int {
      var refused = 0
      for first in stride(from: UInt32(100), to: 100 + requests, by: 100) {
        client.send((first..<first + 100).flatMap { client.bytes($0, Self.read) })
        refused += try client.answers(Set(first..<first + 100)).values.filter { $0.error?.reason == .quota }.count
      }
      let held = try (0..<3).map { _ in try server.connect(tokens[1]) }
      for _ in 0..<connections {
        do { _ = try server.connect(tokens[1]) } catch let error as RequestError {
          refused += error.quota == .connections ? 1 : 0
        }
      }
      for one in held { one.close() }
      try waitUntil(within: .seconds(30)) { server.ledger.total.connections == 1 }
      return refused
    }
    _ = try round(1_000, 100)
    let (descriptors, memory) = (Self.descriptors, Self.residentBytes)
    let refused = try round(10_000, 500)
    #expect(refused >= 10_000, "\(refused)")
    try waitUntil("\(descriptors) -> \(Self.descriptors)", within: .seconds(30)) { Self.descriptors <= descriptors + 5 }
    let grown = Self.residentBytes - memory
    #expect(grown < 24 << 20, "\(grown)")
    flag.lower()
    let times = served()
    #expect(times > 10)
    #expect(server.ledger.total == (1, 0))
    // After its time the same client is served again.
    try waitUntil(within: .seconds(30)) {
      client.send(50, Self.read)
      return try client.answer(50).error == nil
    }
    client.close()
    try server.waitUntilEmpty()
    #expect(server.live.counter("quota_refusals") >= Int64(refused))
    print("quota storm: \(refused) refused, \(grown >> 10) KiB more, neighbour served \(times) times")
  }

  /// One thing that somebody does with a connection of his own; how it goes does not matter.
  private static let deeds: [@Sendable (MartletURL, String, inout SeededGenerator) throws -> Void] = [
    { url, token, generator in
      // Pipelining, and gone without having read.
      let client = try QuotaServer.connect(url, token)
      for id in UInt32(10)..<60 { client.send(id, read) }
      if Bool.random(using: &generator) { _ = try client.receive() }
      client.close()
    },
    { url, token, _ in
      let client = try QuotaServer.connect(url, token)
      let step = StatementStep(source: .statement(QuotaServer.read.bytes))
      for id in UInt32(10)..<20 {
        client.send(id, .batch(.init(steps: Array(repeating: step, count: 20), isAtomic: id % 2 == 0)))
      }
      _ = try client.answers([10])
      client.reset()
    },
    { url, token, generator in
      // Transactions that are left open, ended twice, or never began.
      let client = try QuotaServer.connect(url, token)
      for id in stride(from: UInt32(10), to: 60, by: 10) {
        client.send(id, .request(.begin(id % 20 == 0 ? .write : .read)))
        client.send(id + 1, .raw("SELECT 1", transaction: id))
        client.send(id + 2, .request(.finish(transaction: id, commit: Bool.random(using: &generator))))
        client.send(id + 3, .request(.finish(transaction: id, commit: true)))
        client.send(id + 4, .request(.savepoint(transaction: id, .release, number: 1)))
      }
      if Bool.random(using: &generator) { _ = try client.answers([53]) }
      client.close()
    },
    { url, token, generator in
      // Cancelled, in flight, again.
      let client = try QuotaServer.connect(url, token)
      for id in UInt32(10)..<30 {
        client.send(id, .raw(QuotaServer.endless))
        client.send(id, .cancel)
        client.send(id, .cancel)
      }
      if Bool.random(using: &generator) { _ = try client.answers(Set(10..<30)) } else { client.reset() }
    },
    { url, token, _ in
      // Half a hello, half a frame, an id twice.
      let client = try RawClient(url)
      client.send(Array(client.bytes(1, .hello(.init(database: "shop", credential: token))).dropLast(3)))
      let other = try QuotaServer.connect(url, token)
      other.send(Array(other.bytes(10, read).dropLast(1)))
      let third = try QuotaServer.connect(url, token)
      third.send(10, .raw(QuotaServer.endless))
      third.send(10, read)
      _ = try third.receiveUntilClosed()
    },
    { url, token, _ in
      // A setup, and one that is announced and never comes.
      let client = try RawClient(url)
      client.send(1, .hello(.init(database: "shop", setupFollows: true, credential: token)))
      let other = try RawClient(url)
      let view = ASTStatement.raw("CREATE TEMP VIEW v AS SELECT 1").bytes
      other.send(1, .hello(.init(database: "shop", setup: [view], credential: token)))
      _ = try other.receive()
      other.send(1, .hello(.init(database: "shop", credential: token)))
      _ = try other.receive()
    },
    { url, token, _ in
      // Rows that nobody takes.
      let client = try QuotaServer.connect(url, token)
      for id in UInt32(10)..<20 { client.send(id, .raw(QuotaServer.rows(100_000), credit: 1_000)) }
      _ = try client.receive()
      client.close()
    },
    { url, token, _ in
      for _ in 0..<10 { try? QuotaServer.connect(url, token).close() }
    },
  ]

  @Test func `whatever clients do, from many threads and through reloads, the counts are back at zero after it`() throws
  {
    let tight: [Quota: Int] = [
      .connections: 6, .requestsInFlight: 4, .requestsPerSecond: 2_000, .roleConnections: 20, .roleRequestsInFlight: 12,
      .roleRequestsPerSecond: 6_000, .deadlineMs: 300, .writeTransactionMs: 100,
    ]
    var limits = Limits()
    limits.helloDeadlineMs = 500
    let server = try QuotaServer(
      ["app": tight, "other": [.connections: 8, .requestsInFlight: 6]], loops: 4, limits: limits)
    let tokens = try server.tokens("app", "app", "app", "other", "other", "free")
    let neighbour = try server.connect(tokens[5])
    let flag = Flag()
    defer { flag.lower() }
    let served = Self.innocent(neighbour) { flag.isOn }
    let seed = UInt64(ProcessInfo.processInfo.environment["MARTLET_SEED"] ?? "") ?? 41
    let rounds = Int(ProcessInfo.processInfo.environment["MARTLET_QUOTA_ROUNDS"] ?? "") ?? 40
    let (group, url) = (DispatchGroup(), server.live.tcp)
    for thread in 0..<5 {
      group.enter()
      Thread.detachNewThread {
        var generator = SeededGenerator(seed: seed &+ UInt64(thread))
        for _ in 0..<rounds {
          let deed = Self.deeds[Int.random(in: 0..<Self.deeds.count, using: &generator)]
          try? deed(url, tokens[thread], &generator)
        }
        group.leave()
      }
    }
    var reloads = 0
    // Not a wait: reloads are part of the storm, one every so often until the clients have ended.
    while group.wait(timeout: .now() + .milliseconds(15)) == .timedOut {
      reloads += 1
      let round = reloads
      try server.reload { policy in
        switch round % 4 {
        case 0: policy.roles["app"]?.quotas = RoleQuotas()
        case 1: policy.roles["app"]?.quotas = RoleQuotas([.requestsInFlight: 2])
        case 2: policy.roles["other"]?.quotas = RoleQuotas(tight)
        default: break
        }
      }
    }
    flag.lower()
    #expect(served() > 10 && reloads > 3)
    try server.reload()
    try server.waitUntilEmpty()
    // Whoever was here last is not locked out: each may have all that its quotas allow.
    for token in tokens.prefix(3) {
      let clients = try (0..<6).map { _ in try server.connect(token) }
      #expect(throws: RequestError.quotaExceeded(.connections, 6)) { try server.connect(token) }
      for client in clients.prefix(4) {
        client.send(10, .raw(QuotaServer.endless))
      }
      try waitUntil(within: .seconds(30)) { server.ledger.total.inFlight == 4 }
      for client in clients.prefix(4) { #expect(try client.answer(10).error?.quota == .deadlineMs) }
      for client in clients { client.close() }
      try server.waitUntilEmpty()
    }
  }
}
