/// One run of the compiler, as tests need it.
///
/// Always true: what it wrote, and what it leaves where it crashes, is in the folder that it was given.
import Foundation

package struct CompilerRun {
  /// What it wrote to both of its outputs.
  package let output: String
  package let succeeded: Bool

  package static func swiftc(_ arguments: [String], in folder: TemporaryFolder) throws -> CompilerRun {
    let output = folder.path + "/output-\(UUID().uuidString)"
    guard FileManager.default.createFile(atPath: output, contents: nil),
      let handle = FileHandle(forWritingAtPath: output)
    else { throw BuildProducts.Failure(description: "the compiler's output cannot be written to \(output)") }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let succeeded = process.terminationReason == .exit && process.terminationStatus == 0
    return CompilerRun(output: text, succeeded: succeeded)
  }
}
