/// A Martlet server of this build, loaded by `martlet bench` and scanned by the Swift client.
///
/// Always true: the server is a process of its own on a port that the system chose, and ends with the run.
import Foundation
import MartletClient
import MartletValues

final class MartletRuns {
  struct Report: Decodable {
    let operations: Int
    let errors: Int
    let ops_per_second: Double
    let rows_per_second: Double
    let p50_us: Double
    let p99_us: Double
  }

  private let program: String
  private let server: Process
  let url: String
  /// Over TLS, where the server was told to listen for it second.
  private(set) var tlsURL = ""

  /// `arguments` are further ones of `martlet serve`; `name` tells the files of two servers apart. `listensElsewhere`:
  /// the arguments say where it listens.
  init(
    program: String, folder: String, name: String = "martlet", arguments: [String] = [], listensElsewhere: Bool = false
  ) throws {
    self.program = program
    let ready = folder + "/\(name).ready"
    server = try Processes.start(
      program,
      [
        "serve", "--data", folder + "/\(name)", "--ready-file", ready, "--log-level", "error",
      ] + (listensElsewhere ? [] : ["--listen", "martlet://127.0.0.1:0"]) + arguments)
    let deadline = ContinuousClock.now + .seconds(20)
    var text = ""
    while text.isEmpty, ContinuousClock.now < deadline {
      text = (try? String(contentsOfFile: ready, encoding: .utf8)) ?? ""
      if text.isEmpty { usleep(20_000) }
    }
    let lines = text.split(separator: "\n")
    guard let first = lines.first else {
      throw Processes.Failure(description: "the server did not become ready")
    }
    url = first + "/bench"
    if lines.count > 1 { tlsURL = lines[1] + "/bench" }
  }

  /// The server reads its configuration again.
  func hangUp() { kill(server.processIdentifier, SIGHUP) }

  /// A run that fails leaves no server behind.
  deinit { server.terminate() }

  func stop() {
    server.terminate()
    server.waitUntilExit()
  }

  func bench(
    _ workload: String, at url: String? = nil, connections: Int, pipeline: Int = 1, seconds: Int,
    arguments: [String] = []
  ) throws -> Report {
    let output = try Processes.run(
      program,
      [
        "bench", workload, "--url", url ?? self.url, "--connections", "\(connections)", "--pipeline", "\(pipeline)",
        "--duration", "\(seconds)", "--json",
      ] + arguments)
    let report = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    guard report.errors == 0 else {
      throw Processes.Failure(description: "martlet bench \(workload) had \(report.errors) errors")
    }
    return report
  }

  /// TPC-B's transactions a second; the tool itself compares the sums afterwards.
  func bank(mode: String, connections: Int, scale: Int, seconds: Int) throws -> Double {
    let output = try Processes.run(
      program,
      [
        "bench", "tpcb", "--url", url + "-bank", "--mode", mode, "--connections", "\(connections)",
        "--scale", "\(scale)", "--duration", "\(seconds)", "--json",
      ])
    let report = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    guard report.errors == 0 else {
      throw Processes.Failure(description: "martlet bench tpcb --mode \(mode) had \(report.errors) errors")
    }
    return report.ops_per_second
  }

  /// Rows a second of the Swift client reading every column of `items` into Swift values.
  func scan() async throws -> Double {
    let database = try DatabaseClient(url)
    let statement = RemoteStatement.sql("SELECT id, title, price, qty, note, created FROM items", isRead: true)
    let start = ContinuousClock.now
    var rows = 0
    var checksum: Int64 = 0
    for try await row in try await database.rows(statement) {
      checksum &+= try row.get(Int64.self, 0)
      checksum &+= Int64(try row.get(String.self, 1).utf8.count)
      checksum &+= Int64(try row.get(Double.self, 2))
      checksum &+= try row.get(Int64.self, 3)
      checksum &+= Int64(try row.get(String.self, 4).utf8.count)
      checksum &+= try row.get(Int64.self, 5)
      rows += 1
    }
    let seconds = (ContinuousClock.now - start).seconds
    await database.close()
    guard rows > 0, checksum != 0 else { throw Processes.Failure(description: "the scan read nothing") }
    return Double(rows) / seconds
  }

  /// The counters that show what a cached plan costs.
  func counters() async throws -> [String: Int64] {
    let database = try DatabaseClient(url)
    let inspection = try await database.inspect(shapes: 0)
    await database.close()
    return Dictionary(inspection.counters.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
