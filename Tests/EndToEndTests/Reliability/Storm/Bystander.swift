/// Somebody who only wants rows by their key and to insert one row at a time, while others misbehave.
///
/// Always true: it runs in processes of its own, so that only the server and the processors are shared with the attack.
import Foundation
import MartletTestSupport

struct Bystander {
  /// What a run of one kind of request measured.
  struct Measured: Decodable {
    var operations: Int
    var errors: Int
    var median: Double
    /// Microseconds.
    var percentile99: Double

    /// What a run measured that never began.
    static let none = Measured(operations: 0, errors: 1, median: 0, percentile99: 0)

    enum CodingKeys: String, CodingKey {
      case operations, errors
      case median = "p50_us"
      case percentile99 = "p99_us"
    }
  }

  struct Report {
    var reads: Measured
    var inserts: Measured
    /// The values of the inserts that were acknowledged.
    var acknowledged: Set<Int64> = []
  }

  /// The database's URL.
  let url: String
  /// Rows of the table that it reads.
  var rows = 20_000

  /// Reads on 8 connections and inserts on 2 for so many seconds; returns what both measured. A run whose server ends
  /// under it returns what was acknowledged until then.
  func run(seconds: Double) async throws -> Report {
    let folder = try TemporaryFolder()
    let values = folder.path + "/values"
    let reads = try start(["point-read", "--connections", "8"], seconds)
    let inserts = try start(["insert", "--connections", "2", "--ids-file", values], seconds)
    var report = Report(reads: try await Self.measured(reads), inserts: try await Self.measured(inserts))
    let lines = (try? String(contentsOfFile: values, encoding: .utf8)) ?? ""
    report.acknowledged = Set(lines.split(separator: "\n").compactMap { Int64($0) })
    return report
  }

  private func start(_ arguments: [String], _ seconds: Double) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments =
      ["bench"] + arguments + ["--url", url, "--duration", "\(seconds)", "--rows", "\(rows)", "--json"]
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  private static func measured(_ run: (process: Process, output: Pipe)) async throws -> Measured {
    // On a thread of its own, because reading waits until the process has ended.
    let text = await withCheckedContinuation { (continuation: CheckedContinuation<Data, Never>) in
      let handle = run.output.fileHandleForReading
      Thread.detachNewThread { continuation.resume(returning: handle.readDataToEndOfFile()) }
    }
    run.process.waitUntilExit()
    // A run that could not begin prints nothing.
    return (try? JSONDecoder().decode(Measured.self, from: text)) ?? .none
  }
}
