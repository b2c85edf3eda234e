/// How many closures of `With` run around this place: common tables of each level have names of their own.
///
/// Always true: a closure's rows are of its own table, however deep another `With` stands in it. SQL knows the inner
/// table only, where both have one name, and would read and write by the wrong rows without a word.
enum CommonTableLevel {
  @TaskLocal private static var level = 0

  /// The name on this level of a table that is called `name` on the first one; nil if it is that name.
  static func name(of name: String) -> String? { level == 0 ? nil : "\(name)_\(level + 1)" }

  /// What a closure makes that may read the common tables of this level.
  static func within<Result>(_ body: () -> Result) -> Result {
    $level.withValue(level + 1) { body() }
  }
}

extension Where {
  /// The rows of a common table of this level. Its columns are called by the name of the first level, under which the
  /// query reads it, because that name belongs to their type.
  static func ofThisLevel<Row: Table, Name: CommonTableName>() -> Where where From == AliasedTable<Row, Name> {
    var rows = Where(isScoped: false)
    rows.commonName = CommonTableLevel.name(of: Name.aliasName)
    return rows
  }
}

extension SourceFragment {
  /// True if it is a common table that the query calls by the name of another level's.
  private var isOfInnerLevel: Bool { alias.map { name.hasPrefix("\($0)_") } ?? false }

  /// True if both are common tables whose columns are called the same, because they are of two levels.
  func isOtherLevel(of other: SourceFragment) -> Bool {
    qualifier == other.qualifier && name != other.name && (isOfInnerLevel || other.isOfInnerLevel)
  }
}

extension QueryFragment {
  /// What stands for a join of two common tables whose columns are called the same.
  static var joinOfLevels: QueryFragment {
    let reason =
      "A join of the common tables of two 'With' reads columns of both by one name. Give one of them a name of its own "
      + "with as(Other.self)."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }

  /// What stands for rows of two common tables that would be taken for one.
  static var otherCommonTable: QueryFragment {
    let reason =
      "These are rows of two common tables, and 'and' and 'or' combine conditions on one. Say of which rows it is: "
      + "'inner.where { $0.id.in(outer.select(\\.id)) }'."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }
}
