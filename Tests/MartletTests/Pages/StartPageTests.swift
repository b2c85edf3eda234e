/// The program of docs/START.md: five files that are compiled as they stand there, and run on files and at a server.
import Foundation
import Martlet
import MartletTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StartPageTests {
  private static let names = ["Models", "Migrations", "WeatherStore", "Feed", "App"]

  private enum Home: CaseIterable {
    case queue, pool, remote

    func open(in directory: TemporaryDirectory) throws -> any DatabaseWriter {
      switch self {
      case .queue: return try DatabaseQueue(path: directory.path + "/queue.sqlite")
      case .pool: return try DatabasePool(path: directory.path + "/pool.sqlite")
      case .remote:
        var configuration = Configuration()
        configuration.remote.createsDatabase = true
        return try RemoteDatabase("\(SharedServer.one.url(DatabaseHome.newName))", configuration: configuration)
      }
    }
  }

  @Test func `the page shows the five files as they are here`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Weather")
    let blocks = try PageText("START.md").blocks
    try #require(blocks.count == Self.names.count)
    for (name, block) in zip(Self.names, blocks) where name != "App" {
      #expect(try String(contentsOf: folder.appending(path: name + ".swift"), encoding: .utf8) == block, "\(name)")
    }
  }

  @Test func `the five files compile together without a warning, with what README says to import`() throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (name, block) in zip(Self.names, try PageText("START.md").blocks) {
      #expect(block.split(separator: "\n").filter { $0.hasPrefix("import ") } == ["import Martlet"], "\(name)")
      paths.append(folder.path + "/\(name).swift")
      try Data(block.utf8).write(to: URL(filePath: paths[paths.count - 1]))
    }
    let options = try BuildProducts.besideTheTests().compilerOptions(module: "weather")
    let run = try CompilerRun.swiftc(["-typecheck", "-parse-as-library"] + options + paths, in: folder)
    #expect(run.succeeded && !run.output.contains("warning:"), "\(run.output)")
  }

  @Test func `errors of the databases can be named and caught by a program that imports Martlet alone`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/main.swift"
    let program = """
      import Martlet

      func told(_ error: any Error) -> String {
        switch error {
        case let error as RequestError where error.reason == .constraint: error.table
        case let error as RequestError: "\\(error.code) \\(error.reason) \\(error.isRetryable)"
        case let error as ClientError where error.code == .connectionLost: "\\(error.isOutcomeUnknown)"
        default: ""
        }
      }
      print(told(RequestError(.aborted, .sqlite, "x")), DatabaseKey.self, ClientTLS.self, ClientCredential.self)

      """
    try Data(program.utf8).write(to: URL(filePath: path))
    let options = try BuildProducts.besideTheTests().compilerOptions(module: "Program")
    let run = try CompilerRun.swiftc(["-typecheck"] + options + [path], in: folder)
    #expect(run.succeeded && !run.output.contains("warning:"), "\(run.output)")
  }

  @Test func `the program does the same on a file and at a server`() async throws {
    let directory = TemporaryDirectory()
    for home in Home.allCases {
      let database = try home.open(in: directory)
      let weather = try await WeatherStore(database)
      // The schema is there once, however often a program starts.
      _ = try await WeatherStore(database)
      #expect(try await weather.add("Harbour"))
      #expect(try await weather.add("Hill"))
      #expect(try await !weather.add("Hill"), "\(home)")
      var seen: [Int] = []
      for try await count in weather.counts {
        seen.append(count)
        if count == 2 { break }
        try await weather.record(Double(10 + count * 2), at: 1)
      }
      #expect(seen == [0, 1, 2], "\(home)")
      let means = try await weather.means()
      #expect(means.map(\.name) == ["Harbour", "Hill"])
      #expect(means.map(\.celsius) == [11, nil], "\(home)")
    }
  }
}
