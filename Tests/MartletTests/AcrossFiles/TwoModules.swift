/// A library's module, built, and a program's module, of which each use of a type is a file.
///
/// Always true: what is compiled is what the folder `Sources` holds, with the modules that the package's build left.
import Foundation
import MartletTestSupport

struct TwoModules: Sendable {
  struct Use: Sendable {
    let name: String
    let text: String
  }

  let uses: [Use]
  private let options: [String]
  private let tables: [String]
  private let folder: TemporaryFolder

  static let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Sources")

  init() throws {
    folder = try TemporaryFolder()
    let products = try BuildProducts.besideTheTests()
    let library = ["Tables", "Groups", "Rows"].map { Self.sources.appending(path: "Bookshelf/\($0).swift").path }
    let module = folder.path + "/Bookshelf.swiftmodule"
    let build = ["-emit-module", "-parse-as-library", "-emit-module-path", module]
    let run = try CompilerRun.swiftc(
      build + products.compilerOptions(module: "Bookshelf") + library, in: folder)
    guard run.succeeded else { throw VerifyingCompiler.Failure(description: run.output) }
    options = try products.compilerOptions(module: "Program") + ["-I", folder.path]
    tables = ["Tables", "Functions"].map { Self.sources.appending(path: "Program/\($0).swift").path }
    let text = try String(contentsOf: Self.sources.appending(path: "Program/Uses.swift"), encoding: .utf8)
    uses = text.split(separator: "// --- ").dropFirst().enumerated().map { number, part in
      let lines = part.split(separator: "\n", maxSplits: 1)
      return Use(name: "Use\(number)", text: String(lines.last ?? ""))
    }
  }

  private static let imports = "import Bookshelf\nimport Martlet\n\n"

  private func write(_ use: Use, _ text: String, to name: String) throws -> String {
    let path = folder.path + "/\(name)\(use.name).swift"
    try Data((Self.imports + text).utf8).write(to: URL(filePath: path))
    return path
  }

  /// What the compiler says of the use as the only one of its file, and the only file that it looks at.
  func complaint(aboutFileOf use: Use, isFirst: Bool) throws -> String? {
    let primary = ["-primary-file", try write(use, use.text, to: "Only")]
    let inputs = isFirst ? primary + tables : tables + primary
    let run = try CompilerRun.swiftc(["-frontend", "-typecheck", "-parse-as-library"] + inputs + options, in: folder)
    return run.succeeded ? nil : "\(use.text)\(run.output)"
  }

  /// What it says of all files, each use in a type of its own.
  func complaint(aboutAll isWhole: Bool, isReversed: Bool) throws -> String? {
    let uses = try uses.map { try write($0, "struct \($0.name) {\n\($0.text)}\n", to: "One") }
    let paths = isReversed ? uses.reversed() + tables : tables + uses
    let inputs = isWhole ? paths : paths.flatMap { ["-primary-file", $0] }
    let run = try CompilerRun.swiftc(["-frontend", "-typecheck", "-parse-as-library"] + inputs + options, in: folder)
    return run.succeeded ? nil : run.output
  }
}
