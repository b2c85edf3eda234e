/// Whether a property of a table is a column or a group of columns, as its type decides: what lets a macro, which
/// knows types by their text only, write both in one way.
///
/// Always true: a plain value is a `TableColumn`, a `Table` a `ColumnGroup`; tables have a typealias of their own,
/// which hides the general one.
extension QueryRepresentable {
  /// What a property of this type is in the columns of a table.
  public typealias QueryColumn<Root: Table> = TableColumn<Root, Self>

  /// What an optional property of this type is in the columns of a table.
  public typealias OptionalQueryColumn<Root: Table> = TableColumn<Root, Self?>
}

extension TableColumn {
  /// The column with the name.
  @inlinable
  public init(column name: String, in place: ColumnPlace = ColumnPlace()) { self.init(name, in: place) }
}

extension ColumnGroup {
  /// A group has no name in the database; its columns are between the others.
  public init(column name: String, in place: ColumnPlace = ColumnPlace()) { self.init(named: name, in: place) }
}

extension ColumnDescription {
  /// One column.
  ///
  /// - Parameters:
  ///   - property: what JSON made of a row calls it, if that is not the column's name.
  ///   - initial: the value that the property begins with, if that is the same for every row.
  public static func columns<Value: QueryRepresentable>(
    _ name: String, of type: Value.Type, property: String? = nil, primaryKey: Bool = false, generated: Bool = false,
    lazyInitializable: Bool = false, initial: Value.QueryOutput? = nil
  ) -> [ColumnDescription] {
    let value = initial.map { Value.fragment(of: $0) }
    var column = ColumnDescription(
      name, type, primaryKey: primaryKey, generated: generated, default: value, property: property)
    column.isLazyInitializable = lazyInitializable
    return [column]
  }

  /// The columns of a group. What it begins with is no column's default.
  public static func columns<Values: Table>(
    _ name: String, of type: Values.Type, property: String? = nil, primaryKey: Bool = false, generated: Bool = false,
    lazyInitializable: Bool = false, initial: Values.QueryOutput? = nil
  ) -> [ColumnDescription] {
    group(type, primaryKey: primaryKey, property: property ?? name).map { column in
      var column = column
      column.members[0].group = name
      column.isGenerated = column.isGenerated || generated
      column.isLazyInitializable = column.isLazyInitializable || lazyInitializable
      return column
    }
  }

  /// The columns of an optional group, each of which may be NULL.
  public static func columns<Values: Table>(
    _ name: String, of type: Values?.Type, property: String? = nil, primaryKey: Bool = false,
    generated: Bool = false, lazyInitializable: Bool = false, initial: Values.QueryOutput?? = nil
  ) -> [ColumnDescription] {
    columns(
      name, of: Values.self, property: property, primaryKey: primaryKey, generated: generated,
      lazyInitializable: lazyInitializable
    ).map { column in
      var column = column.nullable
      column.members[0].isOptional = true
      return column
    }
  }

  /// Says what a column holds.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      No column holds this type. Conform it to 'QueryBindable', say with '@Column(as:)' how it is stored, or make it a \
      '@Selection'.
      """
  )
  public static func columns<Other>(
    _ name: String, of type: Other.Type, property: String? = nil, primaryKey: Bool = false, generated: Bool = false,
    lazyInitializable: Bool = false, initial: Other? = nil
  ) -> [ColumnDescription] {
    fatalError("because it is unavailable, nothing calls this")
  }

  /// The columns of an enum's case: those of its value, under the case's name.
  ///
  /// - Parameters:
  ///   - value: the columns of the case's value, which `Codable` calls by the value's label, or `_0`.
  ///   - isOptional: the value may be nil.
  public static func enumCase(_ name: String, _ value: [ColumnDescription], isOptional: Bool) -> [ColumnDescription] {
    value.map { column in
      var column = column.nullable
      var member = JSONMember(name: name)
      member.group = column.members[0].group
      column.members[0].isOptional = isOptional
      column.members.insert(member, at: 0)
      return column
    }
  }

  /// Adds the columns of an enum's case to those of a row.
  ///
  /// A row whose columns are all NULL does not say which case it is. So a value that has nothing else is refused when
  /// the statement is run. `@Table` writes the first case whose value may be nil without this.
  public static func bindCase<Value: QueryRepresentable>(
    _ name: String, _ value: Value.QueryOutput, as type: Value.Type, into fragments: inout [QueryFragment]
  ) {
    let start = fragments.count
    Value.bind(value, into: &fragments)
    let columns = fragments[start...]
    guard !columns.isEmpty, columns.allSatisfy({ $0.isBoundNull || $0.isReadAsNil }) else { return }
    let reason =
      "The case '\(name)' has nothing but NULLs here, and a row of NULLs does not say that it is this case. Give it a "
      + "value that is not nil."
    fragments[start] = .bind(.invalid(QueryBindingFailure(reason)))
  }

  /// The same column as one that may be NULL.
  private var nullable: ColumnDescription {
    func optional<Value: QueryRepresentable>(_ type: Value.Type) -> any QueryRepresentable.Type {
      Value.QueryOptional.self
    }
    var column = self
    column.valueType = optional(valueType)
    column.isOptional = true
    column.defaultValue = nil
    return column
  }
}

extension QueryRepresentable {
  /// Adds the columns of a Swift value in this representation to those of a row.
  @inlinable
  public static func bind(_ output: QueryOutput, into fragments: inout [QueryFragment]) {
    fragments.append(contentsOf: Self(queryOutput: output).columnFragments)
  }
}

extension QueryBindable {
  /// Adds the column of a Swift value in this representation to those of a row.
  @inlinable
  public static func bind(_ output: QueryOutput, into fragments: inout [QueryFragment]) {
    fragments.append(Self(queryOutput: output).queryFragment)
  }
}
