package import MartletValues

/// What is wrong with a statement's bytes or with its tree as a whole; what is wrong at one place of it is said by the
/// walk that validates it, which knows the path.
///
/// Always true: a condition has one member, whoever meets it.
extension RequestError {
  static let treeMalformed = RequestError(
    .invalidArgument, .malformed, "The bytes are not a serialized martlet.v1.Statement. Encode the tree again.")

  static let treeNotUTF8 = RequestError(
    .invalidArgument, .malformed, "The statement holds a name or a text that is not UTF-8.")

  package static func treeTooDeep(_ limits: Limits) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "The tree nests deeper than \(limits.nestingMax) levels. Use an operator with many operands.")
  }

  static func tooManyNodes(_ limits: Limits) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "The tree has more than \(limits.nodesMax) nodes. Send lists of values as a list parameter.")
  }

  static func treeTooLong(_ limits: Limits) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "The statement has more than \(limits.statementBytesMax) bytes. Send values as parameters, not inside the tree.")
  }

  static func sqlTooLong(_ limits: Limits) -> RequestError {
    RequestError(
      .invalidArgument, .limit,
      "The statement's SQL has more than \(limits.sqlBytesMax) bytes. Send values as parameters, or split it.")
  }

  static let columnNamedAsIndex = RequestError(
    .permissionDenied, .permission,
    "A column has the name of a full-text table of which a function is asked. Give the column another name.")
}
