internal import MartletValues

/// What renders the trees that a program made itself, and not those of somebody whom it has to bound.
extension StatementRenderer {
  /// Bounded as a server is that nobody has configured, so that what a program shows is what such a server would run.
  package static func ofOwnTrees(sqliteVersion: Int) -> StatementRenderer {
    StatementRenderer(limits: Limits(), sqliteVersion: sqliteVersion)
  }

  /// A client does not know its server's version, so it shows what the newest one would take.
  package static var newest: StatementRenderer { ofOwnTrees(sqliteVersion: 3_099_000) }
}
