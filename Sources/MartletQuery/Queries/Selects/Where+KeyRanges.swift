import MartletAST

/// Rows by a range of keys that has no end, `find(5...)`.
///
/// Always true: the range is written by its bound. It is a sequence of keys as well, which has no end.
extension QueryRepresentable where QueryOutput: Comparable {
  fileprivate static func isKey(_ column: QueryFragment, in range: PartialRangeFrom<QueryOutput>) -> QueryFragment {
    .operation(.greaterOrEqual, column, ordered(fragment(of: range.lowerBound)))
  }
}

extension PrimaryKeyedTable where PrimaryKey.QueryOutput: Comparable {
  /// `WHERE "id" >= key`.
  public static func find(_ keys: PartialRangeFrom<PrimaryKey.QueryOutput>) -> Where<Self> { Where().find(keys) }
}

extension Where where From: PrimaryKeyedTable, From.PrimaryKey.QueryOutput: Comparable {
  /// `WHERE "id" >= key`.
  public consuming func find(_ keys: PartialRangeFrom<From.PrimaryKey.QueryOutput>) -> Where {
    predicates.append(From.PrimaryKey.isKey(From.columns.primaryKey.queryFragment, in: keys))
    return self
  }
}

extension Select where Sources.First: PrimaryKeyedTable, Sources.First.PrimaryKey.QueryOutput: Comparable {
  /// `WHERE "id" >= key`.
  public consuming func find(_ keys: PartialRangeFrom<Sources.First.PrimaryKey.QueryOutput>) -> Select {
    changed { $0.predicates += Where<Sources.First>(isScoped: false).find(keys).predicates }
  }
}

extension TableDraft where PrimaryTable: PrimaryKeyedTable, PrimaryTable.PrimaryKey.QueryOutput: Comparable {
  /// `WHERE "id" >= key`, as drafts.
  public static func find(_ keys: PartialRangeFrom<PrimaryTable.PrimaryKey.QueryOutput>) -> Where<Self> {
    Where().find(keys)
  }
}

extension Where
where From: TableDraft, From.PrimaryTable: PrimaryKeyedTable, From.PrimaryTable.PrimaryKey.QueryOutput: Comparable {
  /// `WHERE "id" >= key`, as drafts.
  public func find(_ keys: PartialRangeFrom<From.PrimaryTable.PrimaryKey.QueryOutput>) -> Where {
    var result = self
    result.predicates.append(From.PrimaryTable.PrimaryKey.isKey(From.primaryKeyFragment, in: keys))
    return result
  }
}
