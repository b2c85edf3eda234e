/// What the macros make of declarations: texts to look at, in which a change of a macro shows.
///
/// Each of `Snapshots` is a source with its expansion beside it, which the compiler writes and this target leaves out.
/// `MARTLET_WRITE_PAGES=1 swift test --filter ExpansionTests` writes the snapshots anew; what changed is in the diff.
import Foundation
import MartletTestSupport
import Testing

@Suite struct ExpansionTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
  }()

  private static func text(_ file: String) throws -> String {
    try String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  /// All that the compiler wrote while it compiled a source, without the names that it makes up for the expansions.
  private func expansions(of name: String) throws -> (text: String, succeeded: Bool) {
    let options = try BuildProducts.besideTheTests().compilerOptions(module: "Expanded")
    let source = Self.folder.appending(path: name + ".swift").path
    let run = try CompilerRun.swiftc(
      ["-typecheck", "-Xfrontend", "-dump-macro-expansions"] + options + [source], in: TemporaryFolder())
    return (run.output.replacing(/@__swiftmacro_\S+/, with: "@macro"), run.succeeded)
  }

  @Test(arguments: names)
  func `a declaration becomes what its snapshot shows, and compiles`(name: String) throws {
    let run = try expansions(of: name)
    #expect(run.succeeded, "\(name).swift does not compile:\n\(run.text)")
    let snapshot = Self.folder.appending(path: name + ".expanded")
    if ProcessInfo.processInfo.environment["MARTLET_WRITE_PAGES"] != nil {
      try Data(run.text.utf8).write(to: snapshot)
    }
    let expected = try Self.text(name + ".expanded")
    let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let difference = lines.difference(from: expectedLines).map { change in
      switch change {
      case .insert(let offset, let line, _): "+ \(offset + 1): \(line)"
      case .remove(let offset, let line, _): "- \(offset + 1): \(line)"
      }
    }
    #expect(difference.isEmpty, "\(name): the expansion is not the snapshot's\n\(difference.joined(separator: "\n"))")
  }

  @Test func `every macro of the library is expanded in one of them`() throws {
    let declarations = BuildProducts.projectRoot.appending(path: "Sources/Martlet/Macros")
    let files = try FileManager.default.contentsOfDirectory(atPath: declarations.path)
    let macros = try files.flatMap { file in
      try String(contentsOf: declarations.appending(path: file), encoding: .utf8)
        .matches(of: /public macro (\w+)/).map { String($0.1) }
    }
    let sources = try Self.names.map { try Self.text($0 + ".swift") }.joined()
    #expect(macros.count > 8)
    for macro in Set(macros) {
      #expect(sources.contains("@\(macro)") || sources.contains("#\(macro)("), "\(macro) has no snapshot")
    }
  }
}
