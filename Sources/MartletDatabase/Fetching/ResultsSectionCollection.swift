public import MartletQuery

/// The rows of one section, which have one value of what the query is sectioned by.
public struct ResultsSection<Element>: RandomAccessCollection, Identifiable {
  /// What the rows have in common, as a text; nil if it is NULL. Two sections of one query may have the same text
  /// if the database orders by more than it, as by a collation.
  public let id: String?
  /// All rows of the query.
  let rows: [Element]
  let range: Range<Int>

  /// The text of `id`, and an empty one for NULL.
  public var name: String { id ?? "" }
  /// A copy of the rows.
  public var elements: [Element] { Array(rows[range]) }

  /// The place of the section's first row.
  public var startIndex: Int { 0 }
  /// The place behind its last row.
  public var endIndex: Int { range.count }
  /// The row at a place from `startIndex` on.
  public subscript(position: Int) -> Element { rows[range.lowerBound + position] }
}

extension ResultsSection: Sendable where Element: Sendable {}
extension ResultsSection: Equatable where Element: Equatable {
  /// The sections' texts are compared byte by byte.
  public static func == (left: Self, right: Self) -> Bool { left.id.isSame(as: right.id) && left.elementsEqual(right) }
}

/// The rows of a query in sections.
///
/// Always true: the sections' rows, one section after the other, are all rows in the order of the query.
public struct ResultsSectionCollection<Element>: RandomAccessCollection {
  /// All rows, in the order of the query.
  public let elements: [Element]
  private var sections: [(id: String?, range: Range<Int>)] = []

  /// Rows without sections.
  package init(elements: [Element]) { self.elements = elements }

  /// Rows with the texts of their sections, in the order of the sections.
  init(_ rows: [(Element, String?)]) {
    elements = rows.map(\.0)
    for (index, row) in rows.enumerated() {
      if let last = sections.last, last.id.isSame(as: row.1) {
        sections[sections.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        sections.append((row.1, index..<(index + 1)))
      }
    }
  }

  /// The place of the first section.
  public var startIndex: Int { 0 }
  /// The place behind the last section.
  public var endIndex: Int { sections.count }
  /// The section at a place from `startIndex` on.
  public subscript(position: Int) -> ResultsSection<Element> {
    ResultsSection(id: sections[position].id, rows: elements, range: sections[position].range)
  }

  /// The sections' texts, in their order.
  public var ids: [String?] { sections.map(\.id) }

  /// The first section of the text, byte by byte; nil if there is none.
  public subscript(id id: String?) -> ResultsSection<Element>? { first { $0.id.isSame(as: id) } }
}

extension ResultsSectionCollection: Sendable where Element: Sendable {}
extension ResultsSectionCollection: Equatable where Element: Equatable {
  /// The sections' texts are compared byte by byte.
  public static func == (left: Self, right: Self) -> Bool {
    left.elements == right.elements && left.ids.elementsEqual(right.ids) { $0.isSame(as: $1) }
  }
}

extension String? {
  /// Whether SQL takes the texts for one: two spellings of a letter that Unicode says are equal are not to SQL.
  fileprivate func isSame(as other: String?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}

extension SelectStatement where QueryValue: QueryRepresentable {
  /// All rows in sections, ordered by the section first: `fetchAll(db, sectionBy: { $0.title.desc() })`. Throws as
  /// `fetchAll` does.
  public func fetchAll<Section: QueryExpression>(
    _ db: Database, sectionBy section: (Sources.Columns) -> Section
  ) throws -> ResultsSectionCollection<QueryValue.QueryOutput> {
    try sectionsRequest(sectioned(by: section))(db)
  }

  /// All rows in sections by a column, ordered by it first. Throws as `fetchAll` does.
  public func fetchAll<Section: QueryExpression>(
    _ db: Database, sectionBy section: KeyPath<Sources.Columns, Section>
  ) throws -> ResultsSectionCollection<QueryValue.QueryOutput> {
    try fetchAll(db, sectionBy: { $0[keyPath: section] })
  }

  /// The same as a closure that may be kept.
  package func sectionsRequest(
    _ query: Select<(QueryValue, String?), Sources>
  ) -> @Sendable (Database) throws -> ResultsSectionCollection<QueryValue.QueryOutput> {
    let statement = query.serialized
    return { ResultsSectionCollection(try $0.fetch(TupleRow<QueryValue, String?>.self, statement)) }
  }
}

extension Table {
  /// All rows of the default scope in sections. Throws as a statement's `fetchAll` does.
  public static func fetchAll<Section: QueryExpression>(
    _ db: Database, sectionBy section: (TableColumns) -> Section
  ) throws -> ResultsSectionCollection<QueryOutput> { try all.fetchAll(db, sectionBy: section) }

  /// All rows of the default scope in sections by a column. Throws as a statement's `fetchAll` does.
  public static func fetchAll<Section: QueryExpression>(
    _ db: Database, sectionBy section: KeyPath<TableColumns, Section>
  ) throws -> ResultsSectionCollection<QueryOutput> { try all.fetchAll(db, sectionBy: section) }
}
