import MartletAST

/// Numbers that come out of JSON documents, where a whole number is an INTEGER, of whatever type it is in Swift.
///
/// Always true: what is made a REAL is the same number; only how SQLite calculates with it changes.
extension QueryFragment {
  /// A number of a type that is stored as a REAL: as one, if it comes out of a document.
  var asReal: QueryFragment {
    guard readsDocument else { return self }
    if case .aliased(let value, let name) = node { return value.asReal.named(name) }
    return QueryFragment(.cast(self, type: "REAL"))
  }

  /// The same where it is divided: of elements of an array under another name than `json_each`, too.
  var asDividend: QueryFragment {
    if case .column(_, _, "value", _) = node { return QueryFragment(.cast(self, type: "REAL")) }
    return asReal
  }

  /// True if its value comes out of a document.
  var readsDocument: Bool {
    switch node {
    case .function(let call): call.name.hasPrefix("json") || call.arguments.contains(where: \.readsDocument)
    case .operation(let symbol, let operands):
      symbol == .jsonExtract || symbol == .jsonExtractValue || operands.contains(where: \.readsDocument)
    case .column(_, let table, let name, _): table == "json_each" && name == "value"
    case .choice(_, let branches, let otherwise):
      branches.contains { $0.then.readsDocument } || otherwise?.readsDocument == true
    case .cast(let value, let type): type != "REAL" && value.readsDocument
    case .collate(let value, _), .aliased(let value, _): value.readsDocument
    case .subquery(let statement): statement.tree.readsDocument
    default: false
    }
  }
}
