import MartletValues

/// INSERT with its conflict clauses and RETURNING.
///
/// Always true: a query before a conflict clause ends so that SQLite cannot take the ON for that of a join.
extension SQLWriter {
  func insert(_ node: ASTInsert) {
    write("INSERT ")
    resolution(node.or)
    write("INTO ")
    at("into", qualified(node.into.schema, node.into.name))
    alias(node.alias)
    let rule = rules?.rule(for: node.into)
    let columns = self.columns(of: node, rule)
    if !columns.isEmpty {
      newline()
      names(columns)
    }
    newline()
    switch node.source {
    case .values(let values): at("values", self.values(values))
    case .query(let query):
      at("query", statement(node.upserts.isEmpty ? query : UpsertAmbiguity.resolved(query)))
    case .rows(let parameter):
      at("rows", selectRows(parameter, width: node.columns.count))
      write(" WHERE 1")
    case .defaultValues: write("DEFAULT VALUES")
    case nil: break
    }
    for (index, upsert) in node.upserts.enumerated() {
      at("upserts", index: index, self.upsert(upsert, of: node, rule))
    }
    returning(node.returning, rule, isChecked: true)
  }

  func resolution(_ resolution: ASTConflictResolution) {
    guard let words = resolution.sql else { return }
    write("OR ")
    write(words)
    write(" ")
  }

  private func upsert(_ node: ASTUpsert, of insert: ASTInsert, _ rule: TableRule?) {
    clause("ON CONFLICT")
    if !node.target.isEmpty {
      write(" (")
      list("target", node.target, indexedColumn)
      write(")")
    }
    condition("target_where", "WHERE ", node.hasTargetWhere, node.targetWhere)
    // If there is a target, the action stands on a line of its own.
    node.target.isEmpty ? write(" ") : newline()
    guard !node.assignments.isEmpty else { return write("DO NOTHING") }
    write("DO UPDATE SET ")
    list("assignments", node.assignments, assignment)
    rowCondition(rule, of: insert.into, insert.alias, node.hasWhere ? node.where : nil)
  }

  func indexedColumn(_ node: ASTIndexedColumn) {
    if node.collation.isEmpty {
      at("expression", expression(node.expression))
    } else {
      at("expression", atom(node.expression))
      collation(node.collation)
    }
    word(node.direction.sql)
  }

  func assignment(_ node: ASTAssignment) {
    if node.columns.count == 1 { identifier(node.columns[0]) } else { names(node.columns) }
    write(" = ")
    at("value", expression(node.value))
  }
}

/// In `INSERT … SELECT … FROM "t" ON CONFLICT …` SQLite takes the ON for a join's, unless a WHERE stands between.
enum UpsertAmbiguity {
  static func resolved(_ query: ASTStatement) -> ASTStatement {
    var query = query
    switch query.kind {
    case .select(var select):
      guard select.hasFrom && !select.hasWhere else { return query }
      select.where.literal.integer = 1
      query.select = select
    case .compound(var compound):
      guard let last = compound.terms.indices.last else { return query }
      compound.terms[last].query = closed(compound.terms[last].query)
      query.compound = compound
    case .with(var with):
      with.body = resolved(with.body)
      query.with = with
    // Only SQLite can tell where raw text ends.
    case .raw: return wrapped(query)
    default: break
    }
    return query
  }

  /// A compound's last term.
  private static func closed(_ term: ASTStatement) -> ASTStatement {
    switch term.kind {
    case .select(let select) where select.orderBy.isEmpty && !select.hasLimit && !select.hasOffset: resolved(term)
    case .values: term
    default: wrapped(term)
    }
  }

  private static func wrapped(_ query: ASTStatement) -> ASTStatement {
    var outer = ASTStatement()
    outer.select.from.subquery = query
    outer.select.where.literal.integer = 1
    return outer
  }
}
