/// Says by what each column is replaced.
///
/// Always true: what a statement reads of its own tables stays as it is.
struct ColumnMapping {
  /// True if columns within subqueries change too.
  var seesSubqueries = true
  /// How names in raw SQL change.
  var raw: RawRenaming?
  /// What the table of the replaced columns is called from then on, if a query may have a table of that name.
  var newTable: String?
  var replacement: (QueryFragment.ColumnName) -> QueryFragment?

  init(
    seesSubqueries: Bool = true, raw: RawRenaming? = nil, newTable: String? = nil,
    replacement: @escaping (QueryFragment.ColumnName) -> QueryFragment?
  ) {
    self.seesSubqueries = seesSubqueries
    self.raw = raw
    self.newTable = newTable
    self.replacement = replacement
  }

  /// The same mapping within a query that has these sources.
  func within(_ sources: [SourceFragment]) -> ColumnMapping {
    guard !sources.isEmpty else { return self }
    var inner = self
    let hiding = sources.first { $0.qualifier.lowercased() == newTable?.lowercased() }
    inner.replacement = { [replacement] column in
      let isOwn = sources.contains { source in
        source.qualifier == column.table
          && (column.schema.isEmpty || source.schema == nil || source.schema == column.schema)
      }
      guard !isOwn, let replaced = replacement(column) else { return nil }
      return hiding.map { .hidden(by: $0.qualifier) } ?? replaced
    }
    if let name = raw?.table, sources.contains(where: { $0.qualifier == name }) { inner.raw = nil }
    return inner
  }

  func raw(_ parts: [QueryFragment.RawPart]) -> QueryFragment {
    var result: [QueryFragment.RawPart] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .expression(let inner): result.append(.expression(inner.mapping(self)))
      case .statement(let inner): result.append(.statement(seesSubqueries ? inner.mapping(self) : inner))
      case .identifier(let name):
        guard let raw, name == raw.table, parts.dropFirst(index + 1).first?.beginsWithPoint == true else {
          result.append(part)
          continue
        }
        result.append(.identifier(raw.alias))
      case .sql(let text):
        if let raw, raw.isNamed(in: text) { return raw.refusal }
        result.append(part)
      }
    }
    return QueryFragment(.raw(result))
  }
}

extension QueryFragment {
  /// What stands for a column whose table a query within hides by one of the same name.
  fileprivate static func hidden(by table: String) -> QueryFragment {
    let reason =
      "RETURNING knows the row only by its table's own name, '\(table)', and a query in it has a table of that name. "
      + "Give the query's table another name with as(Other.self)."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }
}

/// A table that raw SQL may name, although its alias there is another.
struct RawRenaming {
  var table: String
  var alias: String

  /// True if the text has a column of the table: its name, in quotes or not, with a point behind it.
  func isNamed(in sql: String) -> Bool {
    let text = Array(sql.lowercased().utf8)
    let name = Array(table.lowercased().utf8)
    guard !name.isEmpty, text.count > name.count else { return false }
    for start in 0..<(text.count - name.count) where text[start..<(start + name.count)].elementsEqual(name) {
      if start > 0, text[start - 1].isOfName { continue }
      let rest = text[(start + name.count)...].drop { $0 == UInt8(ascii: " ") || "\"]`".utf8.contains($0) }
      if rest.first == UInt8(ascii: ".") { return true }
    }
    return false
  }

  /// SQL is not parsed here: a column without the table's name might be another table's.
  var refusal: QueryFragment {
    let reason =
      "Raw SQL names the table '\(table)', which is called '\(alias)' here. Write the column as \\($0.column) in it."
    return .bind(.invalid(QueryBindingFailure(reason)))
  }
}

extension UInt8 {
  fileprivate var isOfName: Bool {
    self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}

extension QueryFragment.RawPart {
  fileprivate var beginsWithPoint: Bool { if case .sql(let text) = self { text.hasPrefix(".") } else { false } }
}
