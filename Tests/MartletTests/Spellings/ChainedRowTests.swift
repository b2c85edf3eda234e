/// Rows that are asked for and made into something else in one expression.
///
/// Always true: each of these is written in one expression, because that is what the compiler has to understand.
import Foundation
import Martlet
import Testing

@Suite struct ChainedRowTests {
  @Table struct Author: Equatable {
    let id: Int
    var name = ""
    var born: Int?
  }

  @Table struct Book: Equatable {
    let id: Int
    var authorID: Int
    var title = ""
  }

  private func library(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Author.createTable().execute(db)
      try Book.createTable().execute(db)
      try Author.insert { [Author(id: 1, name: "Ann", born: 1950), Author(id: 2, name: "Bo")] }.execute(db)
      try Book.insert { [Book(id: 1, authorID: 1, title: "One"), Book(id: 2, authorID: 1, title: "Two")] }.execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a side that a join left out is asked for a member where the rows are fetched`(home: DatabaseHome) throws {
    try library(home).write { db in
      same(
        try Author.leftJoin(Book.all) { $0.id.eq($1.authorID) }.order { ($0.id, $1.id) }.fetchAll(db)
          .map { $0.1?.title ?? $0.0.name }, ["One", "Two", "Bo"])
      same(
        try Author.where { $0.id > 1 }.leftJoin(Book.all) { $0.id.eq($1.authorID) }.fetchAll(db)
          .filter { $0.1 == nil }.count, 1)
      same(
        try Book.rightJoin(Author.all) { $0.authorID.eq($1.id) }.order { $1.id.desc() }.fetchOne(db)
          .map { ($0.0?.title ?? "-") + $0.1.name } ?? "nobody", "-Bo")
      same(
        try Book.join(Author.all) { $0.authorID.eq($1.id) }.leftJoin(Author.as(Other.self).all) { $2.id.eq($0.id + 1) }
          .order { book, _, _ in book.id }.fetchAll(db).map { $0.2?.name ?? "-" }, ["Bo", "-"])
      same(
        try Book.join(Author.all) { $0.authorID.eq($1.id) }.leftJoin(Author.as(Other.self).all) { $2.id.eq($0.id + 1) }
          .order { book, _, _ in book.id.desc() }.fetchOne(db).map { $0.0.title + ($0.2?.name ?? "-") } ?? "", "Two-")
      same(
        try Author.leftJoin(Book.all) { $0.id.eq($1.authorID) }.order { ($0.id, $1.id) }.fetchAll(db)[2].1?.title
          ?? "-", "-")
      let cursor = try Author.leftJoin(Book.all) { $0.id.eq($1.authorID) }.order { ($0.id, $1.id) }.fetchCursor(db)
        .map { $0.1?.title ?? $0.0.name }
      same(cursor, ["One", "Two", "Bo"])
      let three = try Book.join(Author.all) { $0.authorID.eq($1.id) }
        .leftJoin(Author.as(Other.self).all) { $2.id.eq($0.id + 1) }.order { book, _, _ in book.id }.fetchCursor(db)
        .map { $0.2?.name ?? "-" }
      same(three, ["Bo", "-"])
    }
  }

  /// In one expression with the query version 6.3 of the compiler does not find the type of what was chosen.
  @Test(arguments: DatabaseHome.allCases)
  func `columns that were chosen are asked for behind their rows`(home: DatabaseHome) throws {
    try library(home).write { db in
      let births = try Author.order(by: \.id).select { ($0.id, $0.born) }.fetchAll(db)
      same(births.map { $0.1?.description ?? "-" }, ["1950", "-"])
      let latest = try Author.group(by: \.id).select { ($0.id, $0.born.max()) }.fetchAll(db)
      same(latest.filter { $0.1 == nil }.map(\.0), [2])
    }
  }

  private enum Other: AliasName {}
}
