/// What an embedded database tells of its commits to those who follow it.
import Foundation
import MartletAST
import MartletEngine
import MartletSQLite
import MartletTestSupport
import Testing

@testable import MartletDatabase

@Suite struct EmbeddedFeedTests {
  private static func open(_ directory: TemporaryDirectory, readerCount: Int? = 2) throws -> EmbeddedDatabase {
    try EmbeddedDatabase(
      path: directory.path + "/a.sqlite", configuration: Configuration(), readerCount: readerCount)
  }

  private static func names(_ commits: [Commit]) -> [[String]] {
    commits.map { $0.tables.isEverything ? ["*"] : $0.tables.names.map(\.name).sorted() }
  }

  @Test(arguments: [nil, 2]) func `each commit is told of before its closure's end, with its tables`(
    readerCount: Int?
  ) throws {
    struct Undo: Error {}
    let directory = TemporaryDirectory()
    let database = try Self.open(directory, readerCount: readerCount)
    let follower = database.file.feed.subscribe(queueMax: 10) {}
    try database.run(.write) { try $0.execute(sql: "CREATE TABLE a(n); CREATE TABLE b(n)") }
    try database.run(.write) { db in
      try db.execute(sql: "INSERT INTO a VALUES (1)")
      try db.execute(sql: "INSERT INTO b VALUES (1)")
    }
    try database.run(.withoutTransaction) { db in
      try db.execute(sql: "INSERT INTO a VALUES (2)")
      #expect(Self.names(follower.take().commits) == [["*"], ["a", "b"], ["a"]])
      try db.execute(sql: "BEGIN; INSERT INTO b VALUES (2); ROLLBACK")
    }
    #expect(throws: Undo.self) {
      try database.run(.write) { db in
        try db.execute(sql: "DELETE FROM a")
        throw Undo()
      }
    }
    try database.run(.read) { try $0.execute(sql: "SELECT n FROM a") }
    #expect(follower.take().isEmpty)
    try database.run(.write) { try $0.execute(sql: "DELETE FROM b") }
    let last = follower.take()
    #expect(Self.names(last.commits) == [["b"]] && last.commits[0].log == nil)
    #expect(last.commits[0].sequence > follower.since)
    database.close()
    #expect(follower.take() == CommitNews(end: .closed))
  }

  @Test func `numbers grow when the file is opened again, and no file is left beside it`() throws {
    let directory = TemporaryDirectory()
    var last: UInt64 = 0
    for round in 0..<3 {
      let database = try Self.open(directory)
      let follower = database.file.feed.subscribe(queueMax: 10) {}
      try database.run(.write) { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS a(n)") }
      try database.run(.write) { try $0.execute(sql: "INSERT INTO a VALUES (1)") }
      let sequences = follower.take().commits.map(\.sequence)
      #expect((sequences.first ?? 0) > last, "round \(round)")
      last = sequences.last ?? last
      database.close()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.sqlite"])
  }
}
