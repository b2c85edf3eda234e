/// What a program is told of a foreign key that does not hold, and of a trigger that raises: the same from a file as
/// from a server.
import MartletDatabase
import Testing

@Suite struct ForeignKeyErrorTests {
  private static let schema = """
    CREATE TABLE shelf(id INTEGER PRIMARY KEY);
    CREATE TABLE book(id INTEGER PRIMARY KEY, shelf REFERENCES shelf ON DELETE RESTRICT ON UPDATE RESTRICT);
    CREATE TABLE room(id INTEGER PRIMARY KEY);
    CREATE TABLE chair(id INTEGER PRIMARY KEY, room REFERENCES room);
    CREATE TABLE "a guest"(id INTEGER PRIMARY KEY, room REFERENCES room DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE meal(id INTEGER PRIMARY KEY, guest REFERENCES "a guest" DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE locked(id INTEGER PRIMARY KEY);
    CREATE TRIGGER keep BEFORE DELETE ON locked BEGIN SELECT RAISE(ABORT, 'order %s is locked: E42'); END;
    INSERT INTO shelf VALUES (1);
    INSERT INTO book VALUES (1, 1);
    INSERT INTO room VALUES (1);
    INSERT INTO chair VALUES (1, 1);
    INSERT INTO locked VALUES (1);
    """

  private func open(_ home: Home) throws -> OpenHome {
    let open = try home.open(hasSchema: false)
    try open.database.writeWithoutTransaction { try $0.execute(sql: Self.schema) }
    return open
  }

  private struct Case {
    var sql: String
    var table: String

    init(_ sql: String, _ table: String) { (self.sql, self.table) = (sql, table) }
  }

  /// Each alone, and commits by itself.
  private static let alone = [
    Case("DELETE FROM shelf", "shelf"), Case("UPDATE shelf SET id = 2", "shelf"),
    Case("INSERT OR REPLACE INTO shelf VALUES (1)", "shelf"), Case("REPLACE INTO shelf VALUES (1)", "shelf"),
    Case("DROP TABLE room", "room"), Case("DROP TABLE IF EXISTS main.room", "room"),
    Case("INSERT INTO chair VALUES (2, 9)", "chair"), Case("DELETE FROM room", "room"),
    Case("INSERT INTO \"a guest\" VALUES (1, 9)", "a guest"),
  ]

  /// In one transaction, at whose end the deferred keys are looked at. A violation that was mended is nobody's.
  private static let together: [(script: [String], tables: [String])] = [
    (["INSERT INTO \"a guest\" VALUES (1, 9)"], ["a guest"]),
    (["INSERT INTO \"a guest\" VALUES (1, 9)", "INSERT INTO meal VALUES (1, 7)"], ["a guest", "meal"]),
    (
      [
        "INSERT INTO \"a guest\" VALUES (1, 9)", "UPDATE \"a guest\" SET room = 1", "INSERT INTO meal VALUES (1, 7)",
        "INSERT INTO room VALUES (5)",
      ], ["meal", "room"]
    ),
  ]

  private func error(of body: () throws -> Void) -> RequestError? { #expect(throws: RequestError.self) { try body() } }

  @Test(arguments: Home.allCases)
  func `a foreign key error has the table of its statement, whatever SQLite's code for it is`(home: Home) throws {
    let open = try open(home)
    for one in Self.alone {
      let error = error { try open.database.writeWithoutTransaction { try $0.execute(sql: one.sql) } }
      #expect(error?.constraint == "FOREIGN KEY", "\(one.sql): \(String(describing: error))")
      #expect(error?.table == one.table, "\(one.sql)")
      #expect(
        error?.message.hasPrefix("A foreign key of \(one.table), or one that refers to it,") == true, "\(one.sql)")
    }
  }

  @Test(arguments: Home.allCases)
  func `a commit that fails over a deferred key names the tables that were written since all keys held`(home: Home)
    throws
  {
    let open = try open(home)
    for (script, tables) in Self.together {
      let error = error {
        try open.database.write { db in for sql in script { try db.execute(sql: sql) } }
      }
      #expect(error?.constraint == "FOREIGN KEY", "\(script): \(String(describing: error))")
      #expect(error?.table == (tables.count == 1 ? tables[0] : ""))
      #expect(error?.message.contains("of \(tables.joined(separator: " or "))") == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: Home.allCases)
  func `the words of RAISE are those that its author wrote`(home: Home) throws {
    let open = try open(home)
    let error = error { try open.database.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM locked") } }
    #expect(error?.message == "order %s is locked: E42")
    #expect(error?.constraint == "TRIGGER" && error?.reason == .constraint)
  }
}
