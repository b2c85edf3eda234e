import Bookshelf
// The first use of a macro's type in a file: each part between the lines is a file of its own.
import Martlet

// --- a selection as what a generic function takes
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryRepresentable {}
func use() { takes(Tally.Columns(title: "", count: 0)) }
// --- a selection of the other module
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryRepresentable {}
func use() { takes(ShelfRow.Columns(title: "", kind: Kind.issue(1))) }
// --- a table without a key
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryRepresentable {}
func use() { takes(Loose.Columns(name: "")) }
// --- a table with a key
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryRepresentable {}
func use() { takes(Shelf.Columns(id: 1, name: "", place: Place(row: 1, number: 2) as Place?)) }
// --- a case
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryRepresentable {}
func use() { takes(Answer.Columns.number(1)) }
// --- what can be decoded
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryDecodable {}
func use() { takes(Tally.Columns(title: "", count: 0)) }
// --- what is an expression itself
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: QueryExpression {}
func use() { takes(Tally.Columns(title: "", count: 0)) }
// --- what is a table
func takes<E: QueryExpression>(_ expression: E) where E.QueryValue: Table {}
func use() { takes(Tally.Columns(title: "", count: 0)) }
// --- a wrapper whose type is the query's
struct Model {
  @FetchAll(Shelf.join(Book.all) { $0.id.eq($1.shelfID) }.select { Tally.Columns(title: $1.title, count: $0.id) })
  var rows
}
// --- a wrapper with a type, and one of rows alone
struct Model {
  @FetchAll(Shelf.select { Tally.Columns(title: $0.name, count: $0.id) }) var rows: [Tally]
  @FetchAll var others: [ShelfRow]
  @FetchAll var loose: [Loose]
}
// --- one row
struct Model {
  @FetchOne(Shelf.select { Tally.Columns(title: $0.name, count: $0.id) }) var row: Tally?
}
// --- a global whose type is the query's
let query = Book.select { ShelfRow.Columns(title: $0.title, kind: $0.kind) }
func rows(_ db: Database) throws -> [ShelfRow] { try query.fetchAll(db) }
// --- a query that is fetched where it stands
func use(_ db: Database) throws -> Tally? {
  try Shelf.select { Tally.Columns(title: $0.name, count: $0.id) }.fetchOne(db)
}
// --- rows of rows, with a side that may be missing
func use(_ db: Database) throws -> [Pair] {
  try Book.leftJoin(Shelf.all) { $0.shelfID.eq($1.id) }.select { Pair.Columns(book: $0, shelf: $1) }.fetchAll(db)
}
// --- a common table that reads itself
func use(_ db: Database) throws -> [Level] {
  try With {
    Book.select { Level.Columns(id: $0.id, depth: 0) }.union(
      all: true, Level.where { $0.depth < 3 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) })
  } query: {
    Level.order(by: \.depth)
  }.fetchAll(db)
}
// --- a common table over a join
func use(_ db: Database) throws -> [Tally] {
  try With {
    Shelf.group(by: \.id).join(Book.all) { $0.id.eq($1.shelfID) }.select {
      Tally.Columns(title: $0.name, count: $1.id.count())
    }
  } query: {
    Tally.where { $0.count > 1 }
  }.fetchAll(db)
}
// --- a compound of selections
func use(_ db: Database) throws -> [Tally] {
  try Shelf.select { Tally.Columns(title: $0.name, count: 1) }.union(
    Book.select { Tally.Columns(title: $0.title, count: 2) }
  ).fetchAll(db)
}
// --- values
func use(_ db: Database) throws -> [Tally] { try Values(Tally.Columns(title: "", count: 1)).fetchAll(db) }
// --- a view
func use() -> some Statement { Tally.createTemporaryView(as: Shelf.select { Tally.Columns(title: $0.name, count: 1) }) }
// --- a draft
func use(_ db: Database) throws { try Shelf.insert { Shelf.Draft(name: "a") }.execute(db) }
// --- a draft of a table without a key
func use() -> some Statement { Visit.insert { Visit.Draft(name: "a") } }
// --- drafts that are read
func use(_ db: Database) throws -> [Shelf.Draft] { try Shelf.Draft.where { $0.name.eq("") }.fetchAll(db) }
// --- a group within a column, and a case
func use() -> some Statement {
  Book.where { $0.place.row.is(3) && $0.kind.novel.isNot(nil) }.update { $0.kind = .issue(4) }
}
// --- a group compared as a whole
func use() -> some Statement { Shelf.where { $0.place.eq(Place(row: 1, number: 2)) } }
// --- a document
func use() -> some Statement { Wish.select { $0.note.jsonExtract(\.text) } }
// --- an alias
enum Other: AliasName {}
func use() -> some Statement {
  Loose.join(Loose.as(Other.self).all) { $0.name.eq($1.name) }.select { ($0, $1) }
}
// --- a function of the module, of a row, of a group
func use(_ db: Database) throws {
  _ = Book.select { ($double($0.id), $isLong(book: $0), $longest($0.title)) }
  db.add(function: $double)
}
// --- functions of the other module, of its public extension too
func use(_ db: Database) throws {
  _ = Book.select { ($initial($0.title), $initial($0.title, of: 2), Library.$half($0.id), Library.$limit + 1) }
  _ = Book.select { Library.$widest($0.id) }
  db.add(function: $initial)
  db.add(function: Library.$half)
}
// --- a table, a group and an enum of the other module's public extension
func use(_ db: Database) throws -> [Library.Room] {
  try Library.Room.insert { Library.Room.Draft(name: "a") }.execute(db)
  _ = Library.Room.select { (Library.Door.Columns(width: $0.id, height: 1), Library.Light.Columns.lamps($0.id)) }
  return try Library.Room.where { $0.door.width > 2 }.fetchAll(db)
}
// --- a text
func use() -> some Statement { BookText.where { $0.match("a") }.order(by: \.rank) }
// --- a trigger
func use() -> some Statement {
  Book.createTemporaryTrigger(
    after: .insert { new in
      Loose.insert {
        ($0.name)
      } values: {
        new.title
      }
    })
}
// --- SQL
func use(_ db: Database) throws -> [Tally] { try #sql("SELECT 'a', 1", as: Tally.self).fetchAll(db) }
// --- columns from a closure that the compiler infers
func use() {
  let columns = { (shelf: Shelf.TableColumns) in Tally.Columns(title: shelf.name, count: shelf.id) }
  _ = Shelf.select(columns)
}
