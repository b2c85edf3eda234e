/// Every function with its worst input, from clients that mean it, beside somebody who only wants a row.
///
/// All of them: MARTLET_HOSTILE_CALLS=1000. Else a part, another one for each MARTLET_SEED.
import Foundation
import MartletAST
import MartletClient
import MartletTestSupport
import Testing

@Suite(.serialized) struct HostileFunctionsTests {
  private static let seconds = 2
  /// A generous bound, for a machine that runs other things too: the calls that this test is about took from tens of
  /// seconds to hours.
  private static let margin = Duration.seconds(4)
  /// The longest that one row may take for the one who reads it.
  private static let waitMax = Duration.seconds(2)

  /// Some of the calls, chosen by the seed.
  private static func chosen(_ calls: [WorstCall]) -> [WorstCall] {
    let count = scale("MARTLET_HOSTILE_CALLS", otherwise: 12)
    let seed = scale("MARTLET_SEED", otherwise: 0)
    let step = max(1, calls.count / max(1, count))
    return calls.enumerated().filter { $0.offset % step == seed % step }.map(\.element)
  }

  @Test func `nobody waits for a function with its worst input, and its statement ends at the deadline`() async throws {
    let server = try await HostileServer(["CREATE TABLE sink(a)"] + WorstCall.setup)
    let reader = PointReader(url: server.url)
    let quiet = try await reader.waits {}
    var slowest: (name: String, waits: PointReader.Waits) = ("nothing", quiet)
    for call in Self.chosen(WorstCall.all) {
      try await check(call, server.url)
      var took = Duration.zero
      let waits = try await reader.waits { took = try await attack(server, .sql(call.sql, isRead: true)) }
      #expect(waits.longestRead < Self.waitMax, "beside \(call.name): \(waits)")
      if !call.isOneStep { #expect(took < .seconds(Self.seconds) + Self.margin, "\(call.name) took \(took)") }
      if waits.longestRead > slowest.waits.longestRead { slowest = (call.name, waits) }
    }
    print(
      "hostile functions: \(Self.chosen(WorstCall.all).count) calls, quiet \(quiet.longestRead), "
        + "slowest beside \(slowest.name): \(slowest.waits.longestRead)")
    #expect(server.end() == 0)
  }

  @Test func `nobody who reads waits for a write that calls a function with its worst input`() async throws {
    let server = try await HostileServer(["CREATE TABLE sink(a)"] + WorstCall.setup)
    let reader = PointReader(url: server.url)
    for call in Self.chosen(WorstCall.all.filter { !$0.isOneStep }).prefix(scale("MARTLET_HOSTILE_CALLS", otherwise: 6))
    {
      var took = Duration.zero
      let waits = try await reader.waits {
        took = try await attack(server, .sql("INSERT INTO sink SELECT * FROM (\(call.sql))"))
      }
      #expect(waits.longestRead < Self.waitMax, "beside \(call.name): \(waits)")
      #expect(waits.writer < .seconds(2 * Self.seconds) + Self.margin, "beside \(call.name): \(waits)")
      #expect(took < .seconds(2 * Self.seconds) + Self.margin, "\(call.name) took \(took)")
    }
    #expect(server.end() == 0)
  }

  /// A call that SQLite refuses would prove nothing.
  private func check(_ call: WorstCall, _ url: String) async throws {
    let database = try DatabaseClient(url)
    let rows = try await database.fetchAll(.sql("EXPLAIN \(call.sql)", isRead: true))
    #expect(!rows.isEmpty, "\(call.name)")
    await database.close()
  }

  private func attack(_ server: HostileServer, _ statement: RemoteStatement) async throws -> Duration {
    try await server.attack(statement, times: 2, deadline: .seconds(Self.seconds))
  }
}
