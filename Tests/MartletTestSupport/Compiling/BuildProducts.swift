/// What a build left beside the tests: the modules and the macros that a program with `import Martlet` is compiled
/// with.
///
/// Always true: nothing but the place of the running tests and the project's own files is asked, so no path of a
/// machine is written down.
package import Foundation

package struct BuildProducts {
  /// It is said in a sentence what is not there.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The folder of Package.swift.
  package static let projectRoot = URL(filePath: #filePath).appending(path: "../../../..").standardized

  private let folder: URL
  private let root: URL

  package static func besideTheTests() throws -> BuildProducts {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for place in [bundle].compactMap({ $0 }) + CommandLine.arguments {
      let folder = URL(filePath: place).deletingLastPathComponent().resolvingSymlinksInPath()
      if FileManager.default.fileExists(atPath: folder.appending(path: "Modules/Martlet.swiftmodule").path) {
        return BuildProducts(folder: folder, root: projectRoot)
      }
    }
    throw Failure(description: "the module Martlet is not beside the tests: build the whole package")
  }

  /// As the package compiles its own targets.
  package func compilerOptions(module: String) throws -> [String] {
    let cache = folder.appending(path: "RefusedModuleCache").path
    let macros = folder.appending(path: "MartletMacros-tool").path
    guard FileManager.default.fileExists(atPath: macros) else {
      throw Failure(description: "the macros are not beside the tests: build the whole package")
    }
    var options = ["-swift-version", "6", "-module-name", module, "-module-cache-path", cache]
    options += ["-I", folder.appending(path: "Modules").path, "-load-plugin-executable", "\(macros)#MartletMacros"]
    options += try upcomingFeatures.flatMap { ["-enable-upcoming-feature", $0] }
    for map in moduleMaps {
      options += ["-Xcc", "-fmodule-map-file=\(map.path)", "-Xcc", "-I\(map.deletingLastPathComponent().path)"]
    }
    return options
  }

  private var upcomingFeatures: [String] {
    get throws {
      let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
      return manifest.matches(of: /enableUpcomingFeature\("(\w+)"\)/).map { String($0.1) }
    }
  }

  /// Of the C modules that the package's own import: the project's, those of its dependencies, and those that SwiftPM
  /// wrote while it built.
  private var moduleMaps: [URL] {
    let checkouts = folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
    let targets =
      [root.appending(path: "Sources")] + entries(of: checkouts).map { $0.appending(path: "Sources") }
    let written = entries(of: folder).filter { $0.pathExtension == "build" }
    let places = targets.flatMap(entries).flatMap { [$0, $0.appending(path: "include")] } + written
    return places.map { $0.appending(path: "module.modulemap") }.filter {
      FileManager.default.fileExists(atPath: $0.path)
    }
  }

  private func entries(of folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
  }
}
