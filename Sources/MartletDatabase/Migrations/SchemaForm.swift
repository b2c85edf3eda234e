import MartletQuery

/// What SQLite tells of a table, an index, a view or a trigger, however the SQL was written that made it.
///
/// Always true: the same SQL has the same form. What SQLite does not tell is no part of it: conditions of CHECK, the
/// SQL of views and triggers, and the options of virtual tables.
struct SchemaForm: Hashable, Sendable {
  /// A foreign key.
  private struct Key: Hashable, Sendable {
    var table: String
    var actions: [String]
    /// Each column, and the one that it points to.
    var columns: Set<[String]> = []
  }

  private let type: String
  private let name: String
  private var columns: [ColumnInfo] = []
  private var indexes: Set<IndexInfo> = []
  private var keys: Set<Key> = []

  /// The forms of all objects that the schema holds.
  static func all(_ db: Database) throws -> Set<SchemaForm> {
    Set(try SchemaObject.all(db).map { try SchemaForm($0, db) })
  }

  private init(_ object: SchemaObject, _ db: Database) throws {
    type = object.type
    name = object.name
    guard object.type == "table" else { return }
    columns = try db.columns(in: object.name)
    indexes = Set(try db.indexes(on: object.name).map(Self.withoutGivenName))
    keys = try Self.keys(of: object.name, db)
  }

  /// SQLite counts the indexes that it makes itself.
  private static func withoutGivenName(_ index: IndexInfo) -> IndexInfo {
    IndexInfo(
      name: index.isCreated ? index.name : "", columns: index.columns, isUnique: index.isUnique,
      isCreated: index.isCreated)
  }

  private static func keys(of table: String, _ db: Database) throws -> Set<Key> {
    let names = ["id", "seq", "table", "from", "to", "on_update", "on_delete"]
    var keys: [Int: Key] = [:]
    for row in try db.rows(names, of: "pragma_foreign_key_list", table) {
      let (id, place): (Int, Int) = (try row[0], try row[1])
      let (destination, origin): (String, String) = (try row[2], try row[3])
      let named: String? = try row[4]
      let column = try named ?? keyColumn(place, of: destination, db)
      let actions: [String] = [try row[5], try row[6]]
      keys[id, default: Key(table: destination, actions: actions)].columns.insert([origin, column])
    }
    return Set(keys.values)
  }

  /// The column that a foreign key without column names points to; empty if there is none.
  private static func keyColumn(_ place: Int, of table: String, _ db: Database) throws -> String {
    guard try db.tableExists(table) else { return "" }
    let key = try db.primaryKey(table)
    return key.indices.contains(place) ? key[place] : ""
  }
}
