internal import MartletAST
internal import MartletValues

/// Reading what a database has, and whether it holds.
extension Connection {
  /// Tells what tables, columns and indexes there are.
  public var schema: SchemaReader { SchemaReader(connection: self) }

  /// Rows that point to rows that are not there, whether foreign keys are enforced or not. Throws `Result`.
  ///
  /// - Parameter table: whose rows are looked at; nil: those of every table.
  public func foreignKeyCheck(table: String? = nil) throws -> [ForeignKeyError] {
    let query = ASTStatement.select { select in
      select.columns = ["table", "rowid", "parent"].map { .expression(.column($0)) }
      select.from = .function("pragma_foreign_key_check", table == nil ? [] : [.parameter(1)])
    }
    return try rows(of: query, table.map { [.text($0)] } ?? []).map { row in
      ForeignKeyError(from: row[0].text ?? "", rowId: row[1].number, to: row[2].text ?? "")
    }
  }

  /// What SQLite finds wrong with the file; empty if nothing is. It reads all of it. Throws `Result`.
  ///
  /// - Parameter table: what is looked at with its indexes; nil: every table.
  public func integrityCheck(table: String? = nil) throws -> [String] {
    let query = ASTStatement.select { select in
      select.columns = [.expression(.column("integrity_check"))]
      select.from = .function("pragma_integrity_check", table == nil ? [] : [.parameter(1)])
    }
    return try rows(of: query, table.map { [.text($0)] } ?? []).compactMap { $0.first?.text }.filter { $0 != "ok" }
  }
}
