/// A group that is one expression (a choice, a query, raw SQL) is written and read whole, or refused: never half of it.
import Martlet
import Testing

@Suite struct GroupExpressionTests {
  typealias Parcel = Wholes.Parcel
  typealias Kind = Wholes.Kind
  typealias Size = Wholes.Size

  private typealias Change = @Sendable (inout Updates<Parcel>) -> Void

  @Selection struct Measured: Equatable {
    var size: Size?
    var id: Int
  }

  private static let parcel = Parcel(id: 9, kind: .box(1), size: Size(width: 1))

  private static var sizeOfLast: some Statement<Size> {
    Parcel.as(Wholes.Other.self).where { $0.id.eq(4) }.select(\.size)
  }

  /// What an update does to the first row: its size, and its other kind as it is stored.
  private static let changes: [(Change, [String?])] = [
    ({ $0.size = sizeOfLast }, ["2", "2", "a"]),
    ({ $0.size = #sql("(8, 9)", as: Size.self) }, ["8", "9", "a"]),
    ({ $0.other = #sql("NULL") }, ["1", nil, nil]),
    ({ $0.other = #sql("null", as: Kind?.self) }, ["1", nil, nil]),
    (
      {
        $0.size.width = 4
        let width = $0.size.width
        $0.size = Parcel.as(Wholes.Other.self).where { $0.id.eq(width) }.select(\.size)
      }, ["2", "2", "a"]
    ),
    (
      {
        $0.size = Case().when(Parcel.columns.id > 1, then: Parcel.columns.size).else(
          Size.Columns(width: 5, depth: #bind(6)))
      },
      ["5", "6", "a"]
    ),
  ]

  @Test(arguments: DatabaseHome.allCases)
  func `an expression for a group sets each column`(_ home: DatabaseHome) throws {
    for (change, expected) in Self.changes {
      try home.open(Wholes.script).write { db in
        let update = Parcel.find(1).update(set: change)
        try update.execute(db)
        let sql = "SELECT \"width\" || '', \"depth\" || '', \"letter:1\" FROM \"parcels\" WHERE \"id\" = 1"
        let row = try SQLQueryExpression<(String?, String?, String?)>(QueryFragment(sql)).fetchOne(db)
        #expect(row.map { [$0.0, $0.1, $0.2] } == expected, "\(update)")
      }
    }
  }

  @Test func `one query for several columns is one assignment`() {
    let update = Parcel.update { $0.size = Self.sizeOfLast }
    #expect(update.description.hasPrefix("UPDATE \"parcels\"\nSET (\"width\", \"depth\") = (\n  SELECT"))
    let upsert = Parcel.insert { Self.parcel }.onConflictDoUpdate { $0.size = Self.sizeOfLast }
    #expect(upsert.description.contains("DO UPDATE SET (\"width\", \"depth\") = ("), "\(upsert)")
  }

  @Test func `an expression that does not say its columns is refused`() {
    let changes: [Change] = [
      { $0.size = #sql("99", as: Size.self) }, { $0.size = #sql("width, depth", as: Size.self) },
      { $0.other = #sql("'a'") },
      {
        $0.size = Self.sizeOfLast
        $0.size.width += 1
      },
      {
        $0.size = Self.sizeOfLast
        $0.size = Self.sizeOfLast
      },
    ]
    for change in changes {
      let updates: [any Statement] = [
        Parcel.update(set: change), Parcel.insert { Self.parcel }.onConflictDoUpdate(change),
        Parcel.createTemporaryTrigger(after: .insert { _ in Parcel.update(set: change) }),
      ]
      for update in updates {
        let reason = update.serialized.failure?.description ?? ""
        #expect(reason.contains("several columns") || reason.contains("sets several"), "\(reason): \(update)")
      }
    }
    let others: [any Statement] = [
      Parcel.insert { Parcel.Columns(id: 9, kind: #sql("1"), size: Size(width: 1)) },
      Parcel.insert { Parcel.Columns(id: 9, kind: Kind.box(1), size: Self.sizeOfLast) },
      Parcel.select { Measured.Columns(size: #sql("1, 2"), id: $0.id) },
      Parcel.select { jsonObject("size", #sql("1, 2", as: Size.self), "id", $0.id) },
      Parcel.select { (#sql("1, 2", as: Size.self), $0.id) }.map { size, id in (id, size) },
    ]
    for statement in others {
      #expect(statement.serialized.failure?.description.contains("several columns") == true, "\(statement)")
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a choice between groups is read whole`(_ home: DatabaseHome) throws {
    try home.open(Wholes.script).read { db in
      let parcels = Parcel.order(by: \.id)
      let (small, deep) = (Size(width: 1, depth: nil), Size(width: 1, depth: 2))
      let chosen = parcels.limit(2).select { Case().when($0.id > 1, then: $0.size) }
      same(try chosen.fetchAll(db), [nil, deep])
      same(try chosen.map { $0 }.fetchAll(db), [nil, deep])
      let otherwise = parcels.limit(2).select {
        Case().when($0.id > 1, then: $0.size).else(Size.Columns(width: 0, depth: #bind(3)))
      }
      same(try otherwise.fetchAll(db), [Size(width: 0, depth: 3), deep])
      let kinds: [Kind] = [.letter("a"), .box(7), .box(7), .crate(.init(wood: "oak", nails: 9))]
      same(try parcels.select { $0.other ?? $0.kind }.fetchAll(db), kinds)
      same(try parcels.select { $0.other.ifnull($0.kind) }.fetchAll(db), kinds)
      let measured = parcels.limit(2).select {
        Measured.Columns(size: Case().when($0.id > 1, then: $0.size), id: $0.id)
      }
      same(try measured.fetchAll(db), [Measured(size: nil, id: 1), Measured(size: deep, id: 2)])
      let raw = parcels.limit(1).select { Measured.Columns(size: #sql("NULL"), id: $0.id) }
      same(try raw.fetchAll(db), [Measured(size: nil, id: 1)])
      same(try parcels.limit(1).select { _ in #sql("1, NULL", as: Size.self) }.map { $0 }.fetchAll(db), [small])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a computed group of the side that a join leaves out is read whole`(_ home: DatabaseHome) throws {
    try home.open(Wholes.script).read { db in
      let joined = Wholes.Shelf.leftJoin(Parcel.all) { $0.id.row.eq($1.id + 1) }.order { shelf, _ in shelf.id.row.desc()
      }
      same(try joined.select { $1.doubled }.fetchAll(db), [Size(width: 2, depth: nil), nil, nil])
      let measured = joined.limit(1).select { Measured.Columns(size: $1.doubled, id: $0.id.row) }
      same(try measured.fetchAll(db), [Measured(size: Size(width: 2, depth: nil), id: 2)])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a CASE has a branch for nil`(_ home: DatabaseHome) throws {
    try home.open(Wholes.script).read { db in
      let parcels = Parcel.order(by: \.id)
      let words = ["none", "two", "none", "two"]
      same(
        try parcels.select { Case($0.size.depth).when(nil, then: "none").when(2, then: "two").else("x") }.fetchAll(db),
        words)
      same(
        try parcels.select { Case($0.size.depth).when(2, then: "two").when(nil, then: "none") }.fetchAll(db),
        words.map { $0 })
      let plain = Parcel.select { Case($0.size.depth).when(2, then: "two") }
      #expect(plain.sql.hasPrefix("SELECT CASE \"parcels\".\"depth\" WHEN ?1 THEN ?2 END"))
    }
  }
}

extension Wholes.Parcel.TableColumns {
  fileprivate var doubled: some QueryExpression<Wholes.Size> {
    Wholes.Size.Columns(width: size.width * 2, depth: size.depth)
  }
}
