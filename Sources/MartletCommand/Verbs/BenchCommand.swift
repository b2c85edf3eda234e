import ArgumentParser
import MartletClient
import MartletValues

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `martlet bench`: puts a load on a running server and measures it.
///
/// Always true: what was acknowledged is printed even if the server died under the load; the exit code is then 2. A
/// bank whose sums differ is exit code 3.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure a running server under a workload.",
    discussion: """
      Workloads:
      \(BenchLoad.list)

      What a workload needs is made in the database first: items with 1,000,000 rows (once), inserts with one row for \
      each acknowledged insert, upserts, bulk_items. A database that is not there is made, but for ping.

      tpcb makes a bank of --scale branches, with 10 tellers and 100,000 accounts each, and runs pgbench's default \
      transaction: as the statements of write { } (--mode interactive) or as one atomic batch (--mode batch). Then the \
      sums of accounts, tellers, branches and history must be the same, and the history hold every transaction that \
      was acknowledged. Its rows are those that it wrote.

      --json prints one object with the keys \(BenchReport.jsonKeys.joined(separator: ", ")). Latencies are in \
      microseconds, from writing a request to reading its acknowledgement.

      EXIT CODES: 0; 1 if the run could not begin; 2 if connections were lost under the load, after printing \
      what was acknowledged until then; 3 if the sums of tpcb differ; 64 for a command line that cannot be understood.

      EXAMPLES:
        martlet bench point-read --url martlet://localhost/bench --connections 64
        martlet bench insert --url martlet://localhost/bench --connections 64 --duration 5 --json
        martlet bench tpcb --url martlet://localhost/bench --connections 64 --mode batch
      """)

  @Argument(help: "The workload.")
  var workload: BenchLoad

  @Option(help: ArgumentHelp("The database's URL, such as martlet://localhost/bench.", valueName: "url/db"))
  var url: String

  @OptionGroup(title: "TLS and credentials") var security: SecurityOptions

  @Option(
    name: [.customLong("connections"), .customLong("clients")], help: "Connections that send at the same time.")
  var connections = 1

  @Option(help: "Requests in flight on each connection.")
  var pipeline = 1

  @Option(help: ArgumentHelp("How long to send, in seconds.", valueName: "seconds"))
  var duration = 10.0

  @Option(help: "Threads of the load tool itself.")
  var threads = 1

  @Option(help: "Rows that items holds at least.")
  var rows = BenchData.itemsDefault

  @Option(help: ArgumentHelp("A file for the value of each acknowledged insert, a line each.", valueName: "file"))
  var idsFile: String?

  @Option(help: "How tpcb sends a transaction: interactive or batch.")
  var mode = TPCBLoad.Mode.interactive

  @Option(help: "Branches of tpcb's bank; as many as connections by default, so that few wait for one branch.")
  var scale: Int?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    _ = try TypedURL(url).parsed()
    let pipelineMax = CommandLimits.pipelineMax
    guard (1...100_000).contains(connections) else { throw ValidationError("--connections is 1 to 100000.") }
    guard (1...pipelineMax).contains(pipeline) else { throw ValidationError("--pipeline is 1 to \(pipelineMax).") }
    let secondsMax = CommandLimits.loadSecondsMax
    guard duration > 0, duration <= Double(secondsMax) else {
      throw ValidationError("--duration is more than 0 and at most \(secondsMax).")
    }
    guard (1...64).contains(threads) else { throw ValidationError("--threads is 1 to 64.") }
    guard (1...100_000_000).contains(rows) else { throw ValidationError("--rows is 1 to 100000000.") }
    guard (1...1_000).contains(scale ?? 1) else { throw ValidationError("--scale is 1 to 1000.") }
    if workload == .tpcb {
      guard pipeline == 1 else { throw ValidationError("tpcb's transactions are one at a time on each connection.") }
      guard idsFile == nil else { throw ValidationError("--ids-file is for inserts, and tpcb is not of them.") }
      let most = CommandLimits.transactionConnectionsMax
      guard connections <= most else { throw ValidationError("--connections is 1 to \(most) for tpcb.") }
    }
  }

  func run() async throws {
    switch workload {
    case .requests(let workload):
      let result = try await Self.explained { try await measure(workload) }
      try tell(result, of: workload.rawValue)
    case .tpcb: try await runTPCB()
    }
  }

  private static func explained<Success>(_ body: () async throws -> Success) async throws -> Success {
    do {
      return try await body()
    } catch {
      throw CommandFailure.explaining(error, hasTimeout: false)
    }
  }

  private func tell(_ result: LoadResult, of workload: String) throws {
    let report = result.report(workload: workload, connections: connections, pipeline: pipeline)
    try StandardOutput.write(Array(((json ? report.json : report.text) + "\n").utf8), to: STDOUT_FILENO)
    if let complaint = result.complaint { StandardOutput.complain("The first error: \(complaint)\n") }
    if result.connectionsLost > 0 {
      StandardOutput.complain("\(result.connectionsLost) of \(connections) connections were lost.\n")
      throw ExitCode(2)
    }
  }

  // MARK: - TPC-B

  private func runTPCB() async throws {
    let scale = scale ?? connections
    let database = try await DatabaseArgument.connect(to: url, security: security, createsDatabase: true)
    let bank = TPCBBank(database: database, scale: scale)
    let load = TPCBLoad(
      url: url, security: security, mode: mode, clients: connections, scale: scale, seconds: duration)
    let (before, result) = try await Self.explained {
      try await bank.prepare()
      return (try await bank.sums(), try await load.run())
    }
    try tell(result, of: "tpcb \(mode.rawValue)")
    let after = try await Self.explained { try await bank.sums() }
    await database.close()
    guard let fault = TPCBBank.fault(before: before, after: after, acknowledged: result.operations) else { return }
    StandardOutput.complain(fault + "\n")
    throw ExitCode(3)
  }

  // MARK: - Requests

  private func measure(_ workload: Workload) async throws -> LoadResult {
    let url = try MartletURL(url)
    let address = try HostAddress.resolve(url)
    // A ping needs nothing of the database, and a name that is mistyped is to be told.
    let database = try await DatabaseArgument.connect(
      to: self.url, security: security, createsDatabase: workload != .ping)
    let requests: [LoadPlan.Request?]
    do {
      requests = try await BenchPreparation(database: database, workload: workload, itemCount: rows).run()
    } catch {
      await database.close()
      throw error
    }
    await database.close()
    var plan = LoadPlan(
      workload: workload, address: address, database: url.database ?? "", connections: 0..<connections,
      pipeline: pipeline, seconds: duration, requests: requests, itemCount: rows,
      run: UInt64.random(in: 0..<(1 << 20)), idsDescriptor: try openIDs())
    defer { if let descriptor = plan.idsDescriptor { close(descriptor) } }
    plan.credential = try await security.token()
    if case .tls(let host, _) = url.address { plan.encryption = (try security.context(), host) }
    return try await run(plan)
  }

  private func run(_ plan: LoadPlan) async throws -> LoadResult {
    let share = (connections + threads - 1) / threads
    return try await withThrowingTaskGroup(of: LoadResult.self) { group in
      for first in stride(from: 0, to: connections, by: share) {
        var part = plan
        part.connections = first..<min(first + share, connections)
        group.addTask { [part] in try await LoadLoop.run(part) }
      }
      var sum: LoadResult?
      for try await part in group {
        if sum == nil { sum = part } else { sum?.merge(part) }
      }
      return sum ?? LoadResult()
    }
  }

  private func openIDs() throws -> Int32? {
    guard let idsFile else { return nil }
    let descriptor = open(idsFile, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure.fileNotMade(idsFile)
    }
    return descriptor
  }
}

extension BenchLoad: ExpressibleByArgument {
  init?(argument: String) { self.init(name: argument) }

  static var allValueStrings: [String] { all.map(\.name) }
}

extension TPCBLoad.Mode: ExpressibleByArgument {}
