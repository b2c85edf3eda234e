/// Some tables by their names, or all there may be: those that a statement touches, that a transaction wrote, that an
/// observer reads.
///
/// Always true: what cannot be told is `everything`, which meets every set but the empty one.
package struct TableSet: Sendable, Equatable {
  package private(set) var names: Set<TableName> = []
  package private(set) var isEverything = false

  /// No table.
  package init() {}

  package init(_ names: Set<TableName>) { self.names = names }

  /// Every table, known or not.
  package static let everything: TableSet = {
    var set = TableSet()
    set.isEverything = true
    return set
  }()

  package var isEmpty: Bool { names.isEmpty && !isEverything }

  package mutating func insert(_ table: TableName) {
    if !isEverything { names.insert(table) }
  }

  package mutating func formUnion(_ other: TableSet) {
    if isEverything || other.isEmpty { return }
    if other.isEverything { self = other } else { names.formUnion(other.names) }
  }

  /// Whether some table is in both.
  package func overlaps(_ other: TableSet) -> Bool {
    if isEverything { return !other.isEmpty }
    if other.isEverything { return !isEmpty }
    let isSmaller = names.count <= other.names.count
    let (few, many) = isSmaller ? (names, other.names) : (other.names, names)
    return few.contains { table in
      if many.contains(table) { return true }
      // Of a table whose schema is not known the name decides.
      if table.schema.isEmpty { return many.contains { $0.name == table.name } }
      return many.contains(TableName(schema: "", table.name))
    }
  }
}

/// A table, a view or a virtual table of one of a connection's databases.
///
/// Always true: its names are in lower case, because SQLite tells some as a statement writes them (`count(*)` of
/// `ITEMS`) and others as the schema does, and takes both for one table.
package struct TableName: Hashable, Sendable {
  /// `main`, `temp`, or what an attached database is called; empty if SQLite does not tell.
  package let schema: String
  package let name: String

  package init(schema: String = "main", _ name: String) {
    self.schema = ComparedName.of(schema)
    self.name = ComparedName.of(name)
  }
}
