import MartletAST
import MartletClient
import MartletValues

/// What ANALYZE has counted, as rows that are copied: counting again would take as long as it took the first time, and
/// a server has a limit for that.
///
/// Always true: the tables are made by SQLite itself; one that the library of the other side does not have is left out.
enum Statistics {
  /// SQLite's tables; which of them there are is for the library to say.
  static let names: Set<String> = ["sqlite_stat1", "sqlite_stat4"]

  static func columns(of table: String) -> [String] {
    table == "sqlite_stat1" ? ["tbl", "idx", "stat"] : ["tbl", "idx", "neq", "nlt", "ndlt", "sample"]
  }

  static func query(_ table: String) -> ASTStatement { .select(columns(of: table), from: .table(table)) }

  /// Makes the tables, if they are not there, and takes what is in them into use.
  static let refresh = "ANALYZE sqlite_schema"

  static func insertion(into table: String) -> ASTStatement {
    let columns = columns(of: table)
    return .insert(into: table, columns, values: columns.indices.map { .parameter(UInt32($0 + 1)) })
  }

  /// Takes out what was counted of one of the database's tables.
  static func deletion(from table: String) -> ASTStatement {
    .delete(from: table, where: .call(.equal, .column("tbl"), .parameter(1)))
  }
}
