/// Names for the columns of a row of which several are called the same, as in a view of two tables that both have an
/// `id`: `SELECT "id"` would return the first one's value for both.
///
/// Always true: a property that is a column keeps its name; of the columns of groups the first keeps it, and the others
/// are called as SQLite calls them in a view: `id:1`, `id:2`.
extension ColumnDescription {
  /// The columns of a row, each under a name of its own. `@Table` calls it. A table without the macro calls it if
  /// columns of its groups have equal names.
  public static func distinct(_ columns: [ColumnDescription]) -> [ColumnDescription] {
    var taken: Set<String> = []
    // SQLite does not distinguish a letter from its capital.
    guard !columns.allSatisfy({ taken.insert($0.name.lowercased()).inserted }) else { return columns }
    taken = Set(columns.filter { $0.members[0].group == nil }.map { $0.name.lowercased() })
    var result = columns
    for index in result.indices where result[index].members[0].group != nil {
      result[index].name = freeName(result[index].name, &taken)
    }
    result[0].hasNamesakes = true
    return result
  }

  /// The same for the cases of an enum.
  public static func distinct(cases: [[ColumnDescription]]) -> [[ColumnDescription]] {
    var columns = distinct(cases.flatMap { $0 })[...]
    return cases.map { one in
      defer { columns = columns.dropFirst(one.count) }
      return Array(columns.prefix(one.count))
    }
  }

  private static func freeName(_ name: String, _ taken: inout Set<String>) -> String {
    var (free, count) = (name, 0)
    while !taken.insert(free.lowercased()).inserted {
      count += 1
      free = "\(name.withoutNumber):\(count)"
    }
    return free
  }
}

extension String {
  /// Without the `:1` at its end.
  fileprivate var withoutNumber: Substring {
    guard let colon = lastIndex(of: ":"), colon > startIndex else { return self[...] }
    let digits = self[index(after: colon)...]
    return !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) } ? self[..<colon] : self[...]
  }
}

extension Table {
  /// True if columns of its groups have other names in the table than in the groups' types.
  static var hasNamesakes: Bool { TableColumns.allColumns.first?.hasNamesakes == true }
}

extension ColumnGroup {
  /// The same group of the table under another type.
  init<Base: Table, Group: Table>(like other: ColumnGroup<Base, Group>, in place: ColumnPlace) {
    self.init(named: other.name, in: place)
    offset = other.offset
  }

  /// What the table calls the group's columns.
  var columnNames: [String] {
    let columns = Values.TableColumns.allColumns
    guard let first = firstColumn else { return columns.map(\.name) }
    return Root.TableColumns.allColumns[first...].prefix(columns.count).map(\.name)
  }

  /// What the table calls the group's column of a name.
  func columnName(_ name: String) -> String {
    guard let first = firstColumn,
      let index = Values.TableColumns.allColumns.firstIndex(where: { $0.name == name }),
      first + index < Root.columnWidth
    else { return name }
    return Root.TableColumns.allColumns[first + index].name
  }

  /// A group within it.
  func inner<Inner: Table>(
    _ path: KeyPath<Values.TableColumns, ColumnGroup<Values, Inner>>
  ) -> ColumnGroup<Root, Inner> {
    guard Root.hasNamesakes || Values.hasNamesakes else { return ColumnGroup<Root, Inner>(named: "", in: place) }
    let group = Values.columns[keyPath: path]
    let columns = Values.TableColumns.allColumns
    var inner = ColumnGroup<Root, Inner>(named: name, in: place)
    inner.offset = offset + group.offset + (columns.firstIndex { $0.members[0].group == group.name } ?? 0)
    return inner
  }

  /// The index of its first column, if the names of the group's type are not those of the table.
  private var firstColumn: Int? {
    guard Root.hasNamesakes || (offset > 0 && Values.columnWidth > 0) else { return nil }
    let columns = Root.TableColumns.allColumns
    guard let first = columns.firstIndex(where: { $0.members[0].group == name }) else { return nil }
    return first + offset < columns.count ? first + offset : nil
  }
}
