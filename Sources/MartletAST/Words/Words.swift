/// The words of SQL for each value of the grammar's enumerations.
///
/// Always true: nil exactly for the unspecified value and for values of a later grammar, which validation refuses.
extension ASTJoin.Kind {
  var sql: StaticString? {
    switch self {
    case .inner: "JOIN"
    case .left: "LEFT JOIN"
    case .right: "RIGHT JOIN"
    case .full: "FULL JOIN"
    case .cross: "CROSS JOIN"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTCompound.Operator {
  var sql: StaticString? {
    switch self {
    case .union: "UNION"
    case .unionAll: "UNION ALL"
    case .intersect: "INTERSECT"
    case .except: "EXCEPT"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTOrderingTerm.Direction {
  var sql: StaticString? {
    switch self {
    case .ascending: "ASC"
    case .descending: "DESC"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTOrderingTerm.Nulls {
  var sql: StaticString? {
    switch self {
    case .first: "NULLS FIRST"
    case .last: "NULLS LAST"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTCommonTable.Materialization {
  var sql: StaticString? {
    switch self {
    case .materialized: "MATERIALIZED"
    case .notMaterialized: "NOT MATERIALIZED"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTConflictResolution {
  var sql: StaticString? {
    switch self {
    case .abort: "ABORT"
    case .fail: "FAIL"
    case .ignore: "IGNORE"
    case .replace: "REPLACE"
    case .rollback: "ROLLBACK"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTLiteral.Keyword {
  var sql: StaticString? {
    switch self {
    case .null: "NULL"
    case .true: "TRUE"
    case .false: "FALSE"
    case .currentDate: "CURRENT_DATE"
    case .currentTime: "CURRENT_TIME"
    case .currentTimestamp: "CURRENT_TIMESTAMP"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTFrame.Unit {
  var sql: StaticString? {
    switch self {
    case .rows: "ROWS"
    case .range: "RANGE"
    case .groups: "GROUPS"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTFrame.Exclusion {
  var sql: StaticString? {
    switch self {
    case .noOthers: "EXCLUDE NO OTHERS"
    case .currentRow: "EXCLUDE CURRENT ROW"
    case .group: "EXCLUDE GROUP"
    case .ties: "EXCLUDE TIES"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTFrameBound.Kind {
  var sql: StaticString? {
    switch self {
    case .unboundedPreceding: "UNBOUNDED PRECEDING"
    case .preceding: "PRECEDING"
    case .currentRow: "CURRENT ROW"
    case .following: "FOLLOWING"
    case .unboundedFollowing: "UNBOUNDED FOLLOWING"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTRaise.Action {
  var sql: StaticString? {
    switch self {
    case .ignore: "IGNORE"
    case .rollback: "ROLLBACK"
    case .abort: "ABORT"
    case .fail: "FAIL"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTForeignKey.Action {
  var sql: StaticString? {
    switch self {
    case .noAction: "NO ACTION"
    case .restrict: "RESTRICT"
    case .setNull: "SET NULL"
    case .setDefault: "SET DEFAULT"
    case .cascade: "CASCADE"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTForeignKey.Deferral {
  var sql: StaticString? {
    switch self {
    case .initiallyDeferred: "DEFERRABLE INITIALLY DEFERRED"
    case .initiallyImmediate: "DEFERRABLE INITIALLY IMMEDIATE"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTCreateTrigger.Timing {
  var sql: StaticString? {
    switch self {
    case .before: "BEFORE"
    case .after: "AFTER"
    case .insteadOf: "INSTEAD OF"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTCreateTrigger.Event {
  var sql: StaticString? {
    switch self {
    case .insert: "INSERT"
    case .update: "UPDATE"
    case .delete: "DELETE"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}

extension ASTDrop.Kind {
  var sql: StaticString? {
    switch self {
    case .table: "TABLE"
    case .index: "INDEX"
    case .view: "VIEW"
    case .trigger: "TRIGGER"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }
}
