/// Files that the lint must refuse: each rule is shown one at least.
enum BadFiles {
  static let all: [(rule: String, path: String, lines: [String])] = [
    ("lines fit in 120 columns", "Sources/MartletAST/A.swift", [String(repeating: "x", count: 121)]),
    ("files stay under 500 lines", "Sources/MartletAST/A.swift", Array(repeating: "x", count: 501)),
    (
      "files of tests stay under 350 lines", "Tests/MartletASTTests/ATests.swift",
      Array(repeating: "x", count: 351)
    ),
    (
      "functions stay under 70 lines", "Sources/MartletAST/A.swift",
      ["  func long(", "    a: Int", "  ) {"] + Array(repeating: "    work()", count: 70) + ["  }"]
    ),
    (
      "functions stay under 70 lines", "Tests/MartletASTTests/ATests.swift",
      ["  @Test func `rows come`() {"] + Array(repeating: "    work()", count: 70) + ["  }"]
    ),
    ("folders are named for the domain", "Sources/MartletAST/Utils/A.swift", [""]),
    ("nothing is left over", "Sources/MartletAST/A.swift", ["// TO" + "DO: later"]),
    ("SQL text stands in the renderer", "Sources/MartletServer/A.swift", ["let sql = \"SELECT 1\""]),
    ("SQL text stands in the renderer", "Sources/MartletEngine/A.swift", ["run(\"BEGIN IMMEDIATE\")"]),
    ("C is imported by its door", "Sources/MartletEngine/A.swift", ["import CSQLite"]),
    ("C is imported by its door", "Sources/MartletServer/A.swift", ["internal import CLibuv"]),
    ("what is unsafe says why it is sound", "Sources/MartletWire/A.swift", ["final class A: @unchecked Sendable {}"]),
    (
      "what is unsafe says why it is sound", "Sources/MartletWire/A.swift",
      ["// Sound because of the same.", "let a = pointer.assumingMemoryBound(to: Int.self)"]
    ),
    (
      "what is unsafe says why it is sound", "Sources/MartletWire/A.swift",
      ["// `!` because it is.", "let a = table[key]!"]
    ),
    (
      "what is unsafe says why it is sound", "Sources/MartletWire/A.swift",
      ["  guard let file else { preconditionFailure(\"No file.\") }"]
    ),
    (
      "what is unowned says why it is there", "Sources/MartletWire/A.swift",
      ["// because the owner outlives it, and this is of another line", "private unowned let owner: Owner"]
    ),
    (
      "a pointer that leaves its closure says why it may", "Sources/MartletWire/A.swift",
      ["    let start = bytes.withUnsafeBytes { $0.baseAddress! + 5 }"]
    ),
    (
      "a pointer that leaves its closure says why it may", "Sources/MartletWire/A.swift",
      ["    return kept.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[1..<end]) }"]
    ),
    (
      "a pointer that leaves its closure says why it may", "Sources/MartletWire/A.swift",
      ["    let all = column.reals.withUnsafeBufferPointer { $0 }"]
    ),
    (
      "a pointer that leaves its closure says why it may", "Sources/MartletWire/A.swift",
      ["    let start = bytes.withUnsafeBytes { all in", "      return all.baseAddress", "    }"]
    ),
    (
      "memory that is borrowed for several calls says until when", "Sources/MartletWire/A.swift",
      ["  /// The bytes of this turn.", "  private var input = UnsafeRawBufferPointer(start: nil, count: 0)"]
    ),
    (
      "a client does not take its own limits for a server's", "Sources/MartletCommand/Transfer/A.swift",
      ["  private let frameBytesMax = Limits().frameBytesMax"]
    ),
    ("an import is one that Package.swift names", "Sources/MartletAST/A.swift", ["internal import MartletEngine"]),
    ("an import is one that Package.swift names", "Sources/MartletEngine/A.swift", ["import NIOCore"]),
    ("an import is one that Package.swift names", "Sources/MartletServer/A.swift", ["package import MartletClient"]),
    ("a declaration says what its file is for", "Sources/MartletWire/A.swift", ["import Foundation", "struct A {}"]),
    (
      "a declaration says what its file is for", "Sources/MartletWire/A.swift",
      ["/// What A is.", "#if Client", "  import Foundation", "  struct A {}", "#endif"]
    ),
    (
      "a declaration says what its file is for", "Sources/MartletWire/A.swift",
      ["/// A.", "import Foundation", "", "struct A {}"]
    ),
    (
      "a declaration says what its file is for", "Sources/MartletWire/A.swift",
      ["import Foundation", "", "struct Entry {", "  /// Its id.", "  let id: Int", "}", "", "/// A.", "struct A {}"]
    ),
    (
      "a declaration says what its file is for", "Sources/MartletWire/A.swift",
      ["/// What A is.", "", "@frozen", "extension A {", "}"]
    ),
    (
      "a documentation comment stands on a declaration", "Sources/MartletWire/A.swift",
      ["/// What A is for.", "", "/// A.", "struct A {}"]
    ),
    (
      "a documentation comment stands on a declaration", "Sources/MartletWire/A.swift",
      ["/// A.", "@_exported public import Foundation", "", "/// A.", "struct A {}"]
    ),
    (
      "a wait is timed by the monotonic clock", "Sources/MartletServer/A.swift",
      ["    while missing > 0, condition.wait(until: end) {}"]
    ),
    (
      "a wait is timed by the monotonic clock", "Sources/MartletServer/A.swift",
      ["    let result = closed.wait(timeout: .now() + .milliseconds(ms))"]
    ),
    ("fields of messages have names", "Sources/MartletClient/Wire/A.swift", ["    bytes(2, hello.database.utf8)"]),
    ("fields of messages have names", "Sources/MartletClient/Wire/A.swift", ["    message(12) { _ in }"]),
    ("fields of messages have names", "Sources/MartletClient/Wire/A.swift", ["    case 3: .hello(try hello(bytes))"]),
    ("fields of messages have names", "Sources/MartletWire/Decoding/A.swift", ["      case (1, .fixed32):"]),
    ("fields of messages have names", "Sources/MartletWire/Decoding/A.swift", ["      case (2...last, .delimited):"]),
    (
      "fields of messages have names", "Sources/MartletClient/Wire/A.swift",
      ["      case (1...7, _): throw Malformed()"]
    ),
    (
      "fields of messages have names", "Sources/MartletCommand/Load/Requests/A.swift",
      ["    if field.number == 1 { return }"]
    ),
    (
      "fields of messages have names", "Sources/MartletClient/Statements/A.swift",
      ["    case 0x0A, 0x12: return true"]
    ),
    (
      "fields of messages have names", "Sources/MartletClient/Statements/A.swift",
      ["    if bytes.first == 0x7A { return true }"]
    ),
    (
      "fields of messages have names", "Sources/MartletClient/Wire/A.swift",
      ["    reference(step, field: 1, column: 0)"]
    ),
    ("fields of messages have names", "Sources/MartletQuery/Writes/A.swift", ["    $0.flag(1, distinct)"]),
    (
      "fields of messages have names", "Sources/MartletQuery/Writes/A.swift",
      ["    writer.message(15) { $0.raw(parts) }"]
    ),
    (
      "fields of messages have names", "Sources/MartletQuery/Writes/A.swift",
      ["    if let end = frame.end { bound(3, end) }"]
    ),
    (
      "fields of messages have names", "Sources/MartletQuery/Queries/A.swift",
      ["    writer.expression(1, fragment)"]
    ),
    ("what no program can import is the package's", "Sources/MartletEngine/A.swift", ["public struct A {}"]),
    (
      "what no program can import is the package's", "Sources/MartletSQLite/A.swift",
      ["/// A.", "package final class A {", "  public private(set) var b = 0", "}"]
    ),
    (
      "what no program can import is the package's", "Tests/MartletTestSupport/A.swift",
      ["// @inlinable is what this is not", "  @discardableResult public static func a() {}"]
    ),
    (
      "an error's advice is a sentence of its own", "Sources/MartletServer/A.swift",
      ["  throw ServerError(\"The server has no room: try again later.\")"]
    ),
    (
      "an error's advice is a sentence of its own", "Sources/MartletEngine/A.swift",
      ["    \"The name '\\(name)' is taken; choose another \"", "      + \"one, or drop it first.\")"]
    ),
    (
      "an engine's error names no option of a command", "Sources/MartletEngine/A.swift",
      ["  \"Start the server with a longer --write-time-max.\""]
    ),
    (
      "a type says what it is", "Sources/MartletEngine/A.swift", ["/// A.", "package struct A {", "  package enum B {"]
    ),
    ("a type says what it is", "Sources/MartletEngine/A.swift", ["@frozen", "package struct A {"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["  private static let most: Int = 8 << 10"]),
    (
      "a limit stands in a file of limits", "Sources/MartletWire/A.swift",
      ["  static let patience = Duration.seconds(9)"]
    ),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["  var sliceNs: UInt64 = 4_000_000"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    thread.stackSize = 8 << 20"]),
    (
      "a limit stands in a file of limits", "Sources/MartletWire/A.swift",
      ["    try await Task.sleep(for: .seconds(1))"]
    ),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["  private static var keptMax: Int { 16 }"]),
    (
      "a limit stands in a file of limits", "Sources/MartletWire/A.swift",
      ["  init(budget: Int, first: Int = 32 << 3) {"]
    ),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    setup.attachedMax = 10"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    shown(name, lengthMax: 64)"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    let block = min(most, 1 << 20)"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    for _ in 0..<10 {"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    usleep(pause)"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    usleep(UInt32.random(in: 1...900))"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    let head = name.prefix(64)"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    if noted.count < 4_096 { note() }"]),
    ("a limit stands in a file of limits", "Sources/MartletWire/A.swift", ["    let capped = min(waitNs, 3_600_000)"]),
    ("a test waits for a condition", "Tests/ATests/A.swift", ["    try await Task.sleep(for: .milliseconds(100))"]),
    ("a test waits for a condition", "Tests/ATests/A.swift", ["    usleep(100_000)"]),
    // One of the list that does not pause any more.
    ("a test waits for a condition", FixedPauses.allowed[0].path, ["try waitUntil { isDone }"]),
    ("a test's wait ends", "Tests/ATests/A.swift", ["while !isDone { us" + "leep(1_000) }"]),
    ("a page has one title", "docs/A.md", ["no title"]),
    ("what is public says what it means", "Sources/MartletQuery/A.swift", ["public func f() {}"]),
    (
      "what is public says what it means", "Sources/Martlet/A.swift",
      ["/// A.", "public struct A {", "", "  public init() {}"]
    ),
    (
      "what is public says what it means", "Sources/Martlet/A.swift",
      ["/// A.", "public func f() {}", "@inlinable", "public func g() {}"]
    ),
    (
      "what is public says what it means", "Sources/MartletDatabase/A.swift", ["/// A.", "public enum A {", "  case a"]
    ),
    (
      "what is public says what it means", "Sources/MartletDatabase/A.swift",
      ["/// A.", "public protocol A {", "  var queryFragment: Int { get }"]
    ),
    ("a test's name is a sentence", "Tests/ATests/ATests.swift", ["  @Test func rowsComeBack() {"]),
    (
      "a test's name is a sentence", "Tests/ATests/ATests.swift",
      ["  @Test(arguments: [", "    1, 2,", "  ])", "  func `rows`(count: Int) {"]
    ),
    ("a test's name is a sentence", "Tests/ATests/ATests.swift", ["  @Test func `nor do others come back`() {"]),
  ]

  /// Many files that together break a rule which each of them keeps.
  static let projects: [(rule: String, files: [ProjectFiles.File])] = [
    (
      "few functions are over 50 lines",
      [
        ProjectFiles.File(
          path: "Sources/MartletAST/A.swift", lines: ["  func a() {"] + Array(repeating: "    b()", count: 50) + ["  }"]
        )
      ]
    ),
    (
      "a folder has at most 12 files",
      (0..<13).map { ProjectFiles.File(path: "Sources/MartletAST/New/A\($0).swift", lines: []) }
    ),
    (
      "a folder has at most 12 files",
      (0..<40).map { ProjectFiles.File(path: "Sources/MartletLoop/A\($0).swift", lines: []) }
    ),
    (
      "a file is named for what it declares",
      (0..<10).map { ProjectFiles.File(path: "Sources/MartletAST/A\($0).swift", lines: ["struct B\($0) {"]) }
    ),
    ("an error stands in a catalogue", [ProjectFiles.File(path: "Sources/MartletAST/A.swift", lines: [""])]),
    (
      "an error stands in a catalogue",
      [
        ProjectFiles.File(
          path: "Sources/MartletCommand/A.swift", lines: ["throw CommandFailure(\"It is closed. Open it.\")"])
      ]
    ),
    (
      "an error stands in a catalogue",
      [
        ProjectFiles.File(
          path: "Sources/MartletDatabase/A.swift",
          lines: ["throw RequestError(", "  .failedPrecondition, .notAllowed, \"It is closed. Open it.\")"])
      ]
    ),
    (
      "an error stands in a catalogue",
      [
        ProjectFiles.File(
          path: "Sources/MartletServer/A.swift",
          lines: Array(repeating: "throw ServerError(\"It is closed. Open it.\")", count: 10))
      ]
    ),
    (
      "an error stands in a catalogue",
      [
        ProjectFiles.File(
          path: "Sources/MartletClient/A.swift",
          lines: Array(repeating: "throw ClientError(.closed, \"It is closed. Open it.\")", count: 10))
      ]
    ),
    (
      "tests lie as their sources do",
      [
        ProjectFiles.File(path: "Sources/MartletWire/Frames/Cutter.swift", lines: []),
        ProjectFiles.File(path: "Tests/MartletWireTests/CutterTests.swift", lines: []),
      ]
    ),
    (
      "tests lie as their sources do",
      [
        ProjectFiles.File(path: "Sources/MartletWire/Frames/Cutter.swift", lines: []),
        ProjectFiles.File(path: "Tests/MartletWireTests/Cutting/EdgeTests.swift", lines: []),
      ]
    ),
    (
      "tests lie as their sources do",
      [
        ProjectFiles.File(path: "Sources/MartletWire/Frames/Deep/Cutter.swift", lines: []),
        ProjectFiles.File(path: "Tests/MartletWireTests/Frames/CutterTests.swift", lines: []),
      ]
    ),
    (
      "tests lie as their sources do",
      [
        ProjectFiles.File(path: "Sources/MartletWire/Frames/Deep/Cutter.swift", lines: []),
        ProjectFiles.File(path: "Tests/MartletWireTests/Deep/EdgeTests.swift", lines: []),
      ]
    ),
    // A file's name holds among the tests of servers and of programs too.
    (
      "tests lie as their sources do",
      [
        ProjectFiles.File(path: "Sources/MartletServer/Loops/Shard.swift", lines: []),
        ProjectFiles.File(path: "Tests/MartletServerTests/Live/ShardTests.swift", lines: []),
      ]
    ),
    (
      "tests lie as their sources do",
      [
        ProjectFiles.File(path: "Sources/SQLite/Rows/Row.swift", lines: []),
        ProjectFiles.File(path: "Tests/SQLiteTests/Programs/RowTests.swift", lines: []),
      ]
    ),
    // A number that `others` tells of, and that is not there any more.
    (
      "a limit stands in a file of limits",
      [
        ProjectFiles.File(path: "Package.swift", lines: []), ProjectFiles.File(path: "Sources/A/A.swift", lines: []),
      ]
    ),
    (
      "a suite that runs in seconds opens no file",
      [
        ProjectFiles.File(path: "scripts/test", lines: ["units=(", "  MartletEngineTests/{Queue,Log}", ")"]),
        ProjectFiles.File(
          path: "Tests/MartletEngineTests/Log/PolicyTests.swift",
          lines: ["@Suite struct PolicyTests {", "  let directory = TemporaryDirectory()"]),
      ]
    ),
    (
      "a suite that runs in seconds opens no file",
      [
        ProjectFiles.File(path: "scripts/test", lines: ["units=(", "  MartletQueryTests", ")"]),
        ProjectFiles.File(
          path: "Tests/MartletQueryTests/Deep/Sample.swift", lines: ["  let engine = try Engine(configuration: a)"]),
      ]
    ),
    // A list that cannot be read is not one without suites.
    (
      "a suite that runs in seconds opens no file",
      [ProjectFiles.File(path: "scripts/test", lines: ["suites=()"])]
    ),
  ]
}
