/// Raw SQL that is made of a value: an aggregate of it is that of all rows, anything else is that of the row.
import Martlet
import Testing

@DatabaseFunction("rank") private func place(of number: Int) -> Int { number + 1 }

@Suite struct RawAggregateTests {
  typealias Measure = Measures.Measure
  private typealias Made = (SQLQueryExpression<Int>) -> SQLQueryExpression<Int?>

  @Test(arguments: DatabaseHome.allCases)
  func `a row's NULL decides nothing about an aggregate in SQL`(_ home: DatabaseHome) throws {
    let aggregates: [(Made, [Int?])] = [
      ({ #sql("sum(\($0))", as: Int?.self) }, [12, 3, nil]), ({ #sql("SUM (\($0))", as: Int?.self) }, [12, 3, nil]),
      ({ #sql("\"sum\"(\($0))", as: Int?.self) }, [12, 3, nil]), ({ #sql("count(\($0))", as: Int?.self) }, [2, 1, 0]),
      ({ _ in #sql("count(*)", as: Int?.self) }, [3, 2, 1]), ({ #sql("max(\($0))", as: Int?.self) }, [7, 3, nil]),
      ({ #sql("1 + coalesce(total(\($0)), 0)", as: Int?.self) }, [13, 4, 1]),
      ({ #sql("CAST(avg(\($0)) AS INTEGER)", as: Int?.self) }, [6, 3, nil]),
      ({ #sql("sum(\($0)) FILTER (WHERE \($0) > 5)", as: Int?.self) }, [7, nil, nil]),
      ({ #sql("-- upper(\nmin(\($0))", as: Int?.self) }, [5, 3, nil]),
      ({ SQLQueryExpression(QueryFunction<Int?>("sum", $0)) }, [12, 3, nil]),
    ]
    try home.open(Measures.script).read { db in
      let groups = Measure.group(by: \.kind).order(by: \.kind)
      for (make, expected) in aggregates {
        let query = groups.select { $0.value.flatMap { make($0) } }
        let found = try query.fetchAll(db)
        let isSame = found == expected
        #expect(isSame, "\(found), not \(expected): \(query)")
      }
      let running = Measure.order(by: \.id).select { row in
        row.value.flatMap { #sql("sum(\($0)) OVER (ORDER BY \(row.id))", as: Int?.self) }
      }
      same(try running.fetchAll(db), [nil, 5, 12, 15, 15, 15])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `of a row's value, NULL stays NULL in SQL`(_ home: DatabaseHome) throws {
    let scalars: [(Made, [Int?])] = [
      ({ #sql("\($0) + 1", as: Int?.self) }, [nil, 6, 8, 4, nil, nil]),
      ({ #sql("ifnull(\($0), 9)", as: Int?.self) }, [nil, 5, 7, 3, nil, nil]),
      ({ #sql("max(\($0), 6)", as: Int?.self) }, [nil, 6, 7, 6, nil, nil]),
      ({ #sql("length('sum(1)' || \($0))", as: Int?.self) }, [nil, 7, 7, 7, nil, nil]),
      ({ #sql("CAST(\($0) AS NUMERIC(9)) /* sum(x) */", as: Int?.self) }, [nil, 5, 7, 3, nil, nil]),
      ({ #sql("CASE WHEN \($0) IN (5, 7) THEN (1) ELSE (2) END", as: Int?.self) }, [nil, 1, 1, 2, nil, nil]),
      ({ #sql("(SELECT count(*) FROM measures)", as: Int?.self).plus($0) }, [nil, 6, 6, 6, nil, nil]),
    ]
    try home.open(Measures.script).read { db in
      for (make, expected) in scalars {
        let query = Measure.order(by: \.id).select { $0.value.flatMap { make($0) } }
        let found = try query.fetchAll(db)
        let isSame = found == expected
        #expect(isSame, "\(found), not \(expected): \(query)")
      }
      // Of an aggregate nothing more is one, whatever it is called.
      let groups = Measure.group(by: \.kind).order(by: \.kind)
      same(
        try groups.select { $0.value.max().map { #sql("ifnull(\($0), 9)", as: Int.self) } }.fetchAll(db), [7, 3, nil])
    }
  }

  @Test func `a function of the program is what its declaration says, whatever SQLite has under its name`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      db.add(function: $place)
      try db.execute(sql: Measures.script)
      let query = Measure.order(by: \.id).select { $0.value.map { $place(of: $0) } }
      same(try query.fetchAll(db), [nil, 6, 8, 4, nil, nil])
      #expect(query.sql.contains("CASE"))
    }
    // SQLite 3.48 calls iif so, too.
    #expect(Measure.select { $0.value.map { #sql("if(\($0) > 5, 1, 2)", as: Int.self) } }.built.failure == nil)
  }

  @Test func `a function of the program in SQL does not say whether it is an aggregate`() {
    let unknown = Measure.select { $0.value.map { #sql("middle(\($0))", as: Int.self) } }
    #expect(unknown.built.failure?.description.contains("'middle'") == true)
    #expect(
      Measure.select { $0.value.flatMap { #sql("main . \"middle\" (\($0))", as: Int?.self) } }.built.failure != nil)
    // What SQL itself says, the builder need not know.
    #expect(Measure.select { #sql("middle(\($0.value))", as: Int?.self).map { $0 + 1 } }.built.failure == nil)
    #expect(Measure.select { $0.value.max().map { #sql("middle(\($0))", as: Int.self) } }.built.failure == nil)
    let sum = Measure.select {
      #sql("middle(\($0.value))", as: Int?.self).flatMap { #sql("sum(\($0))", as: Int?.self) }
    }
    #expect(sum.built.failure != nil)
    #expect(Measure.select { $0.value.map { QueryFunction<Int>("middle", $0) } }.built.failure == nil)
    #expect(
      Measure.select { $0.value.map { AggregateFunctionExpression<Int>("middle", $0) } }.sql.contains("CASE") == false)
  }
}

extension SQLQueryExpression where QueryValue == Int? {
  /// The same, with the value named beside it.
  fileprivate func plus(_ value: SQLQueryExpression<Int>) -> SQLQueryExpression<Int?> {
    #sql("\(self) + 0 * \(value)", as: Int?.self)
  }
}
