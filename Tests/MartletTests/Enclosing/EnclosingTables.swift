/// Tables whose rows are compared with others of theirs, and their rows.
import Martlet

/// A row that is compared with others of its table.
@Table("steps") struct Stage: Identifiable {
  let id: Int
  var n: Int
  var name = ""
  var parent: Int?
  var flag = false

  static var lonely: Where<Stage> { Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() } }
  static var flagged: Where<Stage> { Stage.where { $0.flag } }
}

extension Stage.TableColumns { var doubled: some QueryExpression<Int> { id * 2 } }

/// Rows of another table.
@Table("visits") struct Visit: Identifiable {
  let id: Int
  var rowID: Int
  var k: Int
}

/// Two columns that are one value.
@Selection struct Spot {
  var x: Int
  var y: Int
}

/// A row with a group of columns.
@Table("places") struct Place: Identifiable {
  let id: Int
  var spot: Spot
}

/// The steps, with a scope that reads the row of an outer query.
@Table("steps") struct Scoped: Identifiable {
  let id: Int
  var n: Int

  static let all = Scoped.unscoped.where { r in Scoped.unscoped.where { $0.id > r.id + 1 }.exists() }
}

/// Another name for a table.
enum Second: AliasName {}

/// The tables in a database.
enum EnclosingTables {
  static let script = """
    CREATE TABLE steps(id INTEGER PRIMARY KEY, n INTEGER NOT NULL, name TEXT NOT NULL DEFAULT '', parent INTEGER,
      flag INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE visits(id INTEGER PRIMARY KEY, rowID INTEGER NOT NULL, k INTEGER NOT NULL);
    INSERT INTO steps(id, n, parent, flag)
      VALUES(1, 5, NULL, 1), (2, 1, 1, 0), (3, 2, 1, 1), (4, 7, 2, 0), (5, 0, 4, 1);
    INSERT INTO visits(id, rowID, k) VALUES(1, 1, 2), (2, 1, 4), (3, 3, 1), (4, 5, 5);
    """
}
