/// Columns on their way into a JSON object.
struct JSONColumns {
  private typealias Entry = (value: QueryFragment, path: ArraySlice<JSONMember>, column: ColumnDescription)

  private let entries: [Entry]
  private let function: String

  /// - Parameter function: `json_object` or `jsonb_object`.
  init(_ fragments: [QueryFragment], _ columns: [ColumnDescription], function: String) {
    entries = zip(fragments, columns).map { ($0, $1.members[...], $1) }
    self.function = function
  }

  /// The row of a table, or of an enum, as JSON.
  func object<Row: Table>(of row: Row.Type) -> QueryFragment {
    value(of: entries, JSONMember(name: "", of: row))
  }

  private func value(of entries: [Entry], _ member: JSONMember) -> QueryFragment {
    if member.isEnum { return oneOf(entries, isOptional: member.isOptional) }
    let object = object(of: entries)
    return member.isOptional ? choice([(entries, object)], otherwise: nil) : object
  }

  private func object(of entries: [Entry]) -> QueryFragment {
    var arguments: [QueryFragment] = []
    for (member, inner) in members(of: entries) {
      arguments += [.literal(text: member.name), content(of: inner, member)]
    }
    return .function(function, arguments)
  }

  private func content(of inner: [Entry], _ member: JSONMember) -> QueryFragment {
    guard let first = inner.first, first.path.isEmpty else { return value(of: inner, member) }
    return JSONValues.rowValue(first.value, first.column)
  }

  /// The case whose columns are not all NULL. If all of them are, it is the case whose value may be nil.
  private func oneOf(_ entries: [Entry], isOptional: Bool) -> QueryFragment {
    var branches: [([Entry], QueryFragment)] = []
    var otherwise: QueryFragment?
    for (member, inner) in members(of: entries) {
      let object = QueryFragment.function(function, [.literal(text: member.name), self.object(of: inner)])
      branches.append((inner, object))
      if !isOptional, otherwise == nil, inner.first?.path.first?.isOptional == true { otherwise = object }
    }
    return choice(branches, otherwise: otherwise)
  }

  private func choice(_ branches: [([Entry], QueryFragment)], otherwise: QueryFragment?) -> QueryFragment {
    let conditions = branches.map { (when: QueryFragment.isPresent($0.0.map(\.value)), then: $0.1) }
    // A CASE within an argument returns text; `json` makes it JSON again.
    return .function("json", [QueryFragment(.choice(base: nil, branches: conditions, otherwise: otherwise))])
  }

  /// The members of one object, and the columns within each.
  private func members(of entries: [Entry]) -> [(JSONMember, [Entry])] {
    var result: [(JSONMember, [Entry])] = []
    for entry in entries {
      guard let member = entry.path.first else { continue }
      let inner = (entry.value, entry.path.dropFirst(), entry.column)
      // Columns that stand apart in the table may belong to one object.
      if let known = result.firstIndex(where: { $0.0.name == member.name }), !inner.1.isEmpty {
        result[known].1.append(inner)
      } else {
        result.append((member, [inner]))
      }
    }
    return result
  }
}
