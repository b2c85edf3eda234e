/// The tables of a SELECT, as types: one to six of them.
///
/// Always true: `Columns` is what a closure gets (`$0`, `$1`, ...), `Row` what selecting everything returns.
public protocol TableSources {
  /// The columns of each table; a tuple if there are several.
  associatedtype Columns
  /// A row of each table; a tuple if there are several.
  associatedtype Row
  /// The table behind FROM.
  associatedtype First: Table

  /// What closures of the query's methods get.
  static var columns: Columns { get }
  /// The same with the place of the closure that gets them.
  static func placedColumns(in place: ColumnPlace) -> Columns
  /// Every column of every table.
  static var allFragments: [QueryFragment] { get }
}

/// Tables that are joined: three or more.
public protocol ManyJoinedSources: TableSources {
  /// The table that is joined first.
  associatedtype Second: Table
  /// The table that is joined second.
  associatedtype Third: Table
}

/// One table.
public enum Tables1<A: Table>: TableSources {
  public static var columns: A.TableColumns { A.columns }
  public static func placedColumns(in place: ColumnPlace) -> A.TableColumns {
    A.placedColumns(in: place)
  }
  public static var allFragments: [QueryFragment] { A.columns.columnFragments }
  public typealias Columns = A.TableColumns
  public typealias Row = A
  public typealias First = A
}

/// Two tables that are joined.
public enum Tables2<A: Table, B: Table>: TableSources {
  public static var columns: Columns { (A.columns, B.columns) }
  public static func placedColumns(in place: ColumnPlace) -> Columns {
    (A.placedColumns(in: place), B.placedColumns(in: place))
  }
  public static var allFragments: [QueryFragment] {
    [A.columns.columnFragments, B.columns.columnFragments].flatMap { $0 }
  }
  public typealias Columns = (A.TableColumns, B.TableColumns)
  public typealias Row = (A, B)
  public typealias First = A
}

/// Three tables that are joined.
public enum Tables3<A: Table, B: Table, C: Table>: ManyJoinedSources {
  public static var columns: Columns { (A.columns, B.columns, C.columns) }
  public static func placedColumns(in place: ColumnPlace) -> Columns {
    (A.placedColumns(in: place), B.placedColumns(in: place), C.placedColumns(in: place))
  }
  public static var allFragments: [QueryFragment] {
    [A.columns.columnFragments, B.columns.columnFragments, C.columns.columnFragments].flatMap { $0 }
  }
  public typealias Columns = (A.TableColumns, B.TableColumns, C.TableColumns)
  public typealias Row = (A, B, C)
  public typealias First = A
  /// The table that is joined first.
  public typealias Second = B
  /// The table that is joined second.
  public typealias Third = C
}

/// Four tables that are joined.
public enum Tables4<A: Table, B: Table, C: Table, D: Table>: ManyJoinedSources {
  public static var columns: Columns { (A.columns, B.columns, C.columns, D.columns) }
  public static func placedColumns(in place: ColumnPlace) -> Columns {
    (A.placedColumns(in: place), B.placedColumns(in: place), C.placedColumns(in: place), D.placedColumns(in: place))
  }
  public static var allFragments: [QueryFragment] {
    [A.columns.columnFragments, B.columns.columnFragments, C.columns.columnFragments, D.columns.columnFragments].flatMap
    { $0 }
  }
  public typealias Columns = (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns)
  public typealias Row = (A, B, C, D)
  public typealias First = A
  /// The table that is joined first.
  public typealias Second = B
  /// The table that is joined second.
  public typealias Third = C
}

/// Five tables that are joined.
public enum Tables5<A: Table, B: Table, C: Table, D: Table, E: Table>: ManyJoinedSources {
  public static var columns: Columns { (A.columns, B.columns, C.columns, D.columns, E.columns) }
  public static func placedColumns(in place: ColumnPlace) -> Columns {
    (
      A.placedColumns(in: place), B.placedColumns(in: place), C.placedColumns(in: place), D.placedColumns(in: place),
      E.placedColumns(in: place)
    )
  }
  public static var allFragments: [QueryFragment] {
    [
      A.columns.columnFragments, B.columns.columnFragments, C.columns.columnFragments, D.columns.columnFragments,
      E.columns.columnFragments,
    ].flatMap { $0 }
  }
  public typealias Columns = (A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns, E.TableColumns)
  public typealias Row = (A, B, C, D, E)
  public typealias First = A
  /// The table that is joined first.
  public typealias Second = B
  /// The table that is joined second.
  public typealias Third = C
}

/// Six tables that are joined, the most there are.
public enum Tables6<A: Table, B: Table, C: Table, D: Table, E: Table, F: Table>: ManyJoinedSources {
  public static var columns: Columns { (A.columns, B.columns, C.columns, D.columns, E.columns, F.columns) }
  public static func placedColumns(in place: ColumnPlace) -> Columns {
    (
      A.placedColumns(in: place), B.placedColumns(in: place), C.placedColumns(in: place), D.placedColumns(in: place),
      E.placedColumns(in: place), F.placedColumns(in: place)
    )
  }
  public static var allFragments: [QueryFragment] {
    [
      A.columns.columnFragments, B.columns.columnFragments, C.columns.columnFragments, D.columns.columnFragments,
      E.columns.columnFragments, F.columns.columnFragments,
    ].flatMap { $0 }
  }
  public typealias Columns = (
    A.TableColumns, B.TableColumns, C.TableColumns, D.TableColumns, E.TableColumns, F.TableColumns
  )
  public typealias Row = (A, B, C, D, E, F)
  public typealias First = A
  /// The table that is joined first.
  public typealias Second = B
  /// The table that is joined second.
  public typealias Third = C
}
