import MartletAST

/// Which case of an enum a row is.
///
/// Always true: a row is a case if one of that case's columns is not NULL; if all are NULL, it is the first case whose
/// value may be nil.
extension ColumnGroup where Values: EnumTable {
  /// `"kinds"."note" IS NOT NULL`: the row is this case.
  public func `is`<Value>(
    _ path: KeyPath<Values.TableColumns, TableColumn<Values, Value>>
  ) -> SQLQueryExpression<Bool> {
    isCase(of: [Values.columns[keyPath: path].name])
  }

  private func isCase(of columns: [String]) -> SQLQueryExpression<Bool> {
    // A row of NULLs is this case, so it is what no other case is.
    if let others = CaseTest.others(thanOptional: columns.first ?? "", in: Values.self) {
      return CaseTest.lacks(columns: others.map(columnName), in: Root.self, place)
    }
    return CaseTest.holds(columns: columns.map(columnName), in: Root.self, place)
  }

  /// The row is this case, whose value is a group.
  public func `is`<Group: Table>(
    _ path: KeyPath<Values.TableColumns, ColumnGroup<Values, Group>>
  ) -> SQLQueryExpression<Bool> {
    isCase(of: Values.columns[keyPath: path].columnNames)
  }

  /// The row is another case.
  public func isNot<Value>(
    _ path: KeyPath<Values.TableColumns, TableColumn<Values, Value>>
  ) -> SQLQueryExpression<Bool> {
    !self.is(path)
  }

  /// The row is another case.
  public func isNot<Group: Table>(
    _ path: KeyPath<Values.TableColumns, ColumnGroup<Values, Group>>
  ) -> SQLQueryExpression<Bool> {
    !self.is(path)
  }
}

extension ColumnGroup {
  /// The same for a value that may be missing, as on the optional side of a join: then it is false for every case.
  public func `is`<Cases: EnumTable, Value>(
    _ path: KeyPath<Cases.TableColumns, TableColumn<Cases, Value>>
  ) -> SQLQueryExpression<Bool> where Values == Cases? {
    CaseTest.holds(columns: [columnName(Cases.columns[keyPath: path].name)], in: Root.self, place)
  }

  /// The same of a case whose value is a group.
  public func `is`<Cases: EnumTable, Group: Table>(
    _ path: KeyPath<Cases.TableColumns, ColumnGroup<Cases, Group>>
  ) -> SQLQueryExpression<Bool> where Values == Cases? {
    CaseTest.holds(columns: Cases.columns[keyPath: path].columnNames.map(columnName), in: Root.self, place)
  }

  /// It is another case, or none.
  public func isNot<Cases: EnumTable, Value>(
    _ path: KeyPath<Cases.TableColumns, TableColumn<Cases, Value>>
  ) -> SQLQueryExpression<Bool> where Values == Cases? {
    !self.is(path)
  }

  /// It is another case, or none.
  public func isNot<Cases: EnumTable, Group: Table>(
    _ path: KeyPath<Cases.TableColumns, ColumnGroup<Cases, Group>>
  ) -> SQLQueryExpression<Bool> where Values == Cases? {
    !self.is(path)
  }
}

private enum CaseTest {
  /// The columns of the other cases, if a row of NULLs is the case with this column: the first that may hold nil.
  static func others<Cases: EnumTable>(thanOptional name: String, in cases: Cases.Type) -> [String]? {
    let all = Cases.caseColumns
    // Behind the case's name comes its value, which tells whether it may be nil.
    let ofNULLs = all.firstIndex { $0.contains { $0.members.dropFirst().first?.isOptional == true } }
    guard let own = ofNULLs, all[own].contains(where: { $0.name == name }) else { return nil }
    return all.indices.filter { $0 != own }.flatMap { all[$0].map(\.name) }
  }

  static func lacks<Root: Table>(columns: [String], in root: Root.Type, _ place: ColumnPlace) -> SQLQueryExpression<
    Bool
  > {
    let tests = columns.map { QueryFragment.operation(.is, .column($0, of: Root.self, in: place), .null) }
    return SQLQueryExpression(QueryFragment.all(of: tests) ?? .literal(integer: 1))
  }

  static func holds<Root: Table>(columns: [String], in root: Root.Type, _ place: ColumnPlace) -> SQLQueryExpression<
    Bool
  > {
    let tests = columns.map { QueryFragment.operation(.isNot, .column($0, of: Root.self, in: place), .null) }
    return SQLQueryExpression(tests.count == 1 ? tests[0] : QueryFragment(.operation(.or, tests)))
  }
}
