/// Rows of which several columns are called the same, in views and common tables: each has its own value.
import Foundation
import Martlet
import Testing

@Suite struct NamesakeColumnTests {
  @Table struct Team: Codable, Equatable, Identifiable {
    let id: Int
    var name = ""
    var size: Size
  }

  @Table struct Player: Codable, Equatable, Identifiable {
    let id: Int
    var name = ""
    var teamID: Int?
    var size: Size
  }

  @Selection struct Size: Codable, Equatable {
    var width: Int
    var height: Int?
  }

  /// Both have an `id`, a `name` and a size.
  @Table struct Place: Codable, Equatable {
    let player: Player
    let name: String
    let team: Team?
  }

  @Selection enum Either: Equatable {
    case player(Player)
    case team(Team)
  }

  @Table struct Found: Equatable {
    let number: Int
    let either: Either
  }

  enum Other: AliasName {}

  private static let script = """
    CREATE TABLE "teams" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "width" INTEGER NOT NULL, "height" INTEGER);
    CREATE TABLE "players" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "teamID" INTEGER, "width" INTEGER NOT NULL,
    "height" INTEGER);
    INSERT INTO "teams" VALUES (7, 'Reds', 70, 71);
    INSERT INTO "players" VALUES (1, 'Blob', 7, 10, NULL), (2, 'Loner', NULL, 20, 21);
    """

  private static let reds = Team(id: 7, name: "Reds", size: Size(width: 70, height: 71))
  private static let blob = Player(id: 1, name: "Blob", teamID: 7, size: Size(width: 10, height: nil))
  private static let loner = Player(id: 2, name: "Loner", teamID: nil, size: Size(width: 20, height: 21))
  private static let places = [
    Place(player: blob, name: "BLOB", team: reds), Place(player: loner, name: "LONER", team: nil),
  ]

  private static var joined: some Statement<Place> {
    Player.leftJoin(Team.all) { $0.teamID.eq($1.id) }.order { player, _ in player.id }
      .select { Place.Columns(player: $0, name: $0.name.upper(), team: $1) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a view and a common table of two tables keep their columns apart`(_ home: DatabaseHome) throws {
    let database = try home.open(
      Self.script, temporary: { try Place.createTemporaryView(as: Self.joined).execute($0) })
    try database.read { db in
      same(try Self.joined.fetchAll(db), Self.places)
      same(try Place.order { $0.player.id }.fetchAll(db), Self.places)
      same(
        try Place.where { $0.team.name.eq("Reds") }.select { ($0.player.name, $0.name) }.fetchAll(db),
        [("Blob", "BLOB")])
      same(try Place.order { $0.player.id }.select { $0.team.id }.fetchAll(db), [7, nil])
      same(try Place.order { $0.player.id }.select { $0.team }.fetchAll(db), [Self.reds, nil])
      same(try Place.where { $0.team.size.width.eq(70) }.select { $0.player.size.width }.fetchAll(db), [10])
      same(try Place.where { $0.team.size.eq(Size(width: 70, height: 71)) }.select { $0.player.id }.fetchAll(db), [1])
      same(try Place.as(Other.self).where { $0.team.id > 6 }.select { $0.team.size.height }.fetchAll(db), [71])
      let optional = Team.leftJoin(Place.all) { $0.id.eq($1.team.id) }
      same(try optional.select { ($1.player.id, $1.team.name) }.fetchAll(db).map { "\($0 ?? 0)\($1 ?? "")" }, ["1Reds"])
      same(try Place.order { $0.player.id }.select { $0.jsonObject() }.fetchAll(db), Self.places)
      let common = With {
        Self.joined
      } query: {
        Place.where { $0.team.is(nil) || $0.team.name.eq("Reds") }.order { $0.player.id }
      }
      same(try common.fetchAll(db), Self.places)
      let plain = With {
        Self.places[0]
      } query: {
        Place.select { ($0.player.id, $0.team.id) }
      }
      same(try plain.fetchAll(db).map { "\($0) \($1 ?? 0)" }, ["1 7"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a view that the database names has the names that SQLite gives`(_ home: DatabaseHome) throws {
    let view = """
      CREATE VIEW "places" AS SELECT p."id", p."name" AS "n", p."teamID", p."width", p."height",
      upper(p."name") AS "name", t."id", t."name" AS "m", t."width", t."height"
      FROM "players" AS p LEFT JOIN "teams" AS t ON t."id" = p."teamID";
      """
    try home.open(Self.script + view).read { db in
      let found = Place.where { $0.team.id.eq(7) }.select { ($0.player.id, $0.team.size.width) }
      same(try found.fetchAll(db).map { "\($0) \($1 ?? 0)" }, ["1 70"])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a change of such a view names the column that is meant`(_ home: DatabaseHome) throws {
    let database = try home.open(
      Self.script,
      temporary: { db in
        try Place.createTemporaryView(as: Self.joined).execute(db)
        try Place.createTemporaryTrigger(
          insteadOf: .update { old, new in
            Team.where { $0.id.is(old.team.id) }.update {
              $0.name = new.team.name ?? ""
              $0.size.width = new.team.size.width ?? 0
            }
          }
        ).execute(db)
      })
    try database.write { db in
      let change = Place.where { $0.player.id.eq(1) }.update {
        $0.team.name += "!"
        $0.team.size.width = 5
      }
      same(change.sql.contains(#""name:2" = ("places"."name:2") || (?1), "width:1" = ?2"#), true)
      try change.execute(db)
      same(try Team.find(7).fetchOne(db), Team(id: 7, name: "Reds!", size: Size(width: 5, height: 71)))
      same(try Player.order(by: \.id).fetchAll(db), [Self.blob, Self.loner])
    }
  }

  @Table struct Prize {
    let id: Int
    let kind: Kind

    @Selection enum Kind: Equatable {
      case money(Int)
      case size(Size)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a case is asked of the side that a join may leave out`(_ home: DatabaseHome) throws {
    let script = """
      CREATE TABLE "prizes" ("id" INTEGER PRIMARY KEY, "money" INTEGER, "width" INTEGER, "height" INTEGER);
      INSERT INTO "prizes" VALUES (1, 5, NULL, NULL), (7, NULL, 1, NULL);
      """
    try home.open(Self.script + script).read { db in
      let players = Player.leftJoin(Prize.all) { $0.id.eq($1.id) }
      same(try players.where { $1.kind.is(\.money) }.select { row, _ in row.id }.fetchAll(db), [1])
      same(try players.where { $1.kind.isNot(\.money) }.select { row, _ in row.id }.fetchAll(db), [2])
      let teams = Team.leftJoin(Prize.all) { $0.id.eq($1.id) }
      same(
        try teams.where { $1.kind.is(\.size) && $1.kind.isNot(\.money) }.select { row, _ in row.id }.fetchAll(db), [7])
      same(try teams.where { $1.kind.isNot(\.size) }.count().fetchOne(db), 0)
      same(try players.order { player, _ in player.id }.select { $1.kind }.fetchAll(db), [.money(5), nil])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `cases of an enum whose values have equal names are told apart`(_ home: DatabaseHome) throws {
    same(
      Found.TableColumns.allColumns.map(\.name),
      ["number", "id", "name", "teamID", "width", "height", "id:1", "name:1", "width:1", "height:1"])
    try home.open(Self.script).read { db in
      let all = With {
        Player.select { Found.Columns(number: $0.id, either: Either.Columns.player($0)) }
      } query: {
        Found.where { $0.either.is(\.player) && !$0.either.is(\.team) }.order { $0.number }
      }
      same(try all.fetchAll(db).map(\.either), [.player(Self.blob), .player(Self.loner)])
      let teams = With {
        Found(number: 1, either: .team(Self.reds))
      } query: {
        Found.where { $0.either.is(\.team) && $0.either.team.name.eq("Reds") && $0.either.isNot(\.player) }
      }
      same(try teams.fetchAll(db), [Found(number: 1, either: .team(Self.reds))])
    }
  }

  @Selection struct Address: Equatable {
    var city: String
    var zip: String?
  }

  @Selection struct Pair: Equatable {
    let first: Address
    let second: Address
  }

  @Table struct Person: Identifiable, Equatable {
    let id: Int
    var home: Address
    var work: Address
    var others: Pair
  }

  @Test func `what is declared of a group's column is declared of the table's`() throws {
    let creation = Person.createTable { person in
      person.work.city.unique()
      person.work.zip.check { $0.neq("") }
      person.others.second.city.default("-")
      person.home.zip.collate(.nocase)
    }
    #expect(
      creation.sql == """
        CREATE TABLE "persons" (
          "id" INTEGER PRIMARY KEY,
          "city" TEXT NOT NULL,
          "zip" TEXT COLLATE "NOCASE",
          "city:1" TEXT NOT NULL UNIQUE,
          "zip:1" TEXT CHECK (("zip:1") <> ('')),
          "city:2" TEXT NOT NULL,
          "zip:2" TEXT,
          "city:3" TEXT NOT NULL DEFAULT '-',
          "zip:3" TEXT
        ) STRICT
        """)
    #expect(
      Person.alterTable.addColumn { $0.work.zip }.sql == #"ALTER TABLE "persons" ADD COLUMN "zip:1" TEXT"#)
    let key = Person.alterTable.addColumn { $0.others.second.zip.references(Person.self, \.work.city) }
    #expect(key.sql == #"ALTER TABLE "persons" ADD COLUMN "zip:3" TEXT REFERENCES "persons"("city:1")"#)
  }
}
