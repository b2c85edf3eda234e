/// Everybody misbehaves at once, and somebody who does not is served as before; nothing is lost at the end.
///
/// The full size is a minute: MARTLET_STORM_SECONDS=60. Times are compared with the same server's when it was quiet.
import Foundation
import MartletClient
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct StormTests {
  private static let seconds = scale("MARTLET_STORM_SECONDS", otherwise: 6)
  /// How much slower the slowest requests may become; a machine that runs other things needs more room.
  private static let ratioMax = Double(scale("MARTLET_STORM_RATIO", otherwise: 40))

  @Test func `a bystander is served through a storm, nothing of his fails, and the memory comes back`() async throws {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(directory: folder.path + "/data")
    let url = server.url(database: "storm")
    let bystander = Bystander(url: url)
    try await prepare(url)
    _ = try await bystander.run(seconds: 1)
    let quiet = try await bystander.run(seconds: Double(max(3, Self.seconds / 6)))
    let before = try await settled(server)

    let course = Attack.Course()
    let attacks = attack(url, course)
    let stormy = try await bystander.run(seconds: Double(Self.seconds))
    let most = try server.residentBytes()
    try await end(attacks, course)
    let bound = before + before / 10
    let after = try await least(server, orLessThan: bound)

    print(
      """
      storm of \(Self.seconds) s: reads p99 \(quiet.reads.percentile99) -> \(stormy.reads.percentile99) µs, \
      inserts p99 \(quiet.inserts.percentile99) -> \(stormy.inserts.percentile99) µs, \
      \(stormy.reads.operations) reads, \(stormy.inserts.operations) inserts, \
      memory \(before >> 20) -> \(most >> 20) -> \(after >> 20) MiB; \(course.summary)
      """)
    #expect(stormy.reads.errors == 0 && stormy.inserts.errors == 0)
    #expect(stormy.reads.operations > 0 && stormy.inserts.operations > 0)
    #expect(stormy.reads.percentile99 < Self.ratioMax * quiet.reads.percentile99)
    #expect(stormy.inserts.percentile99 < Self.ratioMax * quiet.inserts.percentile99)
    #expect(after <= bound)
  }

  @Test func `SIGTERM ends a server in the middle of a storm in time, with every acknowledged write on the disk`()
    async throws
  {
    let folder = try TemporaryFolder()
    var server = try ServerProcess(directory: folder.path + "/data")
    let url = server.url(database: "storm")
    try await prepare(url)
    _ = try await Bystander(url: url).run(seconds: 0.5)
    // It begins before the storm, so that it has written something when the signal comes.
    async let report = Bystander(url: url).run(seconds: 30)
    let watcher = try DatabaseClient(url)
    let before = try await inserts(watcher)
    try await suspendUntil { try await inserts(watcher) > before }
    await watcher.close()
    let course = Attack.Course()
    let attacks = attack(url, course)
    // Its middle: all who attack are there, and have been answered hundreds of times.
    let attackers = Attack.storm(until: course).reduce(0) { $0 + $1.clients }
    try await suspendUntil("\(course.clients) attack: \(course.summary)") {
      course.clients == attackers && course.answerCount >= 500
    }
    let drain = Duration.milliseconds(Limits().shutdownDrainMs)
    let begun = ContinuousClock.now
    let disk = DiskProbe(folder: folder.path, after: drain - .milliseconds(500))
    await server.terminateWithoutBlocking()
    let duration = ContinuousClock.now - begun
    let stall = disk.end()
    course.end()
    try await attacks.value
    let acknowledged = try await report.acknowledged
    print(
      "SIGTERM in a storm: gone after \(duration), the disk took \(stall); \(acknowledged.count) inserts acknowledged")
    // The log is synced and then the file, which a disk that stalls does as late as anything else.
    let limit: Duration = drain + .seconds(1) + stall + stall
    #expect(duration < limit)

    server = try ServerProcess(directory: folder.path + "/data")
    let database = try DatabaseClient(server.url(database: "storm"))
    var present: Set<Int64> = []
    for try await row in try await database.rows(.sql("SELECT value FROM inserts", isRead: true)) {
      present.insert(try row.get(Int64.self, 0))
    }
    await database.close()
    #expect(!acknowledged.isEmpty)
    #expect(acknowledged.subtracting(present).isEmpty)
  }

  // MARK: - Parts

  private func prepare(_ url: String) async throws {
    let database = try DatabaseClient(url, configuration: .init(createsDatabase: true))
    try await database.execute(.sql("CREATE TABLE storm_sink(a)"))
    await database.close()
  }

  /// How many rows the bystander has inserted.
  private func inserts(_ database: DatabaseClient) async throws -> Int64 {
    let row = try await database.fetchOne(.sql("SELECT count(*) FROM inserts", isRead: true))
    return try row?.get(Int64.self, 0) ?? 0
  }

  private func attack(_ url: String, _ course: Attack.Course) -> Task<Void, any Error> {
    Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for attack in Attack.storm(until: course) { group.addTask { try await attack.run(at: url, course) } }
        try await group.waitForAll()
      }
    }
  }

  /// What is still on its way is cancelled, all at once.
  private func end(_ attacks: Task<Void, any Error>, _ course: Attack.Course) async throws {
    course.end()
    attacks.cancel()
    try await attacks.value
  }

  /// The resident memory, as soon as it is within a bound, or the least of half a minute: statements and connections
  /// that nobody needs any more go within twenty seconds.
  private func least(_ server: ServerProcess, orLessThan bound: Int) async throws -> Int {
    var least = try server.residentBytes()
    do {
      try await suspendUntil(within: .seconds(30)) {
        least = min(least, try server.residentBytes())
        return least <= bound
      }
    } catch is NeverMet {
      // The caller compares.
    }
    return least
  }

  /// The resident memory once it has not become less for four seconds: the server gives back what nobody uses bit by
  /// bit, and nothing but time shows that it has ended.
  private func settled(_ server: ServerProcess) async throws -> Int {
    var least = try server.residentBytes()
    try await suspendUntilQuiet(looks: 4_000, within: .seconds(120)) {
      let bytes = try server.residentBytes()
      defer { least = min(least, bytes) }
      return bytes < least - least / 200
    }
    return least
  }
}
