public import MartletDatabase
public import MartletQuery

/// `@FetchAll(Reminder.all, sectionBy: \.title)`: rows in sections, which follow the database.
///
/// Always true: the rows of the wrapper are those of its sections, in their order.
extension FetchAll {
  /// The rows of a query in sections, ordered by the section first: `sectionBy: { $0.dueDate.desc() }`. The projected
  /// value has them as `$rows.sections`.
  public init<S: SelectStatement, Section: QueryExpression>(
    wrappedValue: [Element] = [], _ statement: S, sectionBy section: (S.Sources.Columns) -> Section,
    database: (any DatabaseReader)? = nil
  ) where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Element {
    fetched = FetchedValue(
      ResultsSectionCollection(elements: wrappedValue),
      request: statement.sectionsRequest(statement.sectioned(by: section)), database: database)
  }

  /// The rows of a query in sections by a column.
  public init<S: SelectStatement, Section: QueryExpression>(
    wrappedValue: [Element] = [], _ statement: S, sectionBy section: KeyPath<S.Sources.Columns, Section>,
    database: (any DatabaseReader)? = nil
  ) where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Element {
    self.init(
      wrappedValue: wrappedValue, statement, sectionBy: { $0[keyPath: section] }, database: database)
  }

  /// The rows of the table's default scope in sections.
  public init<Section: QueryExpression>(
    wrappedValue: [Element] = [], sectionBy section: (Element.TableColumns) -> Section,
    database: (any DatabaseReader)? = nil
  ) where Element: Table, Element.QueryOutput == Element {
    self.init(wrappedValue: wrappedValue, Element.all, sectionBy: section, database: database)
  }

  /// The rows of the table's default scope in sections by a column.
  public init<Section: QueryExpression>(
    wrappedValue: [Element] = [], sectionBy section: KeyPath<Element.TableColumns, Section>,
    database: (any DatabaseReader)? = nil
  ) where Element: Table, Element.QueryOutput == Element {
    self.init(wrappedValue: wrappedValue, Element.all, sectionBy: section, database: database)
  }

  /// Another query in sections from now on. Throws what fetching throws.
  @discardableResult
  public func load<S: SelectStatement, Section: QueryExpression>(
    _ statement: S, sectionBy section: (S.Sources.Columns) -> Section, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Element {
    try await fetched.load(statement.sectionsRequest(statement.sectioned(by: section)), from: database)
  }

  /// Another query in sections by a column from now on. Throws what fetching throws.
  @discardableResult
  public func load<S: SelectStatement, Section: QueryExpression>(
    _ statement: S, sectionBy section: KeyPath<S.Sources.Columns, Section>, database: (any DatabaseReader)? = nil
  ) async throws -> FetchSubscription
  where S.QueryValue: QueryRepresentable, S.QueryValue.QueryOutput == Element {
    let request = statement.sectionsRequest(statement.sectioned(by: { $0[keyPath: section] }))
    return try await fetched.load(request, from: database)
  }
}
