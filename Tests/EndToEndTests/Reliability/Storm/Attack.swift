/// One way to misbehave, carried out by ordinary clients until it is told to stop.
///
/// Always true: an attack expects errors and counts the answers that it gets; when `run` returns, its connections are
/// closed.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Synchronization

struct Attack: Sendable {
  /// What all attacks of a storm share: when to stop, and what was answered.
  final class Course: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private let answers = Mutex<[String: Int]>([:])
    private let begun = Atomic(0)

    var goesOn: Bool { !isOver.load(ordering: .relaxed) }

    func end() {
      let waiting = self.waiting.withLock { waiting in
        isOver.store(true, ordering: .relaxed)
        defer { waiting = [] }
        return waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    /// Returns when it has ended.
    func over() async {
      await withCheckedContinuation { continuation in
        let isOver = waiting.withLock { waiting in
          if goesOn { waiting.append(continuation) }
          return !goesOn
        }
        if isOver { continuation.resume() }
      }
    }

    /// A client does the first thing that it has come for.
    func join() { begun.add(1, ordering: .relaxed) }

    /// How many clients have joined, and how many answers all have had.
    var clients: Int { begun.load(ordering: .relaxed) }
    var answerCount: Int { answers.withLock { $0.values.reduce(0, +) } }

    /// Counts an answer by the attack and what came: `rows`, or the reason of the error.
    func note(_ attack: String, _ answer: String) { answers.withLock { $0[attack + " " + answer, default: 0] += 1 } }

    var summary: String {
      answers.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
    }
  }

  let name: String
  /// Clients that do it at once.
  let clients: Int
  /// One round of one client; `round` counts from 0.
  let act: @Sendable (_ database: DatabaseClient, _ client: Int, _ round: Int) async throws -> Void
  /// Requests that share a connection.
  var requestsPerConnection = 1

  /// Runs until the course is over.
  func run(at url: String, _ course: Course) async throws {
    var configuration = ClientConfiguration()
    configuration.pipelineDepth = requestsPerConnection
    configuration.connectionsMax = (clients + requestsPerConnection - 1) / requestsPerConnection
    configuration.streamWindowBytes = 1
    let database = try DatabaseClient(url, configuration: configuration)
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<clients {
        group.addTask {
          var round = 0
          course.join()
          while course.goesOn {
            await attempt(database, client, round, course)
            round += 1
          }
        }
      }
    }
    await database.close()
  }

  private func attempt(_ database: DatabaseClient, _ client: Int, _ round: Int, _ course: Course) async {
    do {
      try await act(database, client, round)
      course.note(name, "answered")
    } catch let error as RequestError {
      course.note(name, error.reason.rawValue)
    } catch is CancellationError {
      course.note(name, "cancelled by itself")
    } catch {
      course.note(name, "\(type(of: error))")
      // A server that refuses connections is not asked again in a tight loop.
      try? await Task.sleep(for: .milliseconds(20))
    }
  }
}

// MARK: - The storm

extension Attack {
  /// The attacks that run side by side, as a bystander meets them at worst.
  static func storm(until course: Course) -> [Attack] {
    [
      heavyReads(64), pausedStreams(500, course), endlessWrites(8), cancelStorm(8), planChurn(4), hostileCalls(4),
    ]
  }

  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

  static func heavyReads(_ clients: Int) -> Attack {
    Attack(name: "heavy read", clients: clients) { database, _, _ in
      _ = try await database.fetchOne(
        .sql("\(endless) SELECT count(*) FROM n", isRead: true), deadline: .seconds(20))
    }
  }

  /// Streams of which nobody reads more than the first row.
  static func pausedStreams(_ clients: Int, _ course: Course) -> Attack {
    Attack(
      name: "paused stream", clients: clients,
      act: { database, _, _ in
        let rows = try await database.rows(
          .sql("SELECT a.id, a.note, b.id FROM items a, items b", isRead: true), deadline: .seconds(600))
        var iterator = rows.makeAsyncIterator()
        _ = try await iterator.next()
        // Held until the storm is over, however long that is.
        await course.over()
      }, requestsPerConnection: 90)
  }

  static func endlessWrites(_ clients: Int) -> Attack {
    Attack(name: "endless write", clients: clients) { database, _, _ in
      try await database.execute(.sql("\(endless) INSERT INTO storm_sink(a) SELECT i FROM n"))
    }
  }

  /// Reads and writes that are given up after a moment.
  static func cancelStorm(_ clients: Int) -> Attack {
    Attack(name: "cancel", clients: clients) { database, client, round in
      let statement =
        client % 2 == 0
        ? RemoteStatement.sql("\(endless) SELECT count(*) FROM n", isRead: true)
        : RemoteStatement.sql("UPDATE items SET note = note || '' WHERE id % 3 = 0")
      let request = Task { try await database.execute(statement) }
      // Any moment is to be met, so there is nothing to wait for.
      try await Task.sleep(for: .microseconds(500 + (client * 7919 + round * 104_729) % 8_000))
      request.cancel()
      _ = try await request.value
    }
  }

  /// A hundred thousand different statements.
  static func planChurn(_ clients: Int) -> Attack {
    Attack(name: "new shape", clients: clients) { database, client, round in
      let number = (round * clients + client) % 100_000
      _ = try await database.fetchOne(.sql("SELECT \(number) + ?1", isRead: true), [.integer(1)])
    }
  }

  /// The functions of SQLite with their worst arguments, one after another.
  static func hostileCalls(_ clients: Int) -> Attack {
    Attack(name: "call", clients: clients) { database, client, round in
      let call = HostileCall.all[(client + round) % HostileCall.all.count]
      _ = try await database.fetchOne(.sql(call.sql, isRead: true), call.parameters, deadline: .seconds(5))
    }
  }
}
