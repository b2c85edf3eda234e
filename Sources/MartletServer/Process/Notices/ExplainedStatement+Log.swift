internal import MartletEngine

/// How a log shows a statement and its plan: a line each, without the values that a client wrote into them.
extension ExplainedStatement {
  var loggedSQL: String { Self.line(holdsText ? SQLMask.withoutValues(sql) : sql) }

  var loggedPlan: String { Self.line((holdsText ? plan.map(SQLMask.withoutValues) : plan).joined(separator: "; ")) }

  private static func line(_ text: String) -> String {
    PrintableText.line(text, lengthMax: ServerLimits.loggedCharactersMax)
  }
}
