/// Pieces that the expansions of tables, drafts and enums have in common.
///
/// Always true: types stand one in a line, so that the type checker looks at each by itself.
enum RowCode {
  /// What every type that is columns conforms to. `Table` implies the others, which queries in other files ask for.
  static let conformances = ["Table", "QueryRepresentable", "QueryExpression", "QueryDecodable"]

  /// A name for a variable that hides none of the properties.
  static func freeName(_ name: String, among columns: [ColumnModel]) -> String {
    let taken = Set(columns.map(\.property.unquoted))
    var name = name
    while taken.contains(name) { name = "_" + name }
    return name
  }

  /// `columnWidth`, with modifiers before it.
  static func columnWidth(of types: [String], _ modifiers: String) -> String {
    """
    \(modifiers)static var columnWidth: Int {
      var width = 0
    \(types.map { "width += \($0.asExpression).columnWidth" }.joined(separator: "\n").indented())
      return width
    }
    """
  }

  /// Which closure the columns were handed to, with modifiers before it.
  static func columnPlace(_ modifiers: String) -> [String] {
    [
      "\(modifiers)let columnPlace: MartletQuery.ColumnPlace",
      "\(modifiers)init(in place: MartletQuery.ColumnPlace = MartletQuery.ColumnPlace()) { columnPlace = place }",
    ]
  }

  /// The clauses of `all`, of whatever type the program made it. In a line of its own, `all` has the type that the
  /// program gave it, and not one that the compiler chose to fit.
  static func defaultScope(_ modifiers: String) -> String {
    """
    \(modifiers)static var defaultScope: MartletQuery.DefaultScope {
      let scope = Self.all
      return MartletQuery.DefaultScope(scope, of: Self.self)
    }
    """
  }

  /// `columnFragments`, from statements that add to `fragments`.
  static func columnFragments(_ statements: [String], _ modifiers: String) -> String {
    """
    \(modifiers)var columnFragments: [MartletQuery.QueryFragment] {
      var fragments: [MartletQuery.QueryFragment] = []
      fragments.reserveCapacity(Self.columnWidth)
    \(statements.joined(separator: "\n").indented())
      return fragments
    }
    """
  }
}
