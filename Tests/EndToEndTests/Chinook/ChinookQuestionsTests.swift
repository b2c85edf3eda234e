/// The questions of any SQL course, sent as trees, give row for row and type for type what the SQLite library gives for
/// SQL written by hand: in this process, over TCP and over a Unix socket.
import Foundation
import MartletAST
import MartletClient
import MartletEngine
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@Suite(.enabled(if: Chinook.isPresent, "../shared/data/chinook.sqlite is not here")) struct ChinookQuestionsTests {
  enum Path: String, Sendable, CaseIterable {
    case inProcess, tcp, unix
  }

  @Test(arguments: Path.allCases)
  func `every question is answered as SQLite answers it`(path: Path) async throws {
    let chinook = try Chinook()
    let answer = try await chinook.answerer(path)
    #expect(ChinookQuestion.all.count >= 20)
    for question in ChinookQuestion.all {
      let expected = try chinook.reference(question.sql)
      #expect(!expected.rows.isEmpty, "\(question.name)")
      // Twice: the second time by the shape that the first one taught.
      for _ in 0..<2 {
        let given = try await answer(question)
        #expect(given.names == expected.names, "\(question.name)")
        #expect(given.rows == expected.rows, "\(question.name)")
      }
    }
  }

  @Test(arguments: [Path.tcp, .unix])
  func `every table is the source's, row for row and type for type`(path: Path) async throws {
    let chinook = try Chinook()
    let answer = try await chinook.answerer(path)
    let tables = [
      "Album", "Artist", "Customer", "Employee", "Genre", "Invoice", "InvoiceLine", "MediaType", "Playlist",
      "PlaylistTrack", "Track",
    ]
    var total = 0
    for table in tables {
      let expected = try chinook.reference("SELECT * FROM \(table) ORDER BY 1, 2")
      let tree = Query(from: table).order(int(1).asc, int(2).asc).statement
      let given = try await answer(ChinookQuestion(name: table, tree: tree, sql: ""))
      #expect(given.rows == expected.rows, "\(table)")
      total += given.rows.count
    }
    #expect(total == 15_607)
  }
}

/// A copy of the data, the library's own answers, and three ways to ask Martlet.
final class Chinook: Sendable {
  struct Answer: Sendable, Equatable {
    var names: [String]
    var rows: [[Value]]
  }

  typealias Answerer = @Sendable (ChinookQuestion) async throws -> Answer

  private static let source = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/data/chinook.sqlite").standardized.path

  static var isPresent: Bool { FileManager.default.fileExists(atPath: source) }

  private let directory = TemporaryDirectory(name: "chinook")
  private let keeper = Mutex<[any Sendable]>([])

  init() throws {
    try FileManager.default.createDirectory(atPath: directory.path + "/data", withIntermediateDirectories: true)
    for copy in ["/data/chinook.sqlite", "/reference.sqlite"] {
      try FileManager.default.copyItem(atPath: Self.source, toPath: directory.path + copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory.path + copy)
    }
  }

  /// What the library gives for SQL.
  func reference(_ sql: String) throws -> Answer {
    var setup = ConnectionSetup()
    setup.keepsJournalMode = true
    let connection = try Connection(
      path: directory.path + "/reference.sqlite", label: "reference", access: .reader, setup: setup, clock: { 0 })
    let statement = try connection.prepare(sql)
    var rows: [[Value]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map { Value(statement.value(at: $0)) }) }
    return Answer(names: statement.columnMetadata().map(\.name), rows: rows)
  }

  func answerer(_ path: ChinookQuestionsTests.Path) async throws -> Answerer {
    if path == .inProcess { return try inProcess() }
    let server = try TestServer(directory: directory.path + "/data")
    let database = try DatabaseClient(path == .tcp ? server.url("chinook") : server.unixURL("chinook"))
    keeper.withLock { $0 = [server] }
    return { question in
      let statement = try RemoteStatement(question.tree)
      let sequence = try await database.rows(statement, question.parameters)
      let names = sequence.columns.columns.map(\.name)
      var rows: [[Value]] = []
      for try await row in sequence { rows.append(try row.values()) }
      return Answer(names: names, rows: rows)
    }
  }

  private func inProcess() throws -> Answerer {
    let engine = try Engine(configuration: EngineConfiguration(directory: directory.path + "/data"))
    let database = try engine.database(named: "chinook", create: false)
    keeper.withLock { $0 = [engine] }
    return { question in
      let bytes = question.tree.serialized
      let sink = CollectingSink()
      let token = sink.token()
      let request = StatementRequest(source: .statement(bytes), parameters: question.parameters)
      let execution = database.start(request, token: token, sink: sink)
      let outcome = sink.outcome(of: token)
      withExtendedLifetime(execution) {}
      if let error = outcome.error { throw error }
      return Answer(names: outcome.columns?.columns.map(\.name) ?? [], rows: outcome.rows)
    }
  }
}

extension Value {
  init(_ value: MartletSQLite.RowValue) {
    switch value.type {
    case .integer: self = .integer(value.integer)
    case .real: self = .real(value.real)
    case .text: self = .text(String(decoding: value.textBytes, as: UTF8.self))
    case .blob: self = .blob(Array(value.blobBytes))
    case .null: self = .null
    }
  }
}
