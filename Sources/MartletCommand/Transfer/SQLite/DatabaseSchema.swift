import MartletValues

/// What a database is made of, as far as a copy of it needs to know.
///
/// Always true: tables that SQLite or a virtual table's module makes on its own account are not in it.
struct DatabaseSchema: Equatable {
  struct Table: Equatable {
    enum Kind: Equatable {
      case ordinary
      case withoutRowID
      case virtual
    }

    var name: String
    var kind = Kind.ordinary
    var sql: String
    /// The columns that take values; generated and hidden ones do not.
    var columns: [String] = []
    /// The name under which rows can be given their rowid, if no column holds it; nil if one does or there is
    /// none.
    var rowIDName: String?
    /// It has as many columns as a statement names, so there is no room for the rowid beside them.
    var losesRowIDs = false
    /// The tables that the table's foreign keys name.
    var parents: [String] = []
    /// How the table's rows get there: copied, or made anew from the table that the full-text index is for.
    var fill = Fill.copied

    /// What a copy names of each row: the rowid, if no column holds it, and the columns.
    var copiedColumns: [String] { (rowIDName.map { [$0] } ?? []) + columns }
  }

  enum Fill: Equatable {
    case copied
    case rebuilt
    /// The table has no rows of its own: it shows what another table holds.
    case derived
    /// Nothing can read the rows back.
    case impossible(reason: String)
  }

  struct Object: Equatable {
    enum Kind: String, Equatable {
      case index, view, trigger
    }
    var kind: Kind
    var name: String
    var table: String
    var sql: String

    /// A foreign key may need it before the first row.
    var isUniqueIndex: Bool {
      kind == .index && sql.prefix(CommandLimits.indexHeadCharacters).uppercased().contains("UNIQUE")
    }
  }

  /// What a program keeps in the file's header, such as how far its migrations are; 0 if it keeps nothing.
  struct Header: Equatable {
    var userVersion: Int64 = 0
    var applicationID: Int64 = 0

    /// The pragmas that set what is kept.
    var pragmas: [(name: String, value: Int64)] {
      [("user_version", userVersion), ("application_id", applicationID)].filter { $0.value != 0 }
    }
  }

  var tables: [Table] = []
  var objects: [Object] = []
  var hasSequence = false
  var header = Header()
  /// The tables in which ANALYZE has put what it counted.
  var statistics: [String] = []

  /// Without some tables, and what hangs on them.
  func leavingOut(_ names: [String]) -> DatabaseSchema {
    guard !names.isEmpty else { return self }
    let left = Set(names.map { $0.lowercasedASCII })
    var schema = self
    schema.tables.removeAll { left.contains($0.name.lowercasedASCII) }
    schema.objects.removeAll { left.contains($0.table.lowercasedASCII) }
    return schema
  }
}

/// The order in which tables are filled so that every row finds the rows that its foreign keys name.
struct FillOrder: Equatable {
  /// Positions in the schema's list of tables.
  var positions: [Int]
  /// Tables that name themselves or each other: their rows only fit together when all are there.
  var cyclic: Set<Int>

  init(_ tables: [DatabaseSchema.Table]) {
    let numbers = Dictionary(
      tables.enumerated().map { ($0.element.name.lowercasedASCII, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var parents = tables.map { table in Set(table.parents.compactMap { numbers[$0.lowercasedASCII] }) }
    cyclic = Set(tables.indices.filter { parents[$0].contains($0) })
    for index in tables.indices { parents[index].remove(index) }
    positions = []
    var waiting = Array(tables.indices)
    while !waiting.isEmpty {
      var ready = waiting.filter { parents[$0].isDisjoint(with: waiting) }
      if ready.isEmpty {
        // Tables that wait for each other are filled as they stand, with the checks put off to the end.
        ready = waiting
        cyclic.formUnion(waiting)
      }
      positions += ready
      waiting.removeAll { ready.contains($0) }
    }
    // What is made from other tables' rows comes last.
    positions = positions.filter { tables[$0].kind != .virtual } + positions.filter { tables[$0].kind == .virtual }
  }
}
