/// Type-checks a file against the modules that these tests were built with.
///
/// Always true: nothing is built or written outside of a temporary directory.
import Foundation
import MartletTestSupport

struct Checker {
  private let compiler: String
  private let flags: [String]

  /// Nil where the compiler or the plug-in of the macros cannot be found.
  static let found = Checker()

  private init?() {
    guard let compiler = Self.compiler(), let folder = Self.buildFolder() else { return nil }
    let files = FileManager.default
    let plugin = ["MartletMacros-tool", "MartletMacros"].map { "\(folder)/\($0)" }.first(where: files.fileExists)
    guard let plugin else { return nil }
    self.compiler = compiler
    var flags = ["-typecheck", "-swift-version", "6", "-module-name", "Pieces", "-diagnostic-style=llvm"]
    flags += ["-I", "\(folder)/Modules", "-load-plugin-executable", "\(plugin)#MartletMacros"]
    for map in Self.moduleMaps(folder) {
      flags += ["-Xcc", "-fmodule-map-file=\(map)", "-Xcc", "-I", "-Xcc", (map as NSString).deletingLastPathComponent]
    }
    for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
      flags += ["-enable-upcoming-feature", feature]
    }
    self.flags = flags
  }

  /// What the compiler says about `source`.
  func check(_ source: String) throws -> String {
    let directory = TemporaryDirectory(name: "martlet-pieces")
    let file = directory.path + "/pieces.swift"
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments = flags + [file]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  private static func compiler() -> String? {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    // Beside the `swift` that a wrapper may stand in front of.
    let candidates = folders.map { $0 + "/swiftc" } + ["/opt/swift/usr/bin/swiftc", "/usr/bin/swiftc"]
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The folder with the modules: the test bundle's, or one above it.
  private static func buildFolder() -> String? {
    let files = FileManager.default
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<6 {
      if files.fileExists(atPath: folder.path + "/Modules/Martlet.swiftmodule") { return folder.path }
      folder.deleteLastPathComponent()
    }
    let debug = files.currentDirectoryPath + "/.build/debug"
    return files.fileExists(atPath: debug + "/Modules/Martlet.swiftmodule") ? debug : nil
  }

  /// The C modules that the Swift ones were built with.
  private static func moduleMaps(_ folder: String) -> [String] {
    let files = FileManager.default
    let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().path
    var maps: [String] = []
    for built in (try? files.contentsOfDirectory(atPath: folder)) ?? []
    where built.hasSuffix(".build") && !built.hasSuffix("-tool.build") {
      let map = "\(folder)/\(built)/module.modulemap"
      if files.fileExists(atPath: map) { maps.append(map) }
    }
    for package in (try? files.contentsOfDirectory(atPath: root + "/checkouts")) ?? [] {
      let sources = "\(root)/checkouts/\(package)/Sources"
      for target in (try? files.contentsOfDirectory(atPath: sources)) ?? [] {
        let map = "\(sources)/\(target)/include/module.modulemap"
        if files.fileExists(atPath: map) { maps.append(map) }
      }
    }
    return maps
  }
}
