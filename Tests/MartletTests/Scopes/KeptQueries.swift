/// Queries that a table keeps as static properties, behind other clauses, beside the SQL of a person.
import Martlet

enum KeptQueries {
  @Table("notes") struct Post: Equatable {
    let id: Int
    var title = ""
    var isDeleted = false
    var position = 0
    var parentID: Int?

    static let shown = Self.where { !$0.isDeleted }
    static let byTitle = order { $0.title.desc() }
    static let firstTwo = limit(2)
    static let perParent = group(by: \.parentID)
    static let titles = select(\.title)
    static let pairs = select { ($0.id, $0.title) }
    static let positions = select(\.position).distinct()
    static let inFolders = join(Notes.Folder.all) { $0.id.eq($1.noteID) }
    static let numbered = order(by: \.id).join(Notes.Folder.all) { using($0.id, $1.id) }
    static let withFolders = group(by: \.id).leftJoin(Notes.Folder.all) { $0.id.eq($1.noteID) }
    static let withParent = order(by: \.id).leftJoin(Post.as(Notes.R.self).all) { $0.parentID.is($1.id) }
    static let family = order(by: \.id).leftJoin(Post.as(Notes.R.self).all) { $0.parentID.is($1.id) }
      .join(Post.as(Notes.S.self).all) { post, _, child in post.id.is(child.parentID) }
    static let nothing = none
  }

  @HandTrialsBuilder static var clauses: [HandTrial] {
    HandTrial(
      Post.order { $0.position.desc() }.shown.select(\.id),
      "SELECT id || '' FROM notes WHERE NOT isDeleted ORDER BY position DESC", isSorted: true)
    HandTrial(
      Post.order { $0.isDeleted }.byTitle.select(\.id), "SELECT id || '' FROM notes ORDER BY isDeleted, title DESC",
      isSorted: true)
    HandTrial(
      Post.limit(3).byTitle.select(\.id), "SELECT id || '' FROM notes ORDER BY title DESC LIMIT 3", isSorted: true)
    HandTrial(
      Post.byTitle.limit(3, offset: 1).shown.select(\.id),
      "SELECT id || '' FROM notes WHERE NOT isDeleted ORDER BY title DESC LIMIT 3 OFFSET 1", isSorted: true)
    HandTrial(
      Post.where { $0.id > 1 }.byTitle.firstTwo.shown.select(\.id),
      "SELECT id || '' FROM notes WHERE id > 1 AND NOT isDeleted ORDER BY title DESC LIMIT 2", isSorted: true)
    HandTrial(
      Post.group(by: \.parentID).having { $0.id.count() > 1 }.shown.select { $0.id.count() },
      "SELECT count(id) || '' FROM notes WHERE NOT isDeleted GROUP BY parentID HAVING count(id) > 1")
    HandTrial(
      Post.order(by: \.parentID).perParent.select { ($0.parentID, $0.id.count()) },
      "SELECT ifnull(parentID, 'nil') || ' ' || count(id) FROM notes GROUP BY parentID ORDER BY parentID",
      isSorted: true)
    HandTrial(
      Post.group(by: \.parentID).perParent.shown.select { $0.id.count() },
      "SELECT count(id) || '' FROM notes WHERE NOT isDeleted GROUP BY parentID")
    HandTrial(Post.order(by: \.id).titles, "SELECT title FROM notes ORDER BY id", isSorted: true)
    HandTrial(Post.order(by: \.id).pairs.shown, "SELECT id || ' ' || title FROM notes WHERE NOT isDeleted")
    HandTrial(
      Post.byTitle.positions.limit(2), "SELECT DISTINCT position || '' FROM notes ORDER BY title DESC LIMIT 2",
      isSorted: true)
    HandTrial(Post.select(\.title).shown, "SELECT title FROM notes WHERE NOT isDeleted")
    HandTrial(
      Post.select { ($0.id, $0.title) }.byTitle.shown,
      "SELECT id || ' ' || title FROM notes WHERE NOT isDeleted ORDER BY title DESC", isSorted: true)
    HandTrial(Post.byTitle.shown.count(), "SELECT count(*) || '' FROM notes WHERE NOT isDeleted")
    HandTrial(Post.byTitle.nothing.shown.select(\.id), "SELECT 1 WHERE 0")
    HandTrial(Post.byTitle.none.inFolders.select(\.id), "SELECT 1 WHERE 0")
    HandTrial(Post.Draft.all.order(by: \.title).shown.select(\.title), "SELECT title FROM notes WHERE NOT isDeleted")
  }

  @HandTrialsBuilder static var joins: [HandTrial] {
    HandTrial(
      Post.where { $0.id < 5 }.byTitle.inFolders.select { ($0.title, $1.id) },
      "SELECT title || ' ' || folders.id FROM notes JOIN folders ON notes.id = noteID WHERE notes.id < 5 "
        + "ORDER BY title DESC", isSorted: true)
    HandTrial(
      Post.byTitle.limit(2).inFolders.shown.select { ($0.title, $1.id) },
      "SELECT title || ' ' || folders.id FROM notes JOIN folders ON notes.id = noteID WHERE NOT isDeleted "
        + "ORDER BY title DESC LIMIT 2", isSorted: true)
    HandTrial(
      Post.distinct().withFolders.select { ($0.isDeleted, $1.id.count()) },
      "SELECT DISTINCT CASE isDeleted WHEN 1 THEN 'true' ELSE 'false' END || ' ' || count(folders.id) FROM notes "
        + "LEFT JOIN folders ON notes.id = noteID GROUP BY notes.id")
    HandTrial(
      Post.join(Notes.Folder.all) { $0.id.eq($1.noteID) }.shown.byTitle.firstTwo.select { ($0.id, $1.id) },
      "SELECT notes.id || ' ' || folders.id FROM notes JOIN folders ON notes.id = noteID WHERE NOT isDeleted "
        + "ORDER BY title DESC LIMIT 2", isSorted: true)
    HandTrial(
      Post.rightJoin(Notes.Folder.all) { $0.id.eq($1.noteID) }.shown.select { ($0.id, $1.id) },
      "SELECT notes.id || ' ' || folders.id FROM notes JOIN folders ON notes.id = noteID WHERE NOT isDeleted")
    HandTrial(
      Post.join(Notes.Folder.all) { $0.id.eq($1.noteID) }.select { $1.id }.shown,
      "SELECT folders.id || '' FROM notes JOIN folders ON notes.id = noteID WHERE NOT isDeleted")
    HandTrial(
      Post.join(Notes.Folder.all) { $0.id.eq($1.noteID) }.withParent.select { ($0.id, $1.id, $2.id) },
      "SELECT a.id || ' ' || f.id || ' ' || ifnull(b.id, 'nil') FROM notes a JOIN folders f ON a.id = noteID "
        + "LEFT JOIN notes b ON a.parentID IS b.id ORDER BY a.id", isSorted: true)
    HandTrial(
      Post.rightJoin(Notes.Folder.all) { $0.id.eq($1.noteID) }.withParent.select { ($0.id, $1.id, $2.id) },
      "SELECT a.id || ' ' || f.id || ' ' || ifnull(b.id, 'nil') FROM notes a JOIN folders f ON a.id = noteID "
        + "LEFT JOIN notes b ON a.parentID IS b.id")
    HandTrial(
      Post.leftJoin(Notes.Folder.all) { $0.id.eq($1.noteID) }.family.select { ($0.id, $1.id, $2.id, $3.id) },
      "SELECT a.id || ' ' || ifnull(f.id, 'nil') || ' ' || ifnull(b.id, 'nil') || ' ' || c.id FROM notes a "
        + "LEFT JOIN folders f ON a.id = noteID LEFT JOIN notes b ON a.parentID IS b.id JOIN notes c "
        + "ON c.parentID IS a.id")
    HandTrial(
      Post.family.inFolders.select { ($0.id, $1.id, $2.id, $3.id) },
      "SELECT a.id || ' ' || ifnull(b.id, 'nil') || ' ' || c.id || ' ' || f.id FROM notes a "
        + "LEFT JOIN notes b ON a.parentID IS b.id JOIN notes c ON c.parentID IS a.id JOIN folders f ON a.id = noteID")
    // USING looks for its column in the first table alone.
    HandTrial(
      Post.leftJoin(Post.as(Notes.R.self).all) { $0.parentID.is($1.id) }.numbered.select { ($0.id, $2.noteID) },
      "SELECT a.id || ' ' || noteID FROM notes a LEFT JOIN notes b ON a.parentID IS b.id JOIN folders f "
        + "ON f.id = a.id ORDER BY a.id", isSorted: true)
    // Rows of the program are read in the table's place.
    HandTrial(
      Post.rows([Post(id: 1, title: "x"), Post(id: 3, title: "y")]).byTitle.inFolders.select { ($0.title, $1.id) },
      "SELECT 'y 2' UNION ALL SELECT 'x 1'", isSorted: true)
    // Whole rows that were chosen are those that a query gives anyway.
    HandTrial(
      Post.select { $0 }.byTitle.inFolders.select { ($0.title, $1.id) },
      "SELECT title || ' ' || f.id FROM notes JOIN folders f ON notes.id = noteID ORDER BY title DESC", isSorted: true)
  }

  /// Of a table with a default scope.
  @HandTrialsBuilder static var scoped: [HandTrial] {
    HandTrial(
      Notes.Ordered.order { $0.id.desc() }.titled.select(\.id),
      "SELECT id || '' FROM notes WHERE NOT isDeleted AND title <> '' ORDER BY position, id DESC", isSorted: true)
    HandTrial(
      Notes.Ordered.unscoped.order { $0.id.desc() }.titled.select(\.id), "SELECT id || '' FROM notes ORDER BY id DESC",
      isSorted: true)
    HandTrial(
      Notes.Ordered.order { $0.id.desc() }.archived.select(\.id),
      "SELECT id || '' FROM notes WHERE isDeleted ORDER BY id DESC",
      isSorted: true)
    HandTrial(
      Notes.Ordered.where { $0.id > 2 }.archivedByTitle.select(\.id),
      "SELECT id || '' FROM notes WHERE id > 2 AND isDeleted ORDER BY title")
    HandTrial(
      Notes.Ordered.where { $0.id > 2 }.archivedInFolders.select { $1.id },
      "SELECT f.id || '' FROM notes JOIN folders f ON notes.id = noteID WHERE notes.id > 2 AND isDeleted")
    HandTrial(
      Notes.Ordered.order(by: \.title).archivedInFolders.select { $1.id },
      "SELECT f.id || '' FROM notes JOIN folders f ON notes.id = noteID WHERE isDeleted")
    HandTrial(
      Notes.Ordered.order(by: \.title).inFolders.select { ($0.id, $1.id) },
      "SELECT ifnull(n.id, 'nil') || ' ' || ifnull(f.id, 'nil') FROM (SELECT * FROM notes WHERE NOT isDeleted) n "
        + "FULL JOIN folders f ON n.id = noteID")
    HandTrial(
      Notes.Ordered.leftJoin(Notes.Folder.all) { $0.id.eq($1.noteID) }.titled.select { ($0.id, $1.id) },
      "SELECT n.id || ' ' || ifnull(f.id, 'nil') FROM notes n LEFT JOIN folders f ON n.id = noteID WHERE NOT isDeleted")
    HandTrial(
      Notes.Ordered.rightJoin(Notes.Folder.all) { $0.id.eq($1.noteID) }.byTitle.select { ($0.id, $1.id) },
      "SELECT ifnull(n.id, 'nil') || ' ' || f.id FROM folders f LEFT JOIN notes n ON n.id = noteID AND NOT isDeleted")
    HandTrial(
      Notes.Limited.order(by: \.id).firstTitled.select(\.id),
      "SELECT id || '' FROM notes WHERE NOT isDeleted AND title <> '' ORDER BY position, id LIMIT 2", isSorted: true)
  }
}

extension Notes.Ordered {
  static let archived = unscoped.where(\.isDeleted)
  static let archivedByTitle = unscoped.where(\.isDeleted).order(by: \.title)
  static let archivedInFolders = unscoped.where(\.isDeleted).join(Notes.Folder.all) { $0.id.eq($1.noteID) }
}

extension Notes.Limited {
  static let firstTitled = Self.where { $0.title.neq("") }
  static let inFolders = join(Notes.Folder.all) { $0.id.eq($1.noteID) }
}
