import MartletAST
import MartletTestSupport

extension NastySchema {
  static func probe() throws -> SQLiteProbe {
    SQLiteProbe(schema: try statements.map { try StatementRenderer().render($0).sql })
  }
}
