/// The version that `scripts/package` puts into names and files is the program's.
import Foundation
import Testing

@testable import MartletCommand

struct ProgramVersionTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the script finds the program's version`() throws {
    let script = Process()
    let output = Pipe()
    script.executableURL = Self.root.appending(path: "scripts/version")
    script.standardOutput = output
    try script.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    script.waitUntilExit()
    #expect(script.terminationStatus == 0 && text == ProgramVersion.text + "\n", "\(text)")
    let package = try String(contentsOf: Self.root.appending(path: "scripts/package"), encoding: .utf8)
    #expect(package.contains("version=$(scripts/version)"))
  }
}
