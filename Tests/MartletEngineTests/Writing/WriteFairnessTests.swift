/// One writer, and clients that would keep it: endless writes, transactions that say nothing, time-outs over and over.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletEngine

@Suite(.serialized) struct WriteFairnessTests {
  private static let endless = Trees.raw(
    "INSERT INTO log(note) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT NULL FROM n "
      + "WHERE i < 0")

  private func deadline(ms: Int) -> MonotonicTime { EngineConfiguration.systemClock().advanced(milliseconds: ms) }

  private func start(
    _ statement: [UInt8], _ values: [Value] = [], session: UInt64, request: UInt32 = 1, ms: Int, in shop: Shop
  ) -> RequestToken {
    let token = RequestToken(session: session, request: request)
    let request = StatementRequest(source: .statement(statement), parameters: values, deadline: deadline(ms: ms))
    _ = shop.database.start(request, token: token, sink: shop.sink)
    return token
  }

  /// One that takes a while, and less than a slice.
  private static func counted(to end: Int) -> [UInt8] {
    Trees.raw(
      "INSERT INTO log(note) SELECT max(i) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i "
        + "< \(end)) SELECT i FROM n)")
  }

  /// Looks around when its first answer comes: on the writer's thread, which does nothing else meanwhile.
  private final class LookingSink: ReplySink {
    let own = CollectingSink()
    let found = Mutex<Int?>(nil)
    private let look: @Sendable () -> Int

    init(_ look: @escaping @Sendable () -> Int) { self.look = look }

    func deliver(_ event: ReplyEvent, to token: RequestToken) {
      found.withLock { $0 = $0 ?? look() }
      own.deliver(event, to: token)
    }
  }

  @Test func `sessions with many writes just below a slice keep nobody waiting for all of them`() throws {
    // A slice that none of them reaches, and that several do together.
    let shop = try Shop { $0.limits.writeSliceMs = 25 }
    let statement = Self.counted(to: 6_000)
    var others: [RequestToken] = []
    shop.together {
      for request in 1...30 {
        for session in 1...8 as ClosedRange<UInt64> {
          others.append(start(statement, session: session, request: UInt32(request), ms: 30_000, in: shop))
        }
      }
    }
    let bystander = start(Shop.insertItem, [1, nil, 1], session: 99, ms: 30_000, in: shop)
    let first = try #require(shop.sink.outcome(of: bystander).completion?.commitSequence)
    let after = others.filter { (shop.sink.outcome(of: $0).completion?.commitSequence ?? 0) > first }
    #expect(after.count > 120, "more than half of them were still to come: \(after.count)")
    let sequences = others.compactMap { shop.sink.outcome(of: $0).completion?.commitSequence }
    #expect(sequences.count == others.count, "none of them failed")
    // Each session's writes are in its own order, but for one that this machine held up for longer than a slice.
    for session in 0..<8 where shop.counter("writes_undone_for_others") == 0 {
      let own = Swift.stride(from: session, to: sequences.count, by: 8).map { sequences[$0] }
      #expect(own == own.sorted())
    }
    #expect(try shop.base.sql("SELECT count(*) FROM log").rows == [[240]])
  }

  @Test func `writes that fail do not keep the others from their turn either`() throws {
    let shop = try Shop { $0.limits.writeSliceMs = 25 }
    let failing = Trees.raw(
      "INSERT INTO item(id, qty) SELECT 1, -max(i) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        + "WHERE i < 6000) SELECT i FROM n)")
    var others: [RequestToken] = []
    shop.together {
      for request in 1...200 {
        others.append(start(failing, session: 1, request: UInt32(request), ms: 30_000, in: shop))
      }
    }
    let (last, sink) = (Array(others.suffix(50)), shop.sink)
    let looking = LookingSink { last.filter { !sink.events(of: $0).isEmpty }.count }
    let bystander = RequestToken(session: 99, request: 1)
    let request = StatementRequest(
      source: .statement(Shop.insertItem), parameters: [7, nil, 1],
      deadline: deadline(ms: 30_000))
    _ = shop.database.start(request, token: bystander, sink: looking)
    #expect(looking.own.outcome(of: bystander).error == nil)
    #expect(looking.found.withLock { $0 } == 0, "they were still to come")
    for token in others { #expect(shop.sink.outcome(of: token).error?.reason == .constraint) }
  }

  @Test func `a batch of independent steps whose turn ends goes on where it was, in order and once`() throws {
    let shop = try Shop { $0.limits.writeSliceMs = 25 }
    let steps = (0..<40).map { _ in StatementStep(source: .statement(Self.counted(to: 3_000)), parameters: []) }
    var tokens: [RequestToken] = []
    shop.together {
      for session in 1...4 as ClosedRange<UInt64> {
        let token = RequestToken(session: session, request: 1)
        _ = shop.database.start(
          BatchRequest(steps: steps, isAtomic: false, deadline: deadline(ms: 30_000)), token: token, sink: shop.sink)
        tokens.append(token)
      }
    }
    for token in tokens { #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 40) }
    #expect(try shop.base.sql("SELECT count(*) FROM log").rows == [[160]])
  }

  @Test func `where the queue is full, whoever has the most waiting is refused`() throws {
    let shop = try Shop { limits in
      limits.limits.writeQueueMax = 20
      limits.limits.groupMembersMax = 20
    }
    var greedy: [RequestToken] = []
    var modest: RequestToken?
    shop.together {
      for request in 1...20 {
        let values: [Value] = [.integer(Int64(request)), nil, 1]
        greedy.append(
          start(Shop.insertItem, values, session: 1, request: UInt32(request), ms: 30_000, in: shop))
      }
      modest = start(Shop.insertItem, [100, nil, 1], session: 2, ms: 30_000, in: shop)
    }
    #expect(shop.sink.outcome(of: try #require(modest)).error == nil)
    let errors = greedy.map { shop.sink.outcome(of: $0).error }
    #expect(errors.last??.reason == .overloaded && errors.dropLast().allSatisfy { $0 == nil })
  }

  @Test func `a write that was undone for others and comes too late is not told that it never ran`() throws {
    let shop = try Shop()
    var id: Int64 = 0
    for round in 1...5 {
      let undone = shop.counter("writes_undone_for_others")
      let heavy = start(Self.endless, session: 10, request: UInt32(round), ms: 600, in: shop)
      while shop.sink.events(of: heavy).isEmpty {
        id += 1
        try shop.base.run(Shop.insertItem, [.integer(id), nil, 1])
      }
      let error = try #require(shop.sink.outcome(of: heavy).error)
      #expect(error.reason == .deadline)
      let hasBegun = shop.counter("writes_undone_for_others") > undone
      #expect(!hasBegun || error.message.contains("while it ran"), "\(error.message)")
    }
    #expect(shop.counter("writes_undone_for_others") > 0)
  }

  @Test func `ordinary writes go on beside writes without an end, which end at their deadline`() throws {
    let shop = try Shop()
    let heavy = (1...8).map { start(Self.endless, session: $0 + 10, ms: 4_900, in: shop) }
    for id in 1...200 { try shop.base.run(Shop.insertItem, [.integer(Int64(id)), nil, 1]) }
    let left = heavy.filter { shop.sink.events(of: $0).isEmpty }
    #expect(!left.isEmpty, "two hundred writes took less time than one without an end")
    for token in heavy { #expect(shop.sink.outcome(of: token).error?.reason == .deadline) }
    #expect(shop.counter("writes_undone_for_others") > 0)
    #expect(try shop.base.run(Trees.select(["id"], from: "log")).rows.isEmpty)
    #expect(try shop.base.run(Shop.items).rows.count == 200)
  }

  @Test func `a write may not ask for more than the longest time of a write; what nobody chose is cut to it`() throws {
    let shop = try Shop { limits in
      limits.limits.writeTimeMaxMs = 400
      limits.limits.longWriteTurnMaxMs = 200
    }
    let step = StatementStep(source: .statement(Self.endless), parameters: [])
    for (number, mayShorten) in [false, true].enumerated() {
      for isBatch in [false, true] {
        let token = RequestToken(session: 40, request: UInt32(number * 2 + (isBatch ? 1 : 0) + 1))
        if isBatch {
          var batch = BatchRequest(steps: [step], isAtomic: true, deadline: deadline(ms: 600_000))
          batch.mayShortenDeadline = mayShorten
          _ = shop.database.start(batch, token: token, sink: shop.sink)
        } else {
          var request = StatementRequest(source: .statement(Self.endless), deadline: deadline(ms: 600_000))
          request.mayShortenDeadline = mayShorten
          _ = shop.database.start(request, token: token, sink: shop.sink)
        }
        let error = shop.sink.outcome(of: token).error
        if mayShorten {
          #expect(error?.reason == .deadline)
          #expect(error?.message.contains("write-time-max-ms") == true, "\(error?.message ?? "none")")
        } else {
          #expect(error?.code == .invalidArgument && error?.reason == .limit)
          #expect(error?.message.contains("400 ms") == true)
        }
      }
    }
    // Reads have the server's longest deadline.
    #expect(shop.sink.outcome(of: start(Shop.items, session: 41, ms: 600_000, in: shop)).error == nil)
    #expect(try shop.base.run(Trees.select(["id"], from: "log")).rows.isEmpty)
  }

  @Test func `a long write that has to give way is done in the end, once`() throws {
    let shop = try Shop { $0.limits.writeSliceMs = 1 }
    let fill = Trees.raw(
      "INSERT INTO log(note) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) "
        + "SELECT 'x' FROM n")
    let token = start(fill, session: 20, ms: 5_000, in: shop)
    var id: Int64 = 0
    while shop.sink.events(of: token).isEmpty {
      id += 1
      try shop.base.run(Shop.insertItem, [.integer(id), nil, 1])
    }
    #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 60_000)
    #expect(try shop.base.sql("SELECT count(*) FROM log").rows == [[60_000]])
  }

  @Test func `a batch of independent steps that has to give way goes on at the step where it was`() throws {
    let shop = try Shop { $0.limits.writeSliceMs = 1 }
    let steps = (1...400).map {
      StatementStep(
        source: .statement(Shop.insertItem), parameters: [.value(.integer($0)), .value(nil), .value(1)])
    }
    let token = RequestToken(session: 30, request: 1)
    _ = shop.database.start(
      BatchRequest(steps: steps, isAtomic: false, deadline: deadline(ms: 5_000)), token: token, sink: shop.sink)
    var id: Int64 = 1_000
    while shop.sink.events(of: token).isEmpty {
      id += 1
      try shop.base.run(Shop.insertItem, [.integer(id), nil, 1])
    }
    #expect(shop.sink.outcome(of: token).completion?.rowsChanged == 400)
    #expect(try shop.base.sql("SELECT count(*) FROM item WHERE id <= 400").rows == [[400]])
  }

  @Test func `a write that comes back after its deadline is undone`() throws {
    let looks = Atomic<Int>(.max)
    let writer = Atomic<pthread_t>(0)
    let shop = try Shop {
      $0.clock = {
        // Of the writer's looks one after the other is the first that is late; others look at the clock as well.
        let isWriter = writer.load(ordering: .relaxed) == pthread_self()
        let isLate = isWriter && looks.subtract(1, ordering: .relaxed).newValue < 0
        return EngineConfiguration.systemClock().advanced(milliseconds: isLate ? 60_000 : 0)
      }
    }
    // Answers of writes come from the writer's thread.
    let looking = LookingSink {
      writer.store(pthread_self(), ordering: .relaxed)
      return 1
    }
    let first = RequestToken(session: 1, request: 1)
    let write = StatementRequest(
      source: .statement(Shop.insertItem), parameters: [100, nil, 1], deadline: deadline(ms: 4_000))
    _ = shop.database.start(write, token: first, sink: looking)
    try #require(looking.own.outcome(of: first).error == nil)

    var late = 0
    for look in 1...8 {
      let token = RequestToken(session: 2, request: UInt32(look))
      let request = StatementRequest(
        source: .statement(Shop.insertItem), parameters: [.integer(Int64(look)), nil, 1], deadline: deadline(ms: 4_000))
      looks.store(look, ordering: .relaxed)
      _ = shop.database.start(request, token: token, sink: shop.sink)
      let outcome = shop.sink.outcome(of: token)
      looks.store(.max, ordering: .relaxed)
      let isThere = try !shop.base.sql("SELECT 1 FROM item WHERE id = \(look)").rows.isEmpty
      #expect(isThere == (outcome.error == nil), "\(look)")
      if outcome.error == .deadlineMissed { late += 1 }
    }
    #expect(late > 0)
  }

  @Test func `a thousand transactions that say nothing keep nobody from writing`() throws {
    let shop = try Shop()
    let begins = (1...1_000).map { number in
      let token = RequestToken(session: UInt64(100 + number), request: 1)
      return (token, shop.database.begin(.write, deadline: deadline(ms: 60_000), token: token, sink: shop.sink))
    }
    for id in 1...40 { try shop.base.run(Shop.insertItem, [.integer(Int64(id)), nil, 1]) }
    let ends = begins.compactMap { begin in
      shop.sink.events(of: begin.0).lazy.compactMap {
        if case .transactionEnded(let error, _) = $0 { error } else { nil }
      }
      .first
    }
    #expect(!ends.isEmpty && ends.allSatisfy { $0.isRetryable && $0.reason == .transactionEnded })
    #expect(ends.count < 900, "the writes did not wait for all of them")
    for begin in begins { begin.1.abandon() }
    try shop.base.run(Shop.insertItem, [100, nil, 1])
  }

  @Test func `time-outs over and over reach nobody but their owners`() throws {
    let shop = try Shop()
    let isOver = Atomic<Bool>(false)
    let failures = Mutex<[RequestError]>([])
    let written = Atomic<Int>(0)
    let survivors = Atomic<Int>(0)
    let end = ContinuousClock.now + .seconds(scale("MARTLET_TIMEOUT_STORM_SECONDS", otherwise: 3))
    onThreads(5) { client in
      let sink = CollectingSink()
      var number: UInt32 = 0
      while client == 4 ? ContinuousClock.now < end : !isOver.load(ordering: .relaxed) {
        number += 1
        let token = RequestToken(session: UInt64(client + 1), request: number)
        let id = Value.integer(Int64(client) << 32 | Int64(number))
        let (statement, values): ([UInt8], [Value]) =
          switch client {
          case 4: (Self.endless, [])
          case 3: (Trees.raw("SELECT max(id) FROM item"), [])
          default: (Shop.insertItem, [id, nil, 1])
          }
        let request = StatementRequest(
          source: .statement(statement), parameters: values, deadline: deadline(ms: client == 4 ? 20 : 4_900))
        let execution = shop.database.start(request, token: token, sink: sink)
        if client == 4, number % 7 == 0 { execution.cancel() }
        let error = sink.outcome(of: token).error
        if client == 4, error == nil { survivors.add(1, ordering: .relaxed) }
        if client < 4, let error { failures.withLock { $0.append(error) } }
        if client < 3, error == nil { written.add(1, ordering: .relaxed) }
      }
      if client == 4 { isOver.store(true, ordering: .relaxed) }
    }
    #expect(failures.withLock { $0 }.isEmpty && survivors.load(ordering: .relaxed) == 0)
    let count = Int64(written.load(ordering: .relaxed))
    #expect(try shop.base.sql("SELECT count(*) FROM item").rows == [[.integer(count)]] && count > 20)
    #expect(shop.counter("databases_fenced") == 0 && shop.counter("connection_recoveries") == 0)
  }

  /// Runs `body` on so many threads, and waits for them.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    group.wait()
  }
}
