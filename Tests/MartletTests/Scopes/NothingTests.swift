/// `none`, empty arrays and empty closures: a statement that cannot have an effect has none, and never a wider one.
import Foundation
import Martlet
import Testing

extension Notes {
  /// A common table's rows.
  @Selection struct Found {
    let id: Int
  }

  @Table struct Copy {
    let id: Int
    var note: Int?
  }
}

@Suite struct NothingTests {
  typealias Note = Notes.Ordered
  typealias Found = Notes.Found

  private static let script = Notes.script + "CREATE TABLE \"copies\" (\"id\" INTEGER PRIMARY KEY, \"note\" INTEGER);"

  /// Writes behind a common table that has no rows.
  private static func behindNothing() -> [any Statement<Never>] {
    [
      With {
        Note.none
      } query: {
        Note.delete()
      },
      With {
        Note.none
      } query: {
        Note.update { $0.position = 9 }
      },
      With {
        Note.none
      } query: { _ in
        Note.delete()
      },
      With {
        Note.none.where { $0.id > 0 }
      } query: {
        Note.delete()
      },
      With {
        Note.none.order(by: \.id).limit(3)
      } query: {
        Note.delete()
      },
      With {
        Note.none.union(Note.none)
      } query: {
        Note.delete()
      },
      With {
        Note.none.select { Found.Columns(id: $0.id.max() ?? 7) }
      } query: {
        Note.delete()
      },
    ]
  }

  /// The same with a branch that is not taken, and other statements.
  private static func behindNothingElse(isWanted: Bool = false) -> [any Statement<Never>] {
    [
      With {
        if isWanted { Note.where { $0.id > 0 } }
      } query: {
        Note.delete()
      },
      With {
        Note.none
      } query: {
        With {
          Note.none
        } query: {
          Note.delete()
        }
      },
      With {
        Note.none
      } query: {
        #sql("DELETE FROM \(Note.self)", as: Never.self)
      },
      With {
        Note.none
      } query: {
        Notes.Copy.insert { Notes.Copy(id: 1) }
      },
      With {
        Note.none.materialized()
      } query: {
        Note.delete()
      },
    ]
  }

  /// Writes of no rows, and to none.
  private static func ofNothing(isWanted: Bool = false) -> [any Statement<Never>] {
    [
      Notes.Copy.insert {
        $0.note
      } select: {
        Note.none.select { $0.id.max() }
      },
      Notes.Copy.insert {
        $0.note
      } select: {
        Note.none.select { $0.parentID }
      },
      Notes.Copy.insert { [Notes.Copy]() },
      Notes.Copy.insert { if isWanted { Notes.Copy(id: 1) } },
      Notes.Copy.insert {
        $0.note
      } values: {
        for number in [Int]() { number }
      },
      Notes.Copy.upsert { [Notes.Copy.Draft]() },
      Note.none.delete(), Note.none.where { $0.id > 0 }.delete(), Note.titled.none.delete(),
      Note.all.where { $0.id.in([Int]()) }.delete(),
      Note.where { RowValue($0.id, $0.position).in([(Int, Int)]()) }.delete(),
      Note.where { $0.id.in(Note.none.select(\.id)) }.delete(),
      Note.update { _ in },
      Note.update(from: Notes.Folder.all) { _, _ in
      } where: {
        $0.id.eq($1.noteID)
      },
      Note.delete(Note(id: 99)), Note.find([]).update { $0.title = "?" },
    ]
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what reads from nothing changes nothing`(_ home: DatabaseHome) throws {
    try home.open(Self.script).write { db in
      let before = try Note.unscoped.order(by: \.id).fetchAll(db)
      for statement in Self.behindNothing() + Self.behindNothingElse() + Self.ofNothing() {
        try statement.execute(db)
        let isSame = try Note.unscoped.order(by: \.id).fetchAll(db) == before
        #expect(isSame, "\(statement)")
        same(try Notes.Copy.fetchCount(db), 0)
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `of two tables of a name the one that has rows counts`(_ home: DatabaseHome) throws {
    let isWanted = true
    try home.open(Self.script).write { db in
      func rows(_ query: some Statement<Int>) throws -> [Int] { try query.fetchAll(db) }
      let both = With {
        Note.none.select { Found.Columns(id: $0.id) }
        Note.where { $0.id > 1 }.select { Found.Columns(id: $0.id) }
      } query: {
        Found.order(by: \.id).select(\.id)
      }
      same(try rows(both), [3, 4])
      let branches = With {
        if isWanted { Note.find(1).select { Found.Columns(id: $0.id) } }
        Note.none.select { Found.Columns(id: $0.id) }
      } query: {
        Found.select(\.id)
      }
      same(try rows(branches), [1])
      let nothing = With {
        Note.none.select { Found.Columns(id: $0.id) }
        Note.none.select { Found.Columns(id: $0.id) }
      } query: {
        Found.select(\.id)
      }
      same(try rows(nothing), [])
      // A table without rows is one all the same: what reads it and other tables has rows of those.
      let beside = With {
        Note.none.select { Found.Columns(id: $0.id) }
      } query: {
        Notes.Folder.where { !$0.noteID.in(Found.select(\.id)) }.order(by: \.id).select(\.id)
      }
      same(try rows(beside), [1, 2, 3])
      same(try rows(Note.none.count()), [0])
      same(try rows(Note.none.select(\.id).union(Note.find(1).select(\.id))), [1])
      same(try Note.titled.except(Note.none).fetchAll(db).map(\.id).sorted(), [1, 3, 4])
    }
  }
}
