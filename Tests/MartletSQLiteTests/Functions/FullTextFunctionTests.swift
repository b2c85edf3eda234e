/// `highlight` and `snippet` against FTS5's own, and with documents that keep FTS5's own busy for minutes.
import Foundation
import MartletSQLite
import Testing

@Suite struct FullTextFunctionTests {
  @Test func `random documents and queries get the highlights and snippets of FTS5's own functions`() throws {
    let rounds = ProcessInfo.processInfo.environment["MARTLET_FUNCTION_CALLS"].flatMap(Int.init) ?? 5_000
    for (index, option) in FullTextOracle.options.enumerated() {
      let ours = try FullTextOracle(keepsLibraryFunctions: false, option: option, seed: UInt64(index + 1))
      let library = try FullTextOracle(keepsLibraryFunctions: true, option: option, seed: UInt64(index + 1))
      var random = SeededGenerator(seed: UInt64(rounds + index))
      for _ in 0..<max(20, rounds / 50) {
        let (query, call) = FullTextOracle.question(&random)
        let (answer, wanted) = (ours.answer(call, to: query), library.answer(call, to: query))
        guard answer != wanted else { continue }
        Issue.record("\(call) of \(query) with \(option) gave \(answer), not \(wanted)")
        return
      }
    }
  }

  @Test(arguments: [
    "highlight(f, 0, '<', '>')", "snippet(f, 0, '<', '>', '…', 20)", "snippet(f, -1, '', '', '', 9)", "bm25(f, 2.0)",
  ])
  func `a document of a million matches takes a moment, and ends when told to`(call: String) throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    try connection.run("CREATE VIRTUAL TABLE f USING fts5(a)")
    try connection.run("INSERT INTO f VALUES (replace(hex(zeroblob(300000)), '0', 'a '))")
    let statement = try connection.prepare("SELECT length(\(call)) FROM f WHERE f MATCH 'a'")
    #expect(statement.pace == .long)
    #expect(try statement.step())
    statement.reset()
    let flag = CancellationFlag()
    connection.limiter.arm(cancellation: flag)
    flag.cancel()
    let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
    #expect(error?.code == SQLiteCode.interrupt)
    connection.limiter.disarm()
  }

  @Test func `a snippet of what nobody searched is refused, and the transaction goes on`() throws {
    let connection = try Connection(path: ":memory:", label: "test", access: .writer) { 0 }
    try connection.run("CREATE VIRTUAL TABLE f USING fts5(a)")
    _ = try connection.prepare("BEGIN", for: .engine).step()
    try connection.run("INSERT INTO f VALUES ('some words')")
    for column in [-1, 0, 9] {
      let statement = try connection.prepare("SELECT snippet(f, \(column), '', '', '', 9) FROM f")
      let error = #expect(throws: SQLiteError.self) { _ = try statement.step() }
      #expect(error?.code == SQLiteCode.error && error?.message.contains("snippet in the requested context") == true)
    }
    #expect(!connection.isAutocommit)
    _ = try connection.prepare("COMMIT", for: .engine).step()
    let found = try connection.prepare("SELECT snippet(f, 0, '<', '>', '', 9) FROM f WHERE f MATCH 'words'")
    #expect(try found.step() && Array(found.value(at: 0).textBytes) == Array("some <words>".utf8))
  }
}

/// A table of full text with random documents.
struct FullTextOracle {
  static let options = [
    "tokenize = unicode61", "tokenize = porter", "tokenize = ascii", "tokenize = trigram",
    "tokenize = \"unicode61 tokenchars '.'\"", "detail = column", "detail = none", "content = ''",
  ]
  private static let words = [
    "swift", "bird", "a", "flies", "fly", "A.", "end:", "é", "日本", "x\u{0}y", ".", "  ", "\n\n", "the", "bird.",
  ]

  private let connection: Connection

  init(keepsLibraryFunctions: Bool, option: String, seed: UInt64) throws {
    var setup = ConnectionSetup()
    setup.keepsLibraryFunctions = keepsLibraryFunctions
    connection = try Connection(path: ":memory:", label: "oracle", access: .writer, setup: setup, clock: { 0 })
    try connection.run("CREATE VIRTUAL TABLE f USING fts5(a, b, \(option))")
    let insert = try connection.prepare("INSERT INTO f VALUES (?1, ?2)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      for column in 1...2 {
        var text = ""
        for _ in 0..<Int.random(in: 0...(Bool.random(using: &random) ? 8 : 120), using: &random) {
          text += words(1, &random) + " "
        }
        try insert.bindText(text, at: column)
      }
      _ = try insert.step()
      insert.reset()
    }
  }

  private func words(_ count: Int, _ random: inout SeededGenerator) -> String { Self.words(count, &random) }

  private static func words(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
  }

  static func question(_ random: inout SeededGenerator) -> (query: String, call: String) {
    let plain = [
      "swift", "bird", "a", "fly", "the", "end", "bir*", "\"the bird\"", "\"a a\"", "b : a", "^swift",
      "NEAR(a bird, 5)", "\"fl\"",
    ]
    let query = (0..<Int.random(in: 1...3, using: &random)).map { _ in plain.randomElement(using: &random) ?? "a" }
      .joined(separator: [" OR ", " AND ", " "].randomElement(using: &random) ?? " ")
    let marks = ["'<', '>'", "'', ''", "NULL, '>'", "'[[', NULL", "1, x'41'"].randomElement(using: &random) ?? "'', ''"
    let column = Int.random(in: -1...2, using: &random)
    let tokens = [0, 1, 2, 5, 10, 30, 64, 1_000, -3].randomElement(using: &random) ?? 5
    let ellipsis = ["'…'", "NULL", "''"].randomElement(using: &random) ?? "''"
    if Int.random(in: 0..<4, using: &random) == 0 {
      let weights = ["", ", 2.5", ", 1, 10.0", ", '3x', NULL, 7", ", -1, 0", ", 1e300, 1e-300"].randomElement(
        using: &random)
      return (query, "printf('%!.20e', bm25(f\(weights ?? "")))")
    }
    let call =
      Bool.random(using: &random)
      ? "highlight(f, \(column), \(marks))" : "snippet(f, \(column), \(marks), \(ellipsis), \(tokens))"
    return (query, call)
  }

  func answer(_ call: String, to query: String) -> [String] {
    do throws(SQLiteError) {
      let statement = try connection.prepare("SELECT rowid, \(call) FROM f WHERE f MATCH ?1 ORDER BY rowid")
      try statement.bindText(query, at: 1)
      var rows: [String] = []
      while try statement.step() {
        let value = statement.value(at: 1)
        rows.append("\(statement.value(at: 0).integer) \(value.type) \(Array(value.textBytes))")
      }
      return rows
    } catch {
      return ["\(error.extendedCode) \(error.message)"]
    }
  }
}
