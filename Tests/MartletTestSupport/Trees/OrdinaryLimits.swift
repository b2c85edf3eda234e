/// Trees under the limits that nobody has set, for the tests that are about something else.
package import MartletAST
package import MartletValues

extension StatementRenderer {
  package init(
    sqliteVersion: Int = 3_040_001, extensions: EngineExtensions = EngineExtensions(), rules: TableRules? = nil
  ) {
    self.init(limits: Limits(), sqliteVersion: sqliteVersion, extensions: extensions, rules: rules)
  }
}

extension ASTStatement {
  package static func decode(_ bytes: [UInt8]) throws(RequestError) -> ASTStatement {
    try decode(bytes, limits: Limits())
  }

  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(RequestError) -> ASTStatement {
    try decode(bytes, limits: Limits())
  }
}
