import MartletValues

/// What a tree under rules for tables may ask full-text indexes.
///
/// Always true: a function of an index is asked only of a table that the client may read as a whole, and by a name that
/// no column of the tree has; that no column of the schema has it either, `RuledCompiler` looks.
extension ValidationWalk {
  func noteSearch(_ call: ASTCall) {
    switch call.callee {
    case .operator(.match), .operator(.notMatch): facts.reach.searches = true
    case .function(let name) where name.lowercasedASCII == "match": facts.reach.searches = true
    default: break
    }
  }

  func mayAskIndex(_ function: String, _ arguments: [ASTExpression]) throws(RequestError) {
    guard let access, RuledFunctions.ofIndexes.contains(function.lowercasedASCII) else { return }
    guard case .column(let column)? = arguments.first?.kind, let rule = access.rules.rule(for: column.name),
      rule.permissions.contains(.select), !rule.isPartial
    else {
      throw denied(
        "The first argument of this function is the name of a full-text table, and this client has to be allowed to "
          + "read all of that. Name such a table.", "arguments")
    }
    facts.reach.askedIndexes.insert(column.name.lowercasedASCII)
  }

  func noteName(ofColumn name: String) {
    if access != nil, !name.isEmpty { facts.columnNames.insert(name.lowercasedASCII) }
  }

  /// At the end of the walk: a name that a query gives to a column of its own would be asked in the place of the table.
  func indexesAreNamedApart() throws(RequestError) {
    guard !facts.reach.askedIndexes.isDisjoint(with: facts.columnNames) else { return }
    throw RequestError(
      .permissionDenied, .permission,
      "A column has the name of a full-text table of which a function is asked. Give the column another name.")
  }
}
