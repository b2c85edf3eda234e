/// Tables with everything that a query of the builder adds to what is written: a default scope, groups, an enum's
/// cases, documents, a text index and a trigger.
import Martlet

enum Cards {
  @Table struct Card: Equatable {
    let id: Int
    var title = ""
    var isGone = false
    var count: Int?
    var size: Size
    var kind: Kind
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
    var ownerID: Int?

    /// Another one for each trial.
    static var all: any JoinableStatement<Card> { CardScope.now.query() }
    static let titled = Self.where { $0.title.neq("") }
  }

  @Selection struct Size: Equatable {
    var width: Int
    var height: Int
  }

  @Selection enum Kind: Equatable {
    case number(Int)
    case text(String)
  }

  @Table struct CardText: FTS5 { let title: String }

  @Table struct CardLog {
    let id: Int
    var cardID: Int
    var old: String?
    var new = ""
  }

  @Selection struct Found { let id: Int }

  @Selection struct Kinded {
    let id: Int
    let kind: Kind
  }

  /// Both cards have an `id`, a `title` and all the rest.
  @Selection struct Pair {
    let card: Card
    let title: String
    let owner: Card?
  }

  enum Named: AliasName {}
  enum Inner: AliasName {}
  enum Third: AliasName {}

  static let tables = """
    CREATE TABLE "cards" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "isGone" INTEGER NOT NULL, "count" INTEGER,
    "width" INTEGER NOT NULL, "height" INTEGER NOT NULL, "number" INTEGER, "text" TEXT, "tags" TEXT NOT NULL, "ownerID"
    INTEGER);
    INSERT INTO "cards" VALUES
    (1, 'milk', 0, 3, 1, 2, 5, NULL, '["a","b"]', NULL), (2, 'tea', 1, NULL, 1, 2, NULL, 'x', '["a"]', 1),
    (3, '', 0, 0, 2, 2, 0, NULL, '[]', 1), (4, 'milk tea', 0, NULL, 2, 1, NULL, '', '["b"]', 2),
    (5, 'Tea', 1, 7, 0, 0, 7, NULL, '["c","a","b"]', 9), (6, 'salt', 0, -1, 1, 2, NULL, 'x', '[]', 6);
    CREATE VIRTUAL TABLE "cardTexts" USING fts5("title");
    INSERT INTO "cardTexts" ("rowid", "title") SELECT "id", "title" FROM "cards";
    CREATE TABLE "cardLogs" ("id" INTEGER PRIMARY KEY, "cardID" INTEGER NOT NULL, "old" TEXT, "new" TEXT);
    """

  /// The trigger as a person would write it.
  static let trigger = """
    CREATE TRIGGER "logged" AFTER UPDATE OF "title" ON "cards" WHEN old."title" <> new."title" BEGIN
    INSERT INTO "cardLogs" ("cardID", "old", "new") VALUES (new."id", old."title", new."title"); END;
    """

  /// The same in the builder.
  static var builtTrigger: CreateTrigger<Card> {
    Card.createTrigger(
      "logged",
      after: .update {
        $0.title
      } forEachRow: { old, new in
        CardLog.insert {
          ($0.cardID, $0.old, $0.new)
        } values: {
          (new.id, old.title, new.title)
        }
      } when: { old, new in
        old.title.neq(new.title)
      })
  }
}

/// The columns of a card, of an alias of the table, or of a draft.
struct CardColumns {
  var id: SQLQueryExpression<Int>
  var title: SQLQueryExpression<String>
  var count: SQLQueryExpression<Int?>
  var size: SQLQueryExpression<Cards.Size>
  var width: SQLQueryExpression<Int>
  var number: SQLQueryExpression<Int?>
  var text: SQLQueryExpression<String?>
  var tags: SQLQueryExpression<[String].JSONRepresentation>
  var ownerID: SQLQueryExpression<Int?>
  /// What stands before a column where a person names the table.
  var name: String

  init(_ columns: Cards.Card.TableColumns) {
    id = SQLQueryExpression(columns.id)
    title = SQLQueryExpression(columns.title)
    count = SQLQueryExpression(columns.count)
    size = SQLQueryExpression(columns.size)
    width = SQLQueryExpression(columns.size.width)
    number = SQLQueryExpression(columns.kind.number)
    text = SQLQueryExpression(columns.kind.text)
    tags = SQLQueryExpression(columns.tags)
    ownerID = SQLQueryExpression(columns.ownerID)
    name = "cards"
  }

  init(_ columns: AliasColumns<Cards.Card, Cards.Named>) {
    id = SQLQueryExpression(columns.id)
    title = SQLQueryExpression(columns.title)
    count = SQLQueryExpression(columns[dynamicMember: \.count])
    size = SQLQueryExpression(columns.size)
    width = SQLQueryExpression(columns.size.width)
    number = SQLQueryExpression(columns.kind.number)
    text = SQLQueryExpression(columns.kind.text)
    tags = SQLQueryExpression(columns.tags)
    ownerID = SQLQueryExpression(columns.ownerID)
    name = "nameds"
  }
}
