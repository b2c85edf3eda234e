import MartletAST

/// A row to be updated, whose properties are set.
///
/// Always true: assignments stand in the order in which they were made, one for each column. Reading a property returns
/// the column itself: what the row holds before the update.
@dynamicMemberLookup
public struct Updates<Base: Table>: Sendable {
  var assignments: [AssignmentPart] = []
  /// The table whose columns these are; for a group, the table that holds it.
  private let schema: String
  private let qualifier: String
  /// The closure that sets them.
  private let place: ColumnPlace
  /// The table's names for the columns of a group, if they differ from those of the group's type.
  private var names: [String: String] = [:]

  init(in place: ColumnPlace = ColumnPlace()) {
    (schema, qualifier) = (Base.qualifyingSchema, Base.qualifier)
    self.place = place
  }

  private init<Root: Table>(
    groupOf root: Updates<Root>, _ path: KeyPath<Root.TableColumns, ColumnGroup<Root, Base>>
  ) {
    (schema, qualifier) = (root.schema, root.qualifier)
    place = root.place
    guard Root.hasNamesakes || !root.names.isEmpty else { return }
    let columns = zip(Base.TableColumns.allColumns, Root.columns[keyPath: path].columnNames)
    for (column, name) in columns { names[column.name] = root.nameInTable(of: name) }
  }

  func nameInTable(of column: String) -> String { names.isEmpty ? column : names[column] ?? column }

  private func column(_ name: String) -> QueryFragment {
    QueryFragment(.column(schema: schema, table: qualifier, name: nameInTable(of: name), place: place))
  }

  mutating func set(_ name: String, _ value: QueryFragment) { assign(nameInTable(of: name), value) }

  /// True if both are the same columns of one table.
  private func isSameGroup(as other: Updates) -> Bool {
    (schema, qualifier, names) == (other.schema, other.qualifier, other.names)
  }

  /// The value that a column was set to; the column itself if it was not set.
  private func value(of name: String) -> QueryFragment {
    let inTable = nameInTable(of: name)
    guard let part = assignments.first(where: { $0.columns.contains(inTable) }) else { return column(name) }
    return part.columns.count == 1 ? part.value : .setByQuery
  }

  /// Sets the columns of a group, which are several or one.
  private mutating func set<Group: Table>(_ names: [String], _ value: some QueryExpression<Group>) {
    let query = value.queryFragment
    if names.count > 1, query.isRow { return assign(rowOf: names.map(nameInTable), query) }
    for (name, value) in zip(names, value.eachColumn) { set(name, value.unnamed) }
  }

  /// Sets several columns to the columns of a query's row, which is read once. The query reads what they were set to
  /// before.
  private mutating func assign(rowOf names: [String], _ query: QueryFragment) {
    let earlier = assignments.filter { !$0.columns.allSatisfy { !names.contains($0) } }
    assignments.removeAll { $0.columns.count == 1 && names.contains($0.columns[0]) }
    let value = query.mappingColumns { [schema, qualifier] column in
      guard column.table == qualifier, column.schema == schema else { return nil }
      return earlier.first { $0.columns.contains(column.name) }.map { $0.columns.count == 1 ? $0.value : .setByQuery }
    }
    let isSetAlready = earlier.contains { $0.columns.count > 1 }
    assignments.append(AssignmentPart(columns: names, value: isSetAlready ? .setByQuery : value))
  }

  /// A second assignment of a column reads the value of the first one, so `$0.n += 1` twice adds 2.
  mutating func assign(_ name: String, _ value: QueryFragment) {
    guard let index = assignments.firstIndex(where: { $0.columns.contains(name) }) else {
      return assignments.append(AssignmentPart(columns: [name], value: value))
    }
    guard assignments[index].columns.count == 1 else { return assignments[index].value = .setByQuery }
    let earlier = assignments[index].value
    assignments[index].value =
      value.mappingColumns { [schema, qualifier] column in
        column.name == name && column.table == qualifier && column.schema == schema ? earlier : nil
      }.fusingJSONChanges
  }

  /// A computed expression: `$0.n = $0.n + 1`, `$0.n += 1`, `$0.status = Case($0.status)...`.
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value>>
  ) -> SQLQueryExpression<Value> {
    get { SQLQueryExpression(column(Base.columns[keyPath: path].name)) }
    set { set(Base.columns[keyPath: path].name, newValue.queryFragment) }
  }

  /// A plain value: `$0.title = "x"`. It is optional twice here so that `$0.n += 1` cannot mean Swift's own `+=`, nor
  /// `$0.n ?? 0` and `$0.n + $0.m` read a value that is not there.
  @_disfavoredOverload
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value>>
  ) -> Value.QueryOutput?? {
    @available(*, unavailable, message: "A property of an update is read as an expression.")
    get { nil }
    set {
      let name = Base.columns[keyPath: path].name
      set(name, newValue.flatMap { $0 }.map { Value.fragment(of: $0) } ?? .bind(.null))
    }
  }

  /// A plain value or nil, for a column that may be NULL.
  @_disfavoredOverload
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value?>>
  ) -> Value.QueryOutput?? {
    @available(*, unavailable, message: "A property of an update is read as an expression.")
    get { nil }
    set { set(Base.columns[keyPath: path].name, Value?.fragment(of: newValue.flatMap { $0 })) }
  }

  /// Makes `$0.title = nil` an error for a column that is never NULL, as the constraint says.
  @_disfavoredOverload
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value>>
  ) -> NullOf<Value> where Value.QueryOptional == Value? {
    @available(*, unavailable, message: "A property of an update is read as an expression.")
    get { NullOf(nilLiteral: ()) }
    @available(*, unavailable, message: "The column is never NULL. Make its property optional, or set a value.")
    set { set(Base.columns[keyPath: path].name, .null) }
  }

  /// Any other expression: another column, a subquery, a bound value, `some QueryExpression<Value>`.
  @_disfavoredOverload
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value>>
  ) -> any QueryExpression<Value> {
    get { SQLQueryExpression(column(Base.columns[keyPath: path].name)) }
    set { set(Base.columns[keyPath: path].name, newValue.queryFragment) }
  }

  /// An expression that is never NULL, for a column that may be.
  @_disfavoredOverload
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, TableColumn<Base, Value?>>
  ) -> any QueryExpression<Value> {
    get { SQLQueryExpression(column(Base.columns[keyPath: path].name)) }
    set { set(Base.columns[keyPath: path].name, newValue.queryFragment) }
  }

  /// Says why a generated column cannot be set.
  public subscript<Value>(
    dynamicMember path: KeyPath<Base.TableColumns, GeneratedColumn<Base, Value>>
  ) -> Value.QueryOutput {
    @available(*, unavailable, message: "SQLite computes this column. Set the columns that it is computed from.")
    get { fatalError("because it is unavailable, nothing calls this") }
    @available(*, unavailable, message: "SQLite computes this column. Set the columns that it is computed from.")
    set {}
  }

  /// A group of columns: all of them are set. Nil sets them to NULL.
  @_disfavoredOverload
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Base.TableColumns, ColumnGroup<Base, Group>>
  ) -> Group.QueryOutput? {
    @available(*, unavailable, message: "A property of an update is read as an expression.")
    get { nil }
    set {
      let columns = Base.columns[keyPath: path].columnNames
      let values = newValue.map { Group.fragments(of: $0) } ?? columns.map { _ in .bind(.null) }
      for (column, value) in zip(columns, values) { set(column, value) }
    }
  }

  /// A group made of expressions: `$0.timestamps = Timestamps.Columns(createdAt: $0.createdAt, …)`.
  @_disfavoredOverload
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Base.TableColumns, ColumnGroup<Base, Group>>
  ) -> any QueryExpression<Group> {
    get { SQLQueryExpression(columns: Base.columns[keyPath: path].columnNames.map(column)) }
    set {
      set(Base.columns[keyPath: path].columnNames, newValue)
    }
  }

  /// A group that is never NULL, for one that may be.
  @_disfavoredOverload
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Base.TableColumns, ColumnGroup<Base, Group?>>
  ) -> any QueryExpression<Group> {
    @available(*, unavailable, message: "A group that may be NULL is read as one that may be.")
    get { fatalError("because it is unavailable, nothing calls this") }
    set { set(Base.columns[keyPath: path].columnNames, newValue) }
  }

  /// The columns of a group, to set some of them: `$0.timestamps.updatedAt = now`. A group that is assigned whole,
  /// `$0.timestamps = $0.other`, sets each of its columns, also to itself: triggers on these columns fire.
  public subscript<Group: Table>(
    dynamicMember path: KeyPath<Base.TableColumns, ColumnGroup<Base, Group>>
  ) -> Updates<Group> {
    get { Updates<Group>(groupOf: self, path) }
    // What is set within the group comes here and not to `set`, which so sees that the whole group was meant.
    _modify {
      var group = Updates<Group>(groupOf: self, path)
      yield &group
      merge(group)
    }
    set {
      let own = Updates<Group>(groupOf: self, path)
      if own.isSameGroup(as: newValue), !newValue.assignments.isEmpty { return merge(newValue) }
      // Another group of the same type, or itself: each column is set to the other's.
      for column in Group.TableColumns.allColumns {
        assign(own.nameInTable(of: column.name), newValue.value(of: column.name))
      }
    }
  }
}

extension Updates {
  /// Takes over the assignments of a group. Setting a case of an enum clears the others.
  mutating func merge<Group: Table>(_ group: Updates<Group>) {
    for assignment in group.assignments {
      if assignment.columns.count > 1 {
        assign(rowOf: assignment.columns, assignment.value)
      } else {
        assign(assignment.columns[0], assignment.value)
      }
    }
    guard let cases = (Group.QueryUnwrapped.self as? any EnumTable.Type)?.caseColumns else { return }
    let assigned = Set(group.assignments.flatMap(\.columns))
    guard !assigned.isEmpty else { return }
    for columns in cases.map({ $0.map { group.nameInTable(of: $0.name) } })
    where !columns.contains(where: assigned.contains) {
      for column in columns { assign(column, .null) }
    }
  }
}

extension QueryFragment {
  /// A row of several columns: a query, or raw SQL in parentheses.
  fileprivate var isRow: Bool {
    switch node {
    case .subquery: true
    case .raw(let parts): if case .sql(let text)? = parts.first { text.hasPrefix("(") } else { false }
    default: false
    }
  }

  /// What stands for a column of several that one query sets.
  fileprivate static var setByQuery: QueryFragment {
    let reason =
      "One query sets several of these columns, and so none of them can be set again, or read, in the same update. "
      + "Set each column to a query of its own."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }
}

/// The `nil` that is assigned to a column of this type. It has the type, so that no other column can be meant by it.
public struct NullOf<Value>: ExpressibleByNilLiteral {
  /// `NULL`.
  public init(nilLiteral: ()) {}
}

// MARK: - Assignments that read the column

extension SQLQueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: Numeric {
  /// `SET n = n + value`.
  public static func += (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left + right }
  /// `SET n = n - value`.
  public static func -= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left - right }
  /// `SET n = n * value`.
  public static func *= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left * right }
  /// `SET n = n / value`.
  public static func /= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left / right }

  /// `SET n = n + expression`.
  @_disfavoredOverload
  public static func += (left: inout Self, right: some QueryExpression<QueryValue>) { left = left + right }
  /// `SET n = n - expression`.
  @_disfavoredOverload
  public static func -= (left: inout Self, right: some QueryExpression<QueryValue>) { left = left - right }
  /// `SET n = n * expression`.
  @_disfavoredOverload
  public static func *= (left: inout Self, right: some QueryExpression<QueryValue>) { left = left * right }
  /// `SET n = n / expression`.
  @_disfavoredOverload
  public static func /= (left: inout Self, right: some QueryExpression<QueryValue>) {
    left = SQLQueryExpression(QueryValue.quotient(left.queryFragment, right.queryFragment))
  }

  /// Its negative.
  public mutating func negate() { self = -self }
}

extension SQLQueryExpression
where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped.QueryOutput: BinaryInteger {
  /// `SET n = n & value`.
  public static func &= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left & right }
  /// `SET n = n | value`.
  public static func |= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left | right }
  /// `SET n = n << value`.
  public static func <<= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left << right }
  /// `SET n = n >> value`.
  public static func >>= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left >> right }
  /// `SET n = n % value`.
  public static func %= (left: inout Self, right: QueryValue.QueryUnwrapped.QueryOutput) { left = left % right }
}

extension SQLQueryExpression where QueryValue == Bool {
  /// True becomes false, and false true.
  public mutating func toggle() { self = !self }
}

extension SQLQueryExpression where QueryValue: QueryRepresentable, QueryValue.QueryUnwrapped == String {
  /// The text with another one after it.
  public mutating func append(_ text: String) { self = self + text }

  /// `SET text = text || expression`.
  @_disfavoredOverload
  public mutating func append(_ text: some QueryExpression<String>) {
    self = SQLQueryExpression(.chain(.concatenate, queryFragment, text.queryFragment))
  }

  /// `SET text = text || value`.
  public static func += (left: inout Self, right: String) { left = left + right }

  /// `SET text = text || expression`.
  @_disfavoredOverload
  public static func += (left: inout Self, right: some QueryExpression<String>) { left.append(right) }
}
