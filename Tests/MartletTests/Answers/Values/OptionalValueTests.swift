/// A value of several columns that may be nil comes back as it was, or is not written.
import Foundation
import Martlet
import Testing

@Suite struct OptionalValueTests {
  @Selection struct Soft: Equatable {
    var a: Int?
    var b: String?
  }

  @CasePathable @Selection enum Kind: Equatable {
    case note(String?)
    case count(Int)
    case soft(Soft?)
  }

  @CasePathable @Selection enum First: Equatable {
    case soft(Soft?)
    case count(Int)
  }

  @Selection enum Only: Equatable {
    case note(String?)
  }

  @Table struct Entry: Equatable {
    let id: Int
    var kind: Kind?
    var soft: Soft?
    var first = First.count(1)
    var only: Only?
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a value that may be nil is the one that was written`(_ home: DatabaseHome) throws {
    try home.empty().write { db in
      try Entry.createTable().execute(db)
      let entries = [
        Entry(id: 1), Entry(id: 2, kind: .note("x"), soft: Soft(a: 1)),
        Entry(id: 3, kind: .count(3), first: .soft(nil)),
        Entry(id: 4, kind: .soft(Soft(b: "b")), first: .soft(Soft(a: 1)), only: .note("y")),
      ]
      try Entry.insert { entries }.execute(db)
      let all = Entry.order(by: \.id)
      same(try all.fetchAll(db), entries)
      same(try all.where { $0.kind.is(\.note) }.select(\.id).fetchAll(db), [2])
      same(try all.where { $0.kind.is(\.soft) }.select(\.id).fetchAll(db), [4])
      same(try all.where { $0.kind.is(nil) }.select(\.id).fetchAll(db), [1])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a value that would come back as nil is not written`(_ home: DatabaseHome) throws {
    let database = try home.empty()
    try database.write { try Entry.createTable().execute($0) }
    for entry in [
      Entry(id: 1, kind: .note(nil)), Entry(id: 2, kind: .soft(nil)), Entry(id: 3, kind: .soft(Soft())),
      Entry(id: 4, soft: Soft()), Entry(id: 5, first: .soft(Soft())), Entry(id: 6, only: .note(nil)),
    ] {
      #expect("\(Entry.insert { entry }.built.failure, default: "none")".contains("has nothing but NULLs here"))
      #expect(throws: QueryBindingFailure.self) { try database.write { try Entry.insert { entry }.execute($0) } }
    }
    let update = Entry.update { $0.kind = .note(nil) }
    #expect(throws: QueryBindingFailure.self) { try database.write { try update.execute($0) } }
    try database.read { same(try Entry.fetchCount($0), 0) }
  }
}
