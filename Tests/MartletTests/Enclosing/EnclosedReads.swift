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
      EnclosedRead("exists", Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "prepared",
        Stage.where { r in
          let e = r.id + 1; Stage.where { $0.id > e }.exists()
        }),
      EnclosedRead("find", Stage.where { r in Stage.find(r.id + 1).exists() }),
      EnclosedRead("find optional", Stage.where { r in Stage.find(r.parent).exists() }),
      EnclosedRead("in", Stage.where { r in r.id.in(Stage.where { $0.n > r.n }.select(\.id)) }),
      EnclosedRead("value", Stage.where { r in r.n.eq(Stage.where { $0.n > r.n }.select { $0.n.min() ?? 0 }) }),
      EnclosedRead(
        "compound", Stage.where { r in r.n.in(Visit.select(\.k).union(Stage.where { $0.id > r.id }.select(\.n))) }),
      EnclosedRead("whole row", Stage.where { r in Stage.where { $0.eq(r) }.exists() }),
      EnclosedRead("rowid", Stage.where { r in Stage.where { $0.rowid > r.rowid + 1 }.exists() }),
      EnclosedRead("primary key", Stage.where { r in Stage.where { $0.primaryKey > r.primaryKey + 1 }.exists() }),
      EnclosedRead("extension", Stage.where { r in Stage.where { $0.id > r.doubled }.exists() }),
      EnclosedRead(
        "deep", Stage.where { r in Visit.where { o in Stage.where { $0.id > r.id + 1 }.exists() }.exists() }),
      EnclosedRead(
        "deep 3",
        Stage.where { r in
          Visit.where { o in Visit.as(Second.self).where { x in Stage.where { $0.id > r.id + 1 }.exists() }.exists() }
            .exists()
        }),
      EnclosedRead(
        "middle",
        Stage.where { r in Visit.where { o in Visit.where { $0.k > o.k + 1 && $0.k.eq(r.n) }.exists() }.exists() }),
      EnclosedRead(
        "same alias", Stage.as(Second.self).where { r in Stage.as(Second.self).where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("alias later", Stage.where { r in Stage.where { $0.id > r.id + 1 }.as(Second.self).exists() }),
      EnclosedRead("cast", Stage.where { r in Stage.where { $0.name.eq(r.n.cast(as: String.self)) }.exists() }),
      EnclosedRead("collate", Stage.where { r in Stage.where { $0.name.eq(r.name.collate(.nocase)) }.exists() }),
    ]
  }

  /// Clauses of an inner query.
  static var innerClauses: [EnclosedRead] {
    [
      EnclosedRead("inner select", Stage.where { r in r.n.eq(Stage.select { $0.n + r.n }) }),
      EnclosedRead("inner group", Stage.where { r in Stage.group { $0.n + r.n }.exists() }),
      EnclosedRead("inner having", Stage.where { r in Stage.group(by: \.n).having { $0.n.sum() > r.n }.exists() }),
      EnclosedRead("inner order", Stage.where { r in Stage.order { $0.n - r.n }.limit(1).exists() }),
      EnclosedRead("inner limit", Stage.where { r in Stage.limit { _ in r.n }.exists() }),
      EnclosedRead("inner offset", Stage.where { r in Stage.limit(1).offset { _ in r.n }.exists() }),
      EnclosedRead("inner window", Stage.where { r in Stage.all.window("w") { .order(by: $0.n + r.n) }.exists() }),
      EnclosedRead(
        "inner case", Stage.where { r in Stage.where { Case().when($0.n > r.n, then: true).else(false) }.exists() }),
      EnclosedRead("inner filter", Stage.where { r in r.n.eq(Stage.count { $0.n > r.n }) }),
      EnclosedRead(
        "inner aggregate filter", Stage.where { r in r.n.eq(Stage.select { $0.n.count(filter: $0.n > r.n) }) }),
      EnclosedRead("inner sql", Stage.where { r in Stage.where { #sql("\($0.n) > \(r.n)") }.exists() }),
      EnclosedRead("inner join", Stage.where { r in Visit.join(Stage.all) { $0.k.eq($1.id) && $1.n > r.n }.exists() }),
      EnclosedRead(
        "inner later join",
        Stage.where { r in Visit.where { $0.k > r.n }.join(Stage.all) { $0.rowID.eq($1.id) }.exists() }),
      EnclosedRead(
        "inner left join",
        Stage.where { r in Visit.leftJoin(Stage.all) { $0.rowID.eq($1.id) }.where { $1.n.is(r.n) }.exists() }),
      EnclosedRead("inner cross", Stage.where { r in Visit.crossJoin(Stage.all).where { o, x in o.k > r.n }.exists() }),
      EnclosedRead(
        "inner having filter",
        Stage.where { r in r.n.eq(Stage.where { $0.n.between(r.n, and: 3) }.select { $0.n.max() ?? 0 }) }),
    ]
  }

  /// Clauses of an outer query.
  static var outerClauses: [EnclosedRead] {
    [
      EnclosedRead("outer select", Stage.select { r in Stage.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer select 2", Stage.select { r in (r.id, Stage.where { $0.id > r.id + 1 }.count()) }),
      EnclosedRead(
        "outer select more", Stage.select { $0.id }.select { r in Stage.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer order", Stage.order { r in Stage.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer order desc", Stage.order { r in Stage.where { $0.id > r.id + 1 }.count().desc() }),
      EnclosedRead("outer group", Stage.group { r in Stage.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("outer having", Stage.group(by: \.id).having { r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("outer limit", Stage.limit { r in Stage.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead(
        "outer window",
        Stage.all.window("w") { r in .order(by: Stage.where { $0.id > r.id + 1 }.count()) }.select {
          $0.n.sum().over("w")
        }),
      EnclosedRead("outer map", Stage.select(\.id).map { a in Stage.where { $0.id > a + 1 }.count() }),
      EnclosedRead("outer map 2", Stage.select { ($0.id, $0.n) }.map { a, b in Stage.where { $0.id > a + 1 }.count() }),
      EnclosedRead("outer count", Stage.count { r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("outer page", Stage.page(after: nil, size: 3) { r in Stage.where { $0.id > r.id + 1 }.count() }),
    ]
  }

  /// Joins around an inner query.
  static var outerJoins: [EnclosedRead] {
    [
      EnclosedRead("outer join on", Visit.join(Stage.all) { o, r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "outer left join on", Stage.leftJoin(Visit.all) { r, o in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "outer optional",
        Visit.leftJoin(Stage.all) { $0.rowID.eq($1.id) }.where { o, r in Stage.where { $0.id.is(r.id) }.exists() }),
      EnclosedRead(
        "outer optional map",
        Visit.leftJoin(Stage.all) { $0.rowID.eq($1.id) }.select { o, r in
          r.map { x in Stage.where { $0.id > x.id + 1 }.count() }
        }),
      EnclosedRead(
        "outer optional extension",
        Visit.leftJoin(Stage.all) { $0.rowID.eq($1.id) }
          .where { o, r in Stage.where { $0.id.is(r.doubled) }.exists() }),
    ]
  }

  /// Statements that change rows.
  static var writes: [EnclosedRead] {
    [
      EnclosedRead(
        "update set", Stage.update { u in u.n = Stage.where { $0.id > u.id + 1 }.select { $0.n.max() ?? 0 } }),
      EnclosedRead("update set +=", Stage.update { u in u.n += Stage.where { $0.id > u.id + 1 }.count() }),
      EnclosedRead("update where", Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }.update { $0.n = 1 }),
      EnclosedRead(
        "update later where", Stage.update { $0.n = 1 }.where { r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead(
        "update from",
        Stage.update(from: Visit.all) { u, o in
          u.n = Stage.where { $0.id > u.id + 1 }.count()
        } where: { r, o in
          r.id.eq(o.rowID)
        }),
      EnclosedRead(
        "update from where",
        Stage.update(from: Visit.all) { u, o in
          u.n = 1
        } where: { r, o in
          Stage.where { $0.id > r.id + 1 }.exists()
        }),
      EnclosedRead("delete", Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }.delete()),
      EnclosedRead("delete later where", Stage.delete().where { r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("returning", Stage.delete().returning { r in Stage.where { $0.id > r.id + 1 }.count() }),
      EnclosedRead("returning 2", Stage.delete().returning { r in (r.id, Stage.where { $0.id > r.id + 1 }.count()) }),
      EnclosedRead(
        "upsert",
        Stage.insert {
          Stage(id: 1, n: 1, name: "", parent: nil)
        } onConflict: {
          $0.id
        } doUpdate: { u, _ in
          u.n = Stage.where { $0.id > u.id + 1 }.count()
        }),
      EnclosedRead(
        "upsert where",
        Stage.insert {
          Stage(id: 1, n: 1, name: "", parent: nil)
        } onConflict: {
          $0.id
        } doUpdate: { u, _ in
          u.n = 1
        } where: { r, _ in
          Stage.where { $0.id > r.id + 1 }.exists()
        }),
    ]
  }

  /// Queries that become a part of others.
  static var wholes: [EnclosedRead] {
    [
      EnclosedRead(
        "CTE body",
        Stage.where { r in
          r.n.in(
            With {
              Stage.where { $0.id > r.id + 1 }
            } query: {
              Visit.select(\.k)
            })
        }),
      EnclosedRead(
        "CTE query",
        With {
          Visit.where { $0.k > 1 }
        } query: {
          Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }
        }),
      EnclosedRead(
        "join side", Visit.join(Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }) { $0.rowID.eq($1.id) }),
      EnclosedRead(
        "compound member",
        Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }.select(\.id).union(Visit.select(\.k))),
      EnclosedRead("not", Stage.where { r in !Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("where or", Stage.where(\.flag).or(Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() })),
      EnclosedRead("kept", Stage.where { $0.n > 0 }.lonely),
      EnclosedRead("kept behind order", Stage.order(by: \.n).lonely),
      EnclosedRead("kept itself", Stage.lonely),
      EnclosedRead("if", Stage.where { r in if true { Stage.where { $0.id > r.id + 1 }.exists() } }),
      EnclosedRead("scope", Scoped.where { $0.id > 0 }),
      EnclosedRead("draft", Stage.Draft.where { r in Stage.where { $0.id > r.id + 1 }.exists() }),
      EnclosedRead("group of columns", Place.where { r in Place.where { $0.id > r.spot.x + 1 }.exists() }),
      EnclosedRead("whole group", Place.where { r in Place.where { $0.spot.eq(r.spot) }.exists() }),
    ]
  }
}
