import MartletProtobuf

/// Common tables and the statement that reads them, without its types.
///
/// Always true: if two tables have the same name, only one is written.
struct WithParts: StatementTree {
  private(set) var tables: [CommonTable]
  private(set) var body: StatementFragment
  /// Counted where it is made: a loop makes one of it and another one, each time.
  let depth: Int32

  init(tables: [CommonTable], body: StatementFragment) {
    // The branches of a condition can make two tables of the same name. The one that may have rows counts.
    self.tables = tables.enumerated().filter { index, table in
      let others = tables.enumerated().filter { $0.offset != index && $0.element.name == table.name }
      return !table.isNone || !others.contains { !$0.element.isNone || $0.offset < index }
    }.map { _, table in
      var table = table
      table.query = table.query.bounded
      return table
    }
    self.body = body.bounded
    depth = StatementFragment.depth(around: [self.body] + self.tables.map(\.query))
  }

  var isNone: Bool { body.tree.isNone || hasNoEffect }

  /// Without a row to read, the statement would write something that was not meant.
  var hasNoEffect: Bool { tables.allSatisfy(\.isNone) && (tables.isEmpty || body.tree.writes) }

  var hasSeveralRows: Bool { body.tree.hasSeveralRows }

  var writes: Bool { body.tree.writes }
}

extension WithParts {
  var readsDocument: Bool { body.tree.readsDocument }

  func withReals(_ areReal: [Bool]) -> any StatementTree {
    var parts = self
    parts.body = StatementFragment(body.tree.withReals(areReal))
    return parts
  }

  func mapping(_ change: ColumnMapping) -> any StatementTree {
    var parts = self
    parts.tables = tables.map { table in
      var table = table
      table.query = table.query.mapping(change)
      return table
    }
    parts.body = body.mapping(change)
    return parts
  }

  func look(_ search: inout PlaceSearch) {
    for table in tables { table.query.tree.look(&search) }
    body.tree.look(&search)
  }
}

extension WithParts {
  func write(to writer: inout TreeWriter) {
    if hasNoEffect { return SelectParts.nothing.write(to: &writer) }
    writer.message(GrammarFields.Statement.with) {
      for table in tables {
        $0.message(GrammarFields.With.tables) {
          $0.text(GrammarFields.CommonTable.name, table.name)
          if table.query.tree.columnNames != table.columns {
            for column in table.columns { $0.presentText(GrammarFields.CommonTable.columns, column) }
          }
          $0.word(GrammarFields.CommonTable.materialization, table.materialization)
          $0.statement(GrammarFields.CommonTable.query, table.query.growing(table.name))
        }
      }
      $0.statement(GrammarFields.With.body, body)
    }
  }
}
