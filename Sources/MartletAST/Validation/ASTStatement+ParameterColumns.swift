public import MartletValues

/// Which of a statement's parameters are values of which columns, as the audit log needs to know.
extension ASTStatement {
  /// The parameters that stand for columns of tables, as far as the tree alone tells: those that a column is set to, by
  /// an INSERT, an UPDATE or an upsert, and those beside a column in a comparison, IN, BETWEEN, LIKE, GLOB, MATCH or
  /// REGEXP. A parameter inside of a function, of arithmetic or of raw text stands for none, and neither does one
  /// beside a name of which the tree does not tell the table.
  public var parameterColumns: [ParameterColumn] {
    var names = SourceNames()
    names.visit(self)
    var finder = ParameterFinder(names: names)
    finder.visit(self)
    return finder.found
  }
}

/// Which tables the names before columns stand for.
///
/// Always true: a name that may stand for two tables, or for what is none, stands for no table.
private struct SourceNames: TreeVisitor {
  private var tables: [String: Set<String>] = [:]
  /// Names that are read as common tables, subqueries, functions or rows.
  private var others: Set<String> = []
  /// A source of columns that is no table.
  private var hasOthers = false

  mutating func came(to node: any TreeMessage) {
    switch node {
    case let source as ASTTableSource: add(source)
    case let common as ASTCommonTable:
      others.insert(common.name.lowercasedASCII)
      hasOthers = true
    case let insert as ASTInsert:
      add(insert.into, insert.alias)
      add(insert.into, "excluded")
    case let update as ASTUpdate: add(update.table, update.alias)
    case let delete as ASTDelete: add(delete.from, delete.alias)
    default: break
    }
  }

  private mutating func add(_ source: ASTTableSource) {
    switch source.kind {
    case .table(let table): add(table, source.alias)
    case .joined: break
    default:
      hasOthers = true
      others.insert(source.alias.lowercasedASCII)
      if case .function(let function) = source.kind { others.insert(function.name.lowercasedASCII) }
    }
  }

  private mutating func add(_ table: ASTTable, _ alias: String) {
    let name = table.name.lowercasedASCII
    tables[alias.isEmpty ? name : alias.lowercasedASCII, default: []].insert(name)
  }

  /// The table of a column; nil if the tree does not tell it.
  func table(of column: ASTColumn) -> String? {
    let name = column.table.lowercasedASCII
    guard !name.isEmpty else {
      let all = tables.values.reduce(into: Set<String>()) { $0.formUnion($1) }
      return hasOthers || all.count != 1 ? nil : all.first
    }
    guard !others.contains(name), let found = tables[name], found.count == 1, let table = found.first else {
      return nil
    }
    return others.contains(table) ? nil : table
  }
}

/// Pairs columns with the parameters beside them.
private struct ParameterFinder: TreeVisitor {
  let names: SourceNames
  private(set) var found: [ParameterColumn] = []
  private var seen: Set<ParameterColumn> = []

  private typealias Place = (table: String, column: String)

  init(names: SourceNames) { self.names = names }

  mutating func came(to node: any TreeMessage) {
    switch node {
    case let insert as ASTInsert: inserted(insert)
    case let update as ASTUpdate: assigned(update.assignments, update.table)
    case let call as ASTCall: compared(call)
    case let choice as ASTCase where choice.hasBase:
      for branch in choice.branches { pair(places(of: choice.base), branch.when) }
    default: break
    }
  }

  private mutating func inserted(_ node: ASTInsert) {
    let table = node.into.name.lowercasedASCII
    let places: [Place?] = node.columns.map { (table, $0.lowercasedASCII) }
    switch node.source {
    case .values(let values):
      for row in values.rows { pair(places, row) }
    case .query(let query):
      if case .select(let select) = query.kind {
        // Nobody knows how many columns an asterisk is.
        let known = select.columns.prefix { if case .all = $0.kind { false } else { true } }
        for (place, column) in zip(places, known) { pair([place], column.expression) }
      }
    case .rows(let parameter): pair(places, parameter)
    case .defaultValues, nil: break
    }
    for upsert in node.upserts { assigned(upsert.assignments, node.into) }
  }

  private mutating func assigned(_ assignments: [ASTAssignment], _ table: ASTTable) {
    let table = table.name.lowercasedASCII
    for assignment in assignments {
      pair(assignment.columns.map { (table, $0.lowercasedASCII) }, assignment.value)
    }
  }

  private mutating func compared(_ node: ASTCall) {
    guard case .operator(let symbol) = node.callee, Self.comparisons.contains(symbol) else { return }
    guard let compared = node.arguments.first else { return }
    // What an operand is compared with is the first one: the bounds of BETWEEN are not compared with each other, and
    // what stands behind ESCAPE is compared with nothing.
    for value in Self.patterns.contains(symbol) ? node.arguments.dropFirst().prefix(1) : node.arguments.dropFirst() {
      pair(places(of: compared), value)
      pair(places(of: value), compared)
    }
  }

  private static let comparisons: Set<ASTOperator> = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot, .glob, .notGlob, .match, .notMatch,
    .regexp, .notRegexp, .in, .notIn, .like, .notLike, .between, .notBetween,
  ]

  private static let patterns: Set<ASTOperator> = [.like, .notLike, .glob, .notGlob]

  /// The columns that an operand is, side by side; nil if one is something else.
  private func places(of node: ASTExpression) -> [Place?] {
    if let inner = node.sameValue { return places(of: inner) }
    return switch node.kind {
    case .column(let column): [names.table(of: column).map { ($0, column.name.lowercasedASCII) }]
    case .tuple(let tuple): tuple.elements.flatMap { places(of: $0) }
    default: [nil]
    }
  }

  private mutating func pair(_ places: [Place?], _ value: ASTExpression) {
    if let inner = value.sameValue { return pair(places, inner) }
    switch value.kind {
    case .parameter(let parameter): pair(places, parameter)
    case .tuple(let tuple): pair(places, tuple)
    case .list(let list): for element in list.elements { pair(places, element) }
    default: break
    }
  }

  private mutating func pair(_ places: [Place?], _ tuple: ASTTuple) {
    for (place, element) in zip(places, tuple.elements) { pair([place], element) }
  }

  private mutating func pair(_ places: [Place?], _ parameter: ASTParameter) {
    guard parameter.list || places.count == 1 else { return }
    for (member, place) in places.enumerated() {
      guard let place else { continue }
      let column = ParameterColumn(
        parameter: Int(parameter.index), member: member, table: place.table, column: place.column)
      if seen.insert(column).inserted { found.append(column) }
    }
  }
}
