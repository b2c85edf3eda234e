/// Default scopes of every form, everywhere: in queries, under other names, of drafts, in writes, joins, common tables
/// and subqueries; and what `none`, and nothing at all, do there.
import Foundation
import Martlet
import Testing

/// A scope of each clause that begins with itself.
@Table("notes") private struct CircularGroup {
  let id: Int
  var isDeleted = false

  static var all: some SelectStatementOf<CircularGroup> {
    Self.group(by: \.isDeleted).having { $0.id.min() > 0 }.order(by: \.isDeleted).limit(1, offset: 1)
  }
}

@Suite struct DefaultScopeTests {
  typealias Ordered = Notes.Ordered
  typealias Limited = Notes.Limited
  typealias R = Notes.R
  typealias S = Notes.S

  private func expect(
    _ found: [Int], _ expected: [Int], _ sql: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(found.elementsEqual(expected), "\(found), not \(expected): \(sql)", sourceLocation: location)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a default scope of any form is in every query`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      func ids(_ query: some Statement<Int>, _ expected: [Int], at line: SourceLocation = #_sourceLocation) throws {
        expect(try query.fetchAll(db), expected, query.sql, at: line)
      }
      try ids(Ordered.select(\.id), [3, 4, 1])
      try ids(Ordered.all.select(\.id), [3, 4, 1])
      try ids(Ordered.where { $0.id > 1 }.select(\.id), [3, 4])
      try ids(Ordered.find([1, 2, 3]).select(\.id), [3, 1])
      try ids(Ordered.order(by: \.id).select(\.id), [3, 4, 1])
      try ids(Ordered.titled.select(\.id), [3, 4, 1])
      try ids(Ordered.titled.byTitle.select(\.id), [3, 4, 1])
      try ids(Ordered.limit(2).select(\.id), [3, 4])
      try ids(Ordered.distinct().select(\.id), [3, 4, 1])
      try ids(Ordered.group(by: \.id).having { $0.count() > 0 }.select(\.id), [3, 4, 1])
      try ids(Ordered.select(\.id).map { $0 + 10 }, [13, 14, 11])
      try ids(Ordered.page(after: nil, size: 2) { $0.title.desc() }.select(\.id), [4, 3])
      try ids(Ordered.count(), [3])
      try ids(Ordered.count(filter: { $0.id > 1 }), [2])
      try ids(Ordered.unscoped.count(), [5])
      try ids(Ordered.unscoped.titled.byTitle.select(\.id), [1, 2, 3, 4, 5])
      try ids(Limited.select(\.id), [3, 4])
      try ids(Limited.count(), [2])
      try ids(Limited.where { $0.id.neq(3) }.select(\.id), [4, 1])
      try ids(Notes.Grouped.select { $0.count() }, [3, 2])
      try ids(Notes.Circular.select(\.id), [4, 3, 1])
      try ids(Notes.Circular.all.where { $0.id > 1 }.select(\.id), [4, 3])
      try ids(Notes.Opaque.order(by: \.id).select(\.id), [1, 3, 4])
      try ids(Notes.Child.order(by: \.id).select(\.id), [2, 3, 5])
      try ids(Notes.Raw.order(by: \.id).select(\.id), [1, 3, 4])
      try ids(Notes.Named.order(by: \.id).select(\.id), [1, 2, 3, 4, 5])
      try ids(Ordered.select(\.id).union(Limited.select(\.id)).order(byColumn: 1), [1, 3, 4])
      same(try Ordered.fetchAll(db).map(\.id), [3, 4, 1])
      same(try Ordered.fetchOne(db)?.id, 3)
      same(try Ordered.fetchCount(db), 3)
      same(try Limited.all.fetchCount(db), 2)
      same(try Ordered.find(2).fetchOne(db) == nil, true)
      #expect(throws: NotFound.self) { try Ordered.find(db, key: 2) }
      let found = try Values(
        Ordered.find(2).exists(), Ordered.unscoped.find(2).exists(), Ordered.exists(), Limited.find(1).exists()
      ).fetchOne(db)
      same([found?.0, found?.1, found?.2, found?.3], [false, true, true, true])
    }
  }

  @Test func `a default scope that begins with itself has each of its clauses once`() throws {
    func expect(_ query: some Statement, _ clauses: String, at line: SourceLocation = #_sourceLocation) {
      let found = query.sql.replacing("\n", with: " ").replacing("\"notes\".", with: "").replacing("\"", with: "")
      #expect(found == "SELECT id, isDeleted FROM notes " + clauses, sourceLocation: line)
    }
    expect(Notes.Circular.all, "WHERE (NOT (isDeleted)) ORDER BY id DESC")
    let clauses = "GROUP BY isDeleted HAVING ((min(id)) > (?1)) ORDER BY isDeleted LIMIT ?2 OFFSET ?3"
    expect(CircularGroup.all, clauses)
    expect(CircularGroup.order(by: \.isDeleted), clauses)
    expect(
      CircularGroup.order { $0.isDeleted.desc() }.group(by: \.id),
      "GROUP BY isDeleted, id HAVING ((min(id)) > (?1)) ORDER BY isDeleted, isDeleted DESC LIMIT ?2 OFFSET ?3")
  }

  @Test(arguments: DatabaseHome.allCases)
  func `groups, aggregates and windows of a default scope with a limit are of the rows that it chose`(
    _ home: DatabaseHome
  ) throws {
    try home.open(Notes.script).read { db in
      func numbers(_ query: some Statement<Int?>, _ expected: [Int], at line: SourceLocation = #_sourceLocation) throws
      {
        expect(try query.fetchAll(db).map { $0 ?? 0 }, expected, query.sql, at: line)
      }
      // Its rows are 3 and 4, of 1, 3 and 4.
      try numbers(Limited.select { $0.id.sum() }, [7])
      try numbers(Limited.select { $0.id.max() + $0.id.min() }, [7])
      try numbers(Limited.where { $0.id.neq(3) }.select { $0.id.sum() }, [5])
      try numbers(Limited.as(R.self).select { $0.id.sum() }, [7])
      try numbers(Limited.order(by: \.id).as(R.self).select { $0.id.sum() }, [7])
      try numbers(Limited.order(by: \.id).as(R.self).group(by: \.isDeleted).select { $0.id.sum() }, [7])
      try numbers(Limited.Draft.all.select { $0.id.sum() }, [7])
      try numbers(Limited.limit(1).select { $0.id.sum() }, [7])
      try numbers(Limited.unscoped.select { $0.id.sum() }, [15])
      try numbers(Limited.none.select { $0.id.sum() }, [0])
      try numbers(Limited.select { #sql("max(\($0.id)) + min(\($0.id))", as: Int?.self) }, [7])
      try numbers(Limited.select { $0.id.sum().over() }, [7, 7])
      try numbers(Limited.order { $0.id.desc() }.select { $0.id.lag().over(Window.order(by: $0.id)) }, [0, 3])
      try numbers(Limited.group(by: \.isDeleted).select { $0.id.sum() }, [7])
      try numbers(Limited.group(by: \.id).having { $0.id > 0 }.limit(1).select { $0.id.sum() }, [3])
      try numbers(Limited.distinct().select { SQLQueryExpression<Int?>($0.isDeleted.cast(as: Int?.self)) }, [0])
      // The two first positions are 1, of 1, 1, 2, 3 and 4.
      try numbers(Notes.Seen.select { $0.position.sum() }, [2])
      try numbers(Notes.Seen.where { $0.position > 1 }.as(R.self).select { $0.position.sum() }, [5])
      try numbers(Notes.Seen.group(by: \.position).select { $0.position.sum() }, [2])
      same(try Limited.group(by: \.isDeleted).count().fetchAll(db), [2])
      let sums = Limited.unscoped.where { $0.id.in(Limited.select { $0.id.max() }) }.select(\.id)
      same(try sums.fetchAll(db), [4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a default scope goes with the table under another name, and with its drafts`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      func ids(_ query: some Statement<Int>, _ expected: [Int], at line: SourceLocation = #_sourceLocation) throws {
        expect(try query.fetchAll(db), expected, query.sql, at: line)
      }
      try ids(Ordered.as(R.self).select(\.id), [3, 4, 1])
      try ids(Ordered.as(R.self).all.select(\.id), [3, 4, 1])
      try ids(Ordered.as(R.self).where { $0.id > 1 }.select(\.id), [3, 4])
      try ids(Ordered.as(R.self).find([1, 2]).select(\.id), [1])
      try ids(Ordered.as(R.self).count(), [3])
      try ids(Ordered.as(R.self).unscoped.count(), [5])
      try ids(Ordered.where { $0.id > 1 }.as(R.self).select(\.id), [3, 4])
      try ids(Ordered.order { $0.id.desc() }.as(R.self).select(\.id), [3, 4, 1])
      try ids(Ordered.unscoped.as(R.self).count(), [5])
      try ids(Ordered.none.as(R.self).count(), [0])
      try ids(Limited.as(R.self).select(\.id), [3, 4])
      try ids(Notes.Grouped.as(R.self).select { $0.count() }, [3, 2])
      try ids(Notes.Circular.as(R.self).select(\.id), [4, 3, 1])
      try ids(Notes.Child.as(R.self).order(by: \.id).select(\.id), [2, 3, 5])
      try ids(Notes.Raw.as(R.self).order(by: \.id).select(\.id), [1, 3, 4])
      // Each side has the scope of its own.
      let pairs = Ordered.as(R.self).join(Ordered.as(S.self).all) { $0.id < $1.id }.order { ($0.id, $1.id) }
      same(try pairs.select { ($0.id, $1.id) }.fetchAll(db).map(\.0).sorted(), [1, 1, 3])
      let children = Notes.Child.as(R.self).join(Notes.Child.as(S.self).unscoped) { $0.id.eq($1.id + 1) }
      try ids(children.order { row, _ in row.id }.select { row, _ in row.id }, [2, 3, 5])
      same(try Ordered.Draft.all.fetchAll(db).map(\.id), [3, 4, 1])
      same(try Ordered.Draft.where { $0.id > 1 }.fetchAll(db).map(\.id), [3, 4])
      same(try Ordered.Draft.find([1, 2]).fetchAll(db).map(\.id), [1])
      same(try Ordered.Draft.all.titled.fetchAll(db).map(\.id), [3, 4, 1])
      same(try Ordered.Draft.unscoped.titled.order(by: \.id).fetchAll(db).map(\.id), [1, 2, 3, 4, 5])
      try ids(Limited.Draft.count(), [2])
      #expect(throws: (any Error).self, "raw SQL cannot be renamed") {
        try Notes.RawName.as(R.self).select(\.id).fetchAll(db)
      }
      try ids(Notes.RawName.order(by: \.id).select(\.id), [1, 3, 4])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `joins, common tables and subqueries have the scopes of their tables`(_ home: DatabaseHome) throws {
    try home.open(Notes.script).read { db in
      func ids(_ query: some Statement<Int>, _ expected: [Int], at line: SourceLocation = #_sourceLocation) throws {
        expect(try query.fetchAll(db), expected, query.sql, at: line)
      }
      try ids(Notes.Folder.join(Ordered.all) { $0.noteID.eq($1.id) }.select { $1.id }, [3, 1])
      try ids(Ordered.join(Notes.Folder.all) { $0.id.eq($1.noteID) }.select { note, _ in note.id }, [3, 1])
      try ids(Notes.Folder.where { $0.noteID.in(Ordered.select(\.id)) }.select(\.id), [1, 2])
      try ids(Notes.Folder.where { $0.noteID.in(Limited.select(\.id)) }.select(\.id), [2])
      try ids(
        With {
          Ordered.where { $0.id > 1 }
        } query: { notes in
          notes.order { $0.id.desc() }.select(\.id)
        }, [4, 3])
      try ids(
        With {
          Limited.all
        } query: { notes in
          notes.order { $0.id.desc() }.select(\.id)
        }, [4, 3])
      let correlated = Notes.Folder.where { folder in Ordered.where { $0.id.eq(folder.noteID) }.exists() }
      try ids(correlated.order(by: \.id).select(\.id), [1, 2])
      try ids(
        Notes.Folder.leftJoinPairs(Ordered.join(Ordered.as(R.self).all) { $0.id.eq($1.id) }) {
          $0.noteID.eq($1.id) && $1.id.eq($2.id)
        }.select { folder, _, _ in folder.id }, [3, 2, 1])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `updates and deletes keep to the default scope`(_ home: DatabaseHome) throws {
    let deletes: [(any Statement<Never>, [Int])] = [
      (Ordered.delete(), [2, 5]), (Ordered.where { $0.id < 4 }.delete(), [2, 4, 5]),
      (Ordered.find(2).delete(), [1, 2, 3, 4, 5]), (Ordered.find(1).delete(), [2, 3, 4, 5]),
      (Ordered.delete().where { $0.id > 0 }, [2, 5]), (Ordered.titled.delete(), [2, 5]),
      (Ordered.unscoped.delete(), []), (Ordered.delete(Ordered(id: 2)), [1, 2, 3, 4, 5]),
      (Ordered.delete(Ordered(id: 1)), [2, 3, 4, 5]), (Ordered.as(R.self).delete(), [2, 5]),
      (Ordered.Draft.where { $0.id > 0 }.delete(), [2, 5]), (Limited.delete(), [1, 2, 5]),
      (Limited.where { $0.id.neq(3) }.delete(), [2, 3, 5]), (Limited.as(R.self).delete(), [1, 2, 5]),
      (Notes.Child.delete(), [1, 4]), (Notes.Child.as(R.self).delete(), [1, 4]),
      (Notes.Grouped.delete(), [3, 4, 5]), (Ordered.none.delete(), [1, 2, 3, 4, 5]),
      ((Ordered.none || Ordered.titled).delete(), [2, 5]), ((!Ordered.none).delete(), [2, 5]),
      ((!Ordered.titled).delete(), [1, 2, 3, 4, 5]), (Ordered.titled.and(Ordered.none).delete(), [1, 2, 3, 4, 5]),
      ((Ordered.unscoped.where { $0.id < 3 } && Ordered.titled).delete(), [2, 3, 4, 5]),
      ((Ordered.unscoped.where { $0.id.eq(2) } || Ordered.titled).delete(), [5]),
      ((Limited.unscoped.where { $0.id.eq(2) } || Limited.where { $0.id > 0 }).delete(), [1, 5]),
      (Ordered.find([]).delete(), [1, 2, 3, 4, 5]), (Ordered.where { $0.id.in([Int]()) }.delete(), [1, 2, 3, 4, 5]),
    ]
    for (delete, remaining) in deletes {
      try home.open(Notes.script).write { db in
        try delete.execute(db)
        expect(try Ordered.unscoped.order(by: \.id).select(\.id).fetchAll(db), remaining, "\(delete)")
      }
    }
    let updates: [(any Statement<Never>, [Int])] = [
      (Ordered.update { $0.position = 9 }, [1, 3, 4]),
      (Ordered.where { $0.id > 1 }.update { $0.position = 9 }, [3, 4]),
      (Ordered.update { $0.position = 9 }.where { $0.id > 1 }, [3, 4]), (Limited.update { $0.position = 9 }, [3, 4]),
      (Ordered.update(Ordered(id: 2, position: 9)), []), (Ordered.update(Ordered(id: 1, position: 9)), [1]),
      (Ordered.as(R.self).update { $0.position = 9 }, [1, 3, 4]), (Ordered.none.update { $0.position = 9 }, []),
      (
        Ordered.update(from: Notes.Folder.all) { note, _ in
          note.position = 9
        } where: {
          $0.id.eq($1.noteID)
        }, [1, 3]
      ),
      (
        Ordered.update(from: Notes.Folder.order(by: \.id).limit(1)) { note, _ in
          note.position = 9
        } where: {
          $0.id.eq($1.noteID)
        }, [1]
      ),
      (
        Ordered.update(from: Notes.Folder.none) { note, _ in
          note.position = 9
        } where: {
          $0.id.eq($1.noteID)
        }, []
      ),
    ]
    for (update, changed) in updates {
      try home.open(Notes.script).write { db in
        try update.execute(db)
        expect(
          try Ordered.unscoped.where { $0.position.eq(9) }.order(by: \.id).select(\.id).fetchAll(db), changed,
          "\(update)")
      }
    }
  }
}
