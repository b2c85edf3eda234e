/// One table under several types, whose default scopes are queries of every form.
import Foundation
import Martlet

enum Notes {
  /// Conditions and an order.
  @Table("notes") struct Ordered: Equatable {
    let id: Int
    var title = ""
    var isDeleted = false
    var position = 0
    var parentID: Int?

    static let titled = Self.where { $0.title.neq("") }
    static let byTitle = order(by: \.title)
    static let inFolders = fullJoin(Folder.all) { $0.id.eq($1.noteID) }
  }

  /// A limit, so that conditions alone do not say which rows there are.
  @Table("notes") struct Limited {
    let id: Int
    var title = ""
    var isDeleted = false
    var position = 0

    static let all = unscoped.where { !$0.isDeleted }.order(by: \.position).limit(2)
  }

  /// The same of a view, which has no key and no rowid.
  @Table("seenNotes") struct Seen {
    var title = ""
    var position = 0

    static let all = unscoped.order(by: \.position).limit(2)
  }

  /// One row of each group.
  @Table("notes") struct Grouped {
    let id: Int
    var isDeleted = false

    static let all = unscoped.group(by: \.isDeleted).having { $0.id.min() > 0 }
  }

  /// A scope that begins with itself.
  @Table("notes") struct Circular {
    let id: Int
    var isDeleted = false

    static let all = Self.where { !$0.isDeleted }.order { $0.id.desc() }
  }

  /// A computed property, whose type is not written.
  @Table("notes") struct Opaque {
    let id: Int
    var isDeleted = false

    static var all: some SelectStatement<Opaque> & JoinableStatement<Opaque> {
      unscoped.where { !$0.isDeleted }.distinct()
    }
  }

  /// A subquery that reads the row outside of it.
  @Table("notes") struct Child {
    let id: Int
    var title = ""
    var parentID: Int?

    static let all = unscoped.where { row in
      Folder.unscoped.where { $0.noteID.eq(row.parentID) }.exists()
    }
  }

  @Table struct Folder {
    let id: Int
    var noteID: Int
  }

  /// Raw SQL with the column of the row.
  @Table("notes") struct Raw {
    let id: Int
    var isDeleted = false

    static let all = unscoped.where { #sql("\($0.isDeleted) = 0") }
  }

  /// A table that is named with its schema.
  @Table("notes", schema: "main") struct InMain {
    let id: Int
    var isDeleted = false

    static let all = unscoped.where { !$0.isDeleted }
  }

  /// Raw SQL that names the table itself.
  @Table("notes") struct RawName {
    let id: Int
    var isDeleted = false

    static let all = unscoped.where { _ in #sql("notes.isDeleted = 0", as: Bool.self) }
  }

  /// Its `all` is another file's own.
  @Table("notes") struct Apart {
    let id: Int
    var isDeleted = false
  }

  /// Functions of the name are no scope.
  @Table("notes") struct Named {
    let id: Int
    var isDeleted = false

    static func all(deleted: Bool) -> Where<Self> { Self.where { $0.isDeleted.eq(deleted) } }
  }

  enum R: AliasName {}
  enum S: AliasName {}

  static let script = """
    CREATE TABLE "notes" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '', "isDeleted" INTEGER NOT NULL
    DEFAULT 0, "position" INTEGER NOT NULL DEFAULT 0, "parentID" INTEGER) STRICT;
    INSERT INTO "notes" VALUES (1, 'a', 0, 3, NULL), (2, 'b', 1, 1, 1), (3, 'c', 0, 1, 1), (4, 'd', 0, 2, 2),
    (5, 'e', 1, 4, 1);
    CREATE VIEW "seenNotes" AS SELECT "title", "position" FROM "notes";
    CREATE TABLE "folders" ("id" INTEGER PRIMARY KEY, "noteID" INTEGER NOT NULL) STRICT;
    INSERT INTO "folders" VALUES (1, 1), (2, 3), (3, 5);
    """
}
