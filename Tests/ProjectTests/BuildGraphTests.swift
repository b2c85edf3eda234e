/// The server is built without swift-syntax, which takes longer to compile than everything else together.
///
/// Always true: what is looked at is the plan of the build that these tests are part of, so nothing is built for it.
import Foundation
import MartletTestSupport
import Testing

@Suite struct BuildGraphTests {
  /// SwiftPM's plan: for each output of a command, the command's name and inputs.
  private struct Plan {
    private var commands: [String: (name: String, inputs: [String])] = [:]

    init(_ text: String) {
      var name = ""
      var inputs: [String] = []
      for line in text.split(separator: "\n") {
        if line.hasPrefix("  \"C.") || line.hasPrefix("  \"<") {
          name = line.trimmingCharacters(in: CharacterSet(charactersIn: " \":"))
        } else if let list = Self.list(line, "inputs") {
          inputs = list
        } else if let list = Self.list(line, "outputs") {
          for output in list { commands[output] = (name, inputs) }
          inputs = []
        }
      }
    }

    private static func list(_ line: Substring, _ key: String) -> [String]? {
      let beginning = "    \(key): "
      guard line.hasPrefix(beginning) else { return nil }
      return try? JSONDecoder().decode([String].self, from: Data(line.dropFirst(beginning.count).utf8))
    }

    /// The commands that must run before there is such a file.
    func commands(behind product: String) -> Set<String> {
      var seen: Set<String> = []
      var names: Set<String> = []
      var pending = commands.keys.filter { $0.hasSuffix("/" + product) }
      while let path = pending.popLast() {
        guard seen.insert(path).inserted, let command = commands[path] else { continue }
        names.insert(command.name)
        pending += command.inputs
      }
      return names
    }
  }

  private static func plan() throws -> Plan {
    // .build/TRIPLE/debug/martlet is beside these tests, and .build/debug.yaml is the plan.
    let folder = URL(filePath: try ServerProcess.program()).deletingLastPathComponent()
    let path = folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: folder.lastPathComponent + ".yaml")
    return Plan(try String(contentsOf: path, encoding: .utf8))
  }

  private static func usesSwiftSyntax(_ commands: Set<String>) -> Bool {
    commands.contains { $0.contains("SwiftSyntax") || $0.contains("SwiftParser") || $0.contains("MartletMacros") }
  }

  @Test func `the server and its tools are built without swift-syntax`() throws {
    let plan = try Self.plan()
    let server = plan.commands(behind: "martlet")
    #expect(server.count > 20 && server.contains { $0.contains("MartletServer") })
    #expect(!Self.usesSwiftSyntax(server))
    // A program with macros needs it, so the look at the server would have found it.
    #expect(Self.usesSwiftSyntax(plan.commands(behind: "martletPackageTests.xctest")))
  }
}
