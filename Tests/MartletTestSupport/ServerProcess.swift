/// A server of this build as a process of its own, for what cannot be shown within one: kills, memory, signals.
///
/// Always true: the process is gone when the value is; it listens on a port that the system chose.
package import Foundation

package final class ServerProcess {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package let directory: String
  package let url: String
  private let process: Process

  /// Starts `martlet serve` on `directory` and waits until it listens; `descriptorLimit` is how many files it may have
  /// open, and `addressBytes` how much address space. `environment` is added to this process's. `folder` is where it
  /// runs, and `directory` may be relative to it. Its log, from `logLevel` on, goes to `errors`, or where this
  /// process's goes.
  package init(
    directory: String, arguments: [String] = [], environment: [String: String] = [:], descriptorLimit: Int? = nil,
    addressBytes: Int? = nil, errors: FileHandle? = nil, logLevel: String = "error",
    in folder: String? = nil
  ) throws {
    self.directory = directory
    let ready = (folder.map { $0 + "/" } ?? "") + directory + "-ready-\(UUID().uuidString)"
    process = Process()
    process.executableURL = URL(filePath: try Self.program())
    process.arguments =
      [
        "serve", "--data", directory, "--listen", "martlet://127.0.0.1:0", "--ready-file", ready, "--log-level",
        logLevel,
      ]
      + arguments
    let limits = [descriptorLimit.map { "ulimit -n \($0); " }, addressBytes.map { "ulimit -v \($0 >> 10); " }]
      .compactMap { $0 }.joined()
    if !limits.isEmpty {
      process.arguments =
        ["-c", "\(limits)exec \"$0\" \"$@\"", try Self.program()] + (process.arguments ?? [])
      process.executableURL = URL(filePath: "/bin/sh")
    }
    process.standardInput = FileHandle.nullDevice
    if let errors { process.standardError = errors }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    }
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    try process.run()
    url = try Self.firstLine(of: ready, whileRunning: process)
    try? FileManager.default.removeItem(atPath: ready)
  }

  deinit { kill() }

  package var isRunning: Bool { process.isRunning }

  package var processID: Int32 { process.processIdentifier }

  /// The URL of one of its databases.
  package func url(database: String) -> String { url + "/" + database }

  /// SIGKILL: nothing is flushed, nobody is told.
  package func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// SIGTERM, and the status it exits with.
  @discardableResult
  package func terminate() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// SIGTERM; waits for the end on a thread of its own, so that tasks of the test go on meanwhile.
  package func terminateWithoutBlocking() async {
    let process = process
    process.terminate()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        process.waitUntilExit()
        continuation.resume()
      }
    }
  }

  /// The memory that is resident now, in bytes.
  package func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconfPageSize
  }

  package func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count
  }

  /// Changes a soft limit of the system while the server runs, by its name for `prlimit`; the hard limit stays.
  package func limit(_ resource: String, to value: String) throws {
    let tool = try Process.run(
      URL(filePath: "/usr/bin/prlimit"), arguments: ["--pid", "\(processID)", "--\(resource)=\(value):"])
    tool.waitUntilExit()
    if tool.terminationStatus != 0 { throw Failure(description: "prlimit could not set \(resource) to \(value)") }
  }

  private var sysconfPageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

  /// The executable that was built beside the test bundle.
  package static func program() throws -> String {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var folders = [URL(filePath: bundle).deletingLastPathComponent()]
    folders.append(contentsOf: CommandLine.arguments.map { URL(filePath: $0).deletingLastPathComponent() })
    for folder in folders {
      let program = folder.appending(path: "martlet").path
      if FileManager.default.isExecutableFile(atPath: program) { return program }
    }
    throw Failure(description: "the executable martlet is not beside the tests: build the whole package first")
  }

  private static func firstLine(of path: String, whileRunning process: Process) throws -> String {
    var line = ""
    do {
      try waitUntil {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        line = text.split(separator: "\n").first.map(String.init) ?? ""
        guard !line.isEmpty || process.isRunning else {
          throw Failure(description: "the server ended before it was ready")
        }
        return !line.isEmpty
      }
    } catch is NeverMet {
      process.terminate()
      throw Failure(description: "the server was not ready within a minute")
    }
    return line
  }
}

/// A folder of a test's own that goes with it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "martlet-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// How large a run is: a number from the environment, or the one that suits a quick run.
package func scale(_ name: String, otherwise quick: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? quick
}
