/// The built `martlet`, run as a person runs it.
///
/// Always true: a run that does not end within a minute is killed and fails.
import Foundation
import MartletTestSupport

struct Martlet {
  struct Outcome {
    var status: Int32
    var output: String
    var complaint: String

    /// Standard output's lines.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// `inputPath`: what is at that path is standard input, in the place of a text. `outputPath`: standard output goes
  /// there, and not into the outcome.
  static func run(
    _ arguments: [String], input: String? = nil, inputPath: String? = nil, outputPath: String? = nil
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: try ServerProcess.program())
    process.arguments = arguments
    // Files instead of pipes, so that no amount of output can stop the program.
    let names = ["in", "out", "err"].map { folder.path + "/" + $0 }
    try Data((input ?? "").utf8).write(to: URL(filePath: names[0]))
    for name in names[1...] { _ = FileManager.default.createFile(atPath: name, contents: nil) }
    process.standardInput = FileHandle(forReadingAtPath: inputPath ?? names[0])
    process.standardOutput = FileHandle(forWritingAtPath: outputPath ?? names[1])
    process.standardError = FileHandle(forWritingAtPath: names[2])
    try process.run()
    let watchdog = DispatchWorkItem { [process] in process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
    process.waitUntilExit()
    watchdog.cancel()
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOfFile: names[1], encoding: .utf8),
      complaint: try String(contentsOfFile: names[2], encoding: .utf8))
  }
}
