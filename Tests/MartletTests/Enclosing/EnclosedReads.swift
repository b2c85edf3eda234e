/// Queries that read the row of an outer query of the same table, in every clause of both. Without another name for one
/// of the two, SQL would compare the inner row with itself.
import Martlet

/// A query, and where in it the outer row is read.
struct EnclosedRead: Sendable, CustomStringConvertible {
  var description: String
  var statement: any Statement & Sendable

  init(_ description: String, _ statement: some Statement & Sendable) {
    self.description = description
    self.statement = statement
  }
}

/// All of them, by where they stand.
enum EnclosedReads {
  static var all: [EnclosedRead] { innerExpressions + innerClauses + outerClauses + outerJoins + writes + wholes }

  /// Expressions of an inner query.
  static var innerExpressions: [EnclosedRead] {
    [
      EnclosedRead("exists", Step.where { r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "prepared",
        Step.where { r in
          let e = r.id + 1; Step.where { $0.id > e }.exists()
        }),
      EnclosedRead("find", Step.where { r in Step.find(r.id + 1).exists() }),
      EnclosedRead("find optional", Step.where { r in Step.find(r.parent).exists() }),
      EnclosedRead("in", Step.where { r in r.id.in(Step.where { $0.n > r.n }.select(\.id)) }),
      EnclosedRead("value", Step.where { r in r.n.eq(Step.where { $0.n > r.n }.select { $0.n.min() ?? 0 }) }),
      EnclosedRead(
        "compound", Step.where { r in r.n.in(Visit.select(\.k).union(Step.where { $0.id > r.id }.select(\.n))) }),
      EnclosedRead("whole row", Step.where { r in Step.where { $0.eq(r) }.exists() }),
      EnclosedRead("rowid", Step.where { r in Step.where { $0.rowid > r.rowid + 1 }.exists() }),
      EnclosedRead("primary key", Step.where { r in Step.where { $0.primaryKey > r.primaryKey + 1 }.exists() }),
      EnclosedRead("extension", Step.where { r in Step.where { $0.id > r.doubled }.exists() }),
      EnclosedRead("deep", Step.where { r in Visit.where { o in Step.where { $0.id > r.id + 1 }.exists() }.exists() }),
      EnclosedRead(
        "deep 3",
        Step.where { r in
          Visit.where { o in Visit.as(Second.self).where { x in Step.where { $0.id > r.id + 1 }.exists() }.exists() }
            .exists()
        }),
      EnclosedRead(
        "middle",
        Step.where { r in Visit.where { o in Visit.where { $0.k > o.k + 1 && $0.k.eq(r.n) }.exists() }.exists() }),
      EnclosedRead(
        "same alias", Step.as(Second.self).where { r in Step.as(Second.self).where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("alias later", Step.where { r in Step.where { $0.id > r.id + 1 }.as(Second.self).exists() }),
      EnclosedRead("cast", Step.where { r in Step.where { $0.name.eq(r.n.cast(as: String.self)) }.exists() }),
      EnclosedRead("collate", Step.where { r in Step.where { $0.name.eq(r.name.collate(.nocase)) }.exists() }),
    ]
  }

  /// Clauses of an inner query.
  static var innerClauses: [EnclosedRead] {
    [
      EnclosedRead("inner select", Step.where { r in r.n.eq(Step.select { $0.n + r.n }) }),
      EnclosedRead("inner group", Step.where { r in Step.group { $0.n + r.n }.exists() }),
      EnclosedRead("inner having", Step.where { r in Step.group(by: \.n).having { $0.n.sum() > r.n }.exists() }),
      EnclosedRead("inner order", Step.where { r in Step.order { $0.n - r.n }.limit(1).exists() }),
      EnclosedRead("inner limit", Step.where { r in Step.limit { _ in r.n }.exists() }),
      EnclosedRead("inner offset", Step.where { r in Step.limit(1).offset { _ in r.n }.exists() }),
      EnclosedRead("inner window", Step.where { r in Step.all.window("w") { .order(by: $0.n + r.n) }.exists() }),
      EnclosedRead(
        "inner case", Step.where { r in Step.where { Case().when($0.n > r.n, then: true).else(false) }.exists() }),
      EnclosedRead("inner filter", Step.where { r in r.n.eq(Step.count { $0.n > r.n }) }),
      EnclosedRead(
        "inner aggregate filter", Step.where { r in r.n.eq(Step.select { $0.n.count(filter: $0.n > r.n) }) }),
      EnclosedRead("inner sql", Step.where { r in Step.where { #sql("\($0.n) > \(r.n)") }.exists() }),
      EnclosedRead("inner join", Step.where { r in Visit.join(Step.all) { $0.k.eq($1.id) && $1.n > r.n }.exists() }),
      EnclosedRead(
        "inner later join",
        Step.where { r in Visit.where { $0.k > r.n }.join(Step.all) { $0.rowID.eq($1.id) }.exists() }),
      EnclosedRead(
        "inner left join",
        Step.where { r in Visit.leftJoin(Step.all) { $0.rowID.eq($1.id) }.where { $1.n.is(r.n) }.exists() }),
      EnclosedRead("inner cross", Step.where { r in Visit.crossJoin(Step.all).where { o, x in o.k > r.n }.exists() }),
      EnclosedRead(
        "inner having filter",
        Step.where { r in r.n.eq(Step.where { $0.n.between(r.n, and: 3) }.select { $0.n.max() ?? 0 }) }),
    ]
  }

  /// Clauses of an outer query.
  static var outerClauses: [EnclosedRead] {
    [
      EnclosedRead("outer select", Step.select { r in Step.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer select 2", Step.select { r in (r.id, Step.where { $0.id > r.id + 1 }.count()) }),
      EnclosedRead("outer select more", Step.select { $0.id }.select { r in Step.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer order", Step.order { r in Step.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer order desc", Step.order { r in Step.where { $0.id > r.id + 1 }.count().desc() }),
      EnclosedRead("outer group", Step.group { r in Step.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer having", Step.group(by: \.id).having { r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("outer limit", Step.limit { r in Step.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead(
        "outer window",
        Step.all.window("w") { r in .order(by: Step.where { $0.id > r.id + 1 }.count()) }.select {
          $0.n.sum().over("w")
        }),
      EnclosedRead("outer map", Step.select(\.id).map { a in Step.where { $0.id > a + 1 }.count() }),
      EnclosedRead("outer map 2", Step.select { ($0.id, $0.n) }.map { a, b in Step.where { $0.id > a + 1 }.count() }),
      EnclosedRead("outer count", Step.count { r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("outer page", Step.page(after: nil, size: 3) { r in Step.where { $0.id > r.id + 1 }.count() }),
    ]
  }

  /// Joins around an inner query.
  static var outerJoins: [EnclosedRead] {
    [
      EnclosedRead("outer join on", Visit.join(Step.all) { o, r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("outer left join on", Step.leftJoin(Visit.all) { r, o in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "outer optional",
        Visit.leftJoin(Step.all) { $0.rowID.eq($1.id) }.where { o, r in Step.where { $0.id.is(r.id) }.exists() }),
      EnclosedRead(
        "outer optional map",
        Visit.leftJoin(Step.all) { $0.rowID.eq($1.id) }.select { o, r in
          r.map { x in Step.where { $0.id > x.id + 1 }.count() }
        }),
      EnclosedRead(
        "outer optional extension",
        Visit.leftJoin(Step.all) { $0.rowID.eq($1.id) }.where { o, r in Step.where { $0.id.is(r.doubled) }.exists() }),
    ]
  }

  /// Statements that change rows.
  static var writes: [EnclosedRead] {
    [
      EnclosedRead("update set", Step.update { u in u.n = Step.where { $0.id > u.id + 1 }.select { $0.n.max() ?? 0 } }),
      EnclosedRead("update set +=", Step.update { u in u.n += Step.where { $0.id > u.id + 1 }.count() }),
      EnclosedRead("update where", Step.where { r in Step.where { $0.id > r.id + 1 }.exists() }.update { $0.n = 1 }),
      EnclosedRead(
        "update later where", Step.update { $0.n = 1 }.where { r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "update from",
        Step.update(from: Visit.all) { u, o in
          u.n = Step.where { $0.id > u.id + 1 }.count()
        } where: { r, o in
          r.id.eq(o.rowID)
        }),
      EnclosedRead(
        "update from where",
        Step.update(from: Visit.all) { u, o in
          u.n = 1
        } where: { r, o in
          Step.where { $0.id > r.id + 1 }.exists()
        }),
      EnclosedRead("delete", Step.where { r in Step.where { $0.id > r.id + 1 }.exists() }.delete()),
      EnclosedRead("delete later where", Step.delete().where { r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("returning", Step.delete().returning { r in Step.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("returning 2", Step.delete().returning { r in (r.id, Step.where { $0.id > r.id + 1 }.count()) }),
      EnclosedRead(
        "upsert",
        Step.insert {
          Step(id: 1, n: 1, name: "", parent: nil)
        } onConflict: {
          $0.id
        } doUpdate: { u, _ in
          u.n = Step.where { $0.id > u.id + 1 }.count()
        }),
      EnclosedRead(
        "upsert where",
        Step.insert {
          Step(id: 1, n: 1, name: "", parent: nil)
        } onConflict: {
          $0.id
        } doUpdate: { u, _ in
          u.n = 1
        } where: { r, _ in
          Step.where { $0.id > r.id + 1 }.exists()
        }),
    ]
  }

  /// Queries that become a part of others.
  static var wholes: [EnclosedRead] {
    [
      EnclosedRead(
        "CTE body",
        Step.where { r in
          r.n.in(
            With {
              Step.where { $0.id > r.id + 1 }
            } query: {
              Visit.select(\.k)
            })
        }),
      EnclosedRead(
        "CTE query",
        With {
          Visit.where { $0.k > 1 }
        } query: {
          Step.where { r in Step.where { $0.id > r.id + 1 }.exists() }
        }),
      EnclosedRead(
        "join side", Visit.join(Step.where { r in Step.where { $0.id > r.id + 1 }.exists() }) { $0.rowID.eq($1.id) }),
      EnclosedRead(
        "compound member",
        Step.where { r in Step.where { $0.id > r.id + 1 }.exists() }.select(\.id).union(Visit.select(\.k))),
      EnclosedRead("not", Step.where { r in !Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("where or", Step.where(\.flag).or(Step.where { r in Step.where { $0.id > r.id + 1 }.exists() })),
      EnclosedRead("kept", Step.where { $0.n > 0 }.lonely),
      EnclosedRead("kept behind order", Step.order(by: \.n).lonely),
      EnclosedRead("kept itself", Step.lonely),
      EnclosedRead("if", Step.where { r in if true { Step.where { $0.id > r.id + 1 }.exists() } }),
      EnclosedRead("scope", Scoped.where { $0.id > 0 }),
      EnclosedRead("draft", Step.Draft.where { r in Step.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("group of columns", Place.where { r in Place.where { $0.id > r.spot.x + 1 }.exists() }),
      EnclosedRead("whole group", Place.where { r in Place.where { $0.spot.eq(r.spot) }.exists() }),
    ]
  }
}
