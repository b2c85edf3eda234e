/// Queries as writes: rows that are inserted, and rows of a filter that are changed.
///
/// Always true: a write of a query without a filter concerns every row of its table.
extension QueryType {
  // MARK: - INSERT

  /// `INSERT INTO "users" ("email", "name") VALUES (?, ?)`
  public func insert(_ value: Setter, _ more: Setter...) -> Insert { insert([value] + more) }

  /// `INSERT INTO "users" ("email", "name") VALUES (?, ?)`; a row of defaults if there are none.
  public func insert(_ values: [Setter]) -> Insert { inserting([values], or: nil) }

  /// `INSERT OR REPLACE INTO "users" …`
  public func insert(or onConflict: OnConflict, _ values: Setter...) -> Insert { insert(or: onConflict, values) }

  /// `INSERT OR REPLACE INTO "users" …`
  public func insert(or onConflict: OnConflict, _ values: [Setter]) -> Insert { inserting([values], or: onConflict) }

  /// `INSERT INTO "users" ("email") VALUES (?), (?)`: many rows in one statement. Each sets the same columns, in any
  /// order.
  public func insertMany(_ values: [[Setter]]) -> Insert { inserting(values, or: nil) }

  /// `INSERT OR REPLACE INTO "users" ("email") VALUES (?), (?)`
  public func insertMany(or onConflict: OnConflict, _ values: [[Setter]]) -> Insert {
    inserting(values, or: onConflict)
  }

  /// `INSERT INTO "users" DEFAULT VALUES`
  public func insert() -> Insert { Insert(InsertTree(table: clauses.from, source: .defaults)) }

  /// `INSERT INTO "users" SELECT …`: the rows of a query.
  public func insert(_ query: any QueryType) -> Update {
    Update(Node(.statement(InsertTree(table: clauses.from, source: .query(query.clauses)))))
  }

  private func inserting(_ rows: [[Setter]], or conflict: OnConflict?) -> Insert {
    let columns = rows.first ?? []
    if columns.isEmpty, rows.count == 1 {
      return Insert(InsertTree(or: conflict, table: clauses.from, source: .defaults))
    }
    var tree = InsertTree(or: conflict, table: clauses.from, columns: columns.map(\.column), source: .rows([]))
    let (aligned, failure) = Self.aligned(rows, to: columns.map(\.name))
    tree.source = .rows(aligned)
    tree.failure = failure
    return Insert(tree)
  }

  /// The setters of each row in the order of the first, and what is wrong with them.
  private static func aligned(_ rows: [[Setter]], to names: [String]) -> ([[Setter]], String?) {
    guard let first = rows.first else {
      return (rows, "insertMany has no row to insert. Leave it out where there are none.")
    }
    if names.isEmpty { return ([[]], "Rows of insertMany set no column. Insert rows of defaults one by one.") }
    if Set(names).count < names.count { return (rows, "A row sets a column twice.") }
    var aligned = rows
    for index in rows.indices where !rows[index].isAligned(to: first) {
      let row = rows[index]
      let setters = names.compactMap { name in row.first { $0.name == name } }
      guard row.count == names.count, setters.count == names.count else {
        let wanted = names.joined(separator: ", ")
        return (rows, "Row \(index + 1) of insertMany does not set the columns of the first: \(wanted).")
      }
      aligned[index] = setters
    }
    return (aligned, nil)
  }

  // MARK: - Upsert

  /// `INSERT … ON CONFLICT ("id") DO UPDATE SET "name" = "excluded"."name"`: the row, or its values for the row that is
  /// in the way. Setters of the conflicting column are not repeated.
  public func upsert(_ insertValues: Setter..., onConflictOf conflicting: any Expressible) -> Insert {
    upsert(insertValues, onConflictOf: conflicting)
  }

  /// The same with an array.
  public func upsert(_ insertValues: [Setter], onConflictOf conflicting: any Expressible) -> Insert {
    let name = conflicting.node.columnName
    return upsert(
      insertValues, onConflictOf: conflicting,
      set: insertValues.filter { $0.name != name }.map { Setter(excluded: $0.column) })
  }

  /// `INSERT … ON CONFLICT ("id") DO UPDATE SET …`: the row, or what `set` says of the row that is in the way.
  public func upsert(
    _ insertValues: Setter..., onConflictOf conflicting: any Expressible, set setValues: [Setter]
  ) -> Insert {
    upsert(insertValues, onConflictOf: conflicting, set: setValues)
  }

  /// The same with an array.
  public func upsert(
    _ insertValues: [Setter], onConflictOf conflicting: any Expressible, set setValues: [Setter]
  ) -> Insert {
    let (rows, failure) = Self.aligned([insertValues], to: insertValues.map(\.name))
    return Insert(
      InsertTree(
        table: clauses.from, columns: insertValues.map(\.column), source: .rows(rows),
        upsert: UpsertNode(target: conflicting.node, assignments: setValues), failure: failure))
  }

  // MARK: - UPDATE and DELETE

  /// `UPDATE "users" SET "email" = ? WHERE …`
  public func update(_ values: Setter...) -> Update { update(values) }

  /// `UPDATE "users" SET "email" = ? WHERE …`
  public func update(_ values: [Setter]) -> Update {
    Update(Node(.statement(UpdateTree(query: clauses, assignments: values))))
  }

  /// `UPDATE OR REPLACE "users" SET …`
  public func update(or onConflict: OnConflict, _ values: Setter...) -> Update {
    Update(Node(.statement(UpdateTree(query: clauses, or: onConflict, assignments: values))))
  }

  /// `DELETE FROM "users" WHERE …`
  public func delete() -> Delete { Delete(Node(.statement(DeleteTree(query: clauses)))) }
}

extension [Setter] {
  /// Whether these set the columns of another row in the same order. Rows are made of the same expressions as a rule.
  fileprivate func isAligned(to other: [Setter]) -> Bool {
    guard count == other.count else { return false }
    for index in indices {
      let (mine, others) = (self[index].column, other[index].column)
      if mine !== others, mine.columnName != others.columnName { return false }
    }
    return true
  }
}
