/// Runs other programs and waits for what they print.
///
/// Always true: a program that outlives its use is ended when its owner is, so a benchmark leaves nothing behind.
import Foundation

enum Processes {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program to its end and gives what it printed. Throws where it exits with anything but 0.
  @discardableResult
  static func run(_ program: String, _ arguments: [String], as user: String? = nil, quiet: Bool = false) throws
    -> String
  {
    let process = Process()
    prepare(process, program, arguments, user: user)
    let output = Pipe()
    process.standardOutput = quiet ? FileHandle.nullDevice : output
    process.standardError = FileHandle.standardError
    try launch(process)
    let data = quiet ? Data() : output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(program) \(arguments.joined(separator: " ")) exited with \(process.terminationStatus)\n\(text)")
    }
    return text
  }

  /// Starts a program that goes on in the background.
  static func start(_ program: String, _ arguments: [String], as user: String? = nil) throws -> Process {
    let process = Process()
    prepare(process, program, arguments, user: user)
    process.standardOutput = FileHandle.standardError
    try launch(process)
    return process
  }

  /// The same, with a pipe to what it prints.
  static func startReading(_ program: String, _ arguments: [String]) throws -> (Process, Pipe) {
    let process = Process()
    prepare(process, program, arguments, user: nil)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try launch(process)
    return (process, output)
  }

  /// Starts it with no signal blocked: a child inherits the mask of the thread that starts it, and the threads that
  /// tasks run on may block every signal. `pgbench -T` and `timeout` wait for SIGALRM and would never end.
  private static func launch(_ process: Process) throws {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  static func isRoot() -> Bool { getuid() == 0 }

  private static func prepare(_ process: Process, _ program: String, _ arguments: [String], user: String?) {
    var words = [program] + arguments
    if let user, isRoot() { words = ["runuser", "-u", user, "--"] + words }
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
  }
}

/// A folder of its own for one run, gone when the run ends.
struct Workplace {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "martlet-bench-\(getpid())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // PostgreSQL's own user must be able to reach its folder inside.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
