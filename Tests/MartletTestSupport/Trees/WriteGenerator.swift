/// Random writes and schema statements.
///
/// Always true: new objects have names that are nowhere else, and what SQLite keeps as text holds no parameter.
import MartletAST

extension TreeGenerator {
  private func scope(_ table: NastySchema.Table, _ source: String) -> Scope {
    Scope(columns: table.columns.map { Visible(source: source, name: $0) })
  }

  private mutating func returning(_ table: NastySchema.Table) -> [ASTResultColumn] {
    guard chance(1, in: 3) else { return [] }
    var plain = scope(table, "")
    plain.allowsSubqueries = false
    return [.expression(expression(plain, depth: 2), as: fresh()), .all()]
  }

  private mutating func assignments(_ table: NastySchema.Table, _ scope: Scope) -> [ASTAssignment] {
    several(1...3) { generator in
      if generator.chance(1, in: 4) {
        let names = [table.columns[1], table.columns[2]]
        return generator.chance(1, in: 2)
          ? .set(names, .tuple(generator.expression(scope, depth: 1), generator.expression(scope, depth: 1)))
          : .set(names, .subquery(generator.query(width: 2, scope, depth: 1)))
      }
      return .set(generator.pick(table.columns), generator.expression(scope, depth: 2))
    }
  }

  mutating func insert() -> ASTStatement {
    let table = pick(NastySchema.tables)
    let columns = Array(table.columns[0..<number(1...3)])
    var node = ASTInsert()
    node.or = pick([.unspecified, .abort, .fail, .ignore, .replace, .rollback])
    node.into = .named(table.name, schema: chance(1, in: 3) ? "main" : "")
    node.alias = targetAlias()
    node.columns = columns
    switch number(0...5) {
    case 0: node.rows = .list(UInt32(50 + columns.count), columns: UInt32(columns.count))
    case 1, 2: node.query = query(width: columns.count, Scope(), depth: 2)
    case 3: node.query = with { $0.query(width: columns.count, Scope(), depth: 1) }
    default:
      node.values = .rows(
        several(1...3) { $0.several(columns.count...columns.count) { $0.expression(Scope(), depth: 2) } })
    }
    if node.columns.count == 1 && chance(1, in: 6) {
      node.columns = []
      node.defaultValues = true
    } else {
      let target = node.alias.isEmpty ? table.name : node.alias
      node.upserts = upserts(table, target)
    }
    node.returning = returning(table)
    return .insert(into: table.name) { $0 = node }
  }

  private mutating func upserts(_ table: NastySchema.Table, _ target: String) -> [ASTUpsert] {
    guard chance(1, in: 2) else { return [] }
    var scope = self.scope(table, target)
    scope.columns += table.columns.map { Visible(source: "excluded", name: $0) }
    // A table that is called so itself would make the name ambiguous.
    if table.name == "excluded" { scope.columns = [] }
    let condition = chance(1, in: 2) ? expression(scope, depth: 1) : nil
    let change = ASTUpsert.on(
      [pick(["id", table.columns[3]])], set: assignments(table, scope), where: condition)
    return chance(1, in: 2) ? [change] : [change, .on()]
  }

  mutating func update() -> ASTStatement {
    let table = pick(NastySchema.tables)
    var node = ASTUpdate()
    node.or = pick([.unspecified, .ignore, .replace])
    node.table = .named(table.name)
    node.alias = targetAlias()
    var scope = self.scope(table, node.alias.isEmpty ? table.name : node.alias)
    if chance(1, in: 3) {
      let usual = self.source(Scope(), depth: 2)
      let (source, visible) =
        switch number(0...3) {
        case 0: double(of: table.name, node.alias)
        case 1: commonSource(of: table.name, node.alias) ?? usual
        default: usual
        }
      node.from = source
      scope.columns += visible
    } else if chance(1, in: 4) {
      node.orderBy = [orderingTerm(scope)]
      node.limit = bound(Scope())
    }
    node.assignments = assignments(table, scope)
    if chance(2, in: 3) { node.where = condition(scope, depth: 3) }
    node.returning = returning(table)
    return .update(table.name) { $0 = node }
  }

  mutating func delete() -> ASTStatement {
    let table = pick(NastySchema.tables)
    var node = ASTDelete()
    node.from = .named(table.name)
    node.alias = targetAlias()
    let scope = self.scope(table, node.alias.isEmpty ? table.name : node.alias)
    if chance(2, in: 3) { node.where = condition(scope, depth: 3) }
    if chance(1, in: 4) {
      node.orderBy = [orderingTerm(scope)]
      node.offset = bound(Scope())
    }
    node.returning = returning(table)
    return .delete(from: table.name) { $0 = node }
  }

  // MARK: Schema

  private var constant: Scope { Scope(allowsParameters: false, allowsSubqueries: false) }

  mutating func schema() -> ASTStatement {
    let table = pick(NastySchema.tables)
    var kept = scope(table, "")
    kept.allowsParameters = false
    kept.allowsSubqueries = false
    let name = fresh()
    switch number(0...8) {
    case 0, 1: return createTable(name)
    case 2:
      return .createIndex(name, on: table.name, [.column(pick(table.columns), collation: "NOCASE", .descending)])
    case 3:
      let query = self.query(width: 2, Scope(allowsParameters: false), depth: 2)
      let isTemporary = chance(1, in: 2)
      return .createView(name, query) { $0.temporary = isTemporary }
    case 4, 5: return createTrigger(name, table)
    case 6:
      return .createVirtualTable(
        name, using: "fts5", [.column(fresh()), .column(fresh(), "UNINDEXED"), .option("tokenize", "porter unicode61")])
    case 7: return .drop(.table, pick(NastySchema.tables).name, ifExists: true)
    default:
      let column = pick(Array(table.columns.dropFirst()))
      return .alterTable(table.name) {
        $0.renameColumn.from = column
        $0.renameColumn.to = name
      }
    }
  }

  private mutating func createTable(_ name: String) -> ASTStatement {
    let first = fresh()
    let second = fresh()
    let both = Scope(
      columns: [Visible(source: "", name: first), Visible(source: "", name: second)], allowsParameters: false,
      allowsSubqueries: false)
    var constraints: [ASTColumnConstraint] = []
    if chance(1, in: 2) { constraints.append(.default(expression(constant, depth: 2))) }
    if chance(1, in: 2) { constraints.append(.check(expression(both, depth: 2))) }
    if chance(1, in: 2) {
      constraints.append(.references(pick(NastySchema.names), [pick(NastySchema.names)], onDelete: .setNull))
    }
    var column = ASTColumnDefinition.column(
      second, pick(["TEXT", "VARCHAR(255)", "DOUBLE PRECISION", "primary key", ""]))
    column.constraints = constraints
    var unique = ASTTableConstraint()
    unique.name = fresh()
    unique.unique.columns = [.column(first), .column(second)]
    let isUnique = chance(1, in: 2)
    let isBare = chance(1, in: 4)
    return .createTable(name, [.column(first, "INTEGER", .primaryKey()), column]) {
      $0.constraints = isUnique ? [unique] : []
      $0.withoutRowid = isBare
    }
  }

  private mutating func createTrigger(_ name: String, _ table: NastySchema.Table) -> ASTStatement {
    var scope = Scope(allowsParameters: false)
    scope.columns = table.columns.map { Visible(source: "new", name: $0) }
    let body = several(1...3) { generator -> ASTStatement in
      switch generator.number(0...3) {
      case 0: return .select { $0.columns = [.expression(.raise(.abort, "it's; END"))] }
      case 1:
        return .update(table.name) {
          $0.assignments = generator.assignments(table, scope)
          $0.where = generator.expression(scope, depth: 2)
        }
      case 2: return .delete(from: table.name) { $0.where = generator.expression(scope, depth: 2) }
      default:
        return .insert(into: table.name, [table.columns[1]]) {
          $0.query = generator.query(width: 1, scope.plain, depth: 1)
          $0.upserts = [.on()]
        }
      }
    }
    let isTemporary = chance(1, in: 2)
    let columns = chance(1, in: 2) ? [table.columns[1], table.columns[2]] : []
    let condition = expression(scope, depth: 2)
    return .createTrigger(name, pick([.before, .after]), .update, on: table.name, body) {
      $0.temporary = isTemporary
      $0.updateColumns = columns
      $0.when = condition
    }
  }
}
