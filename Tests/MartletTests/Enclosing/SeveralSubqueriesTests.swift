/// Queries beside or within others that read the same outer row: each is looked at by itself.
import Martlet
import Testing

@Suite struct SeveralSubqueriesTests {
  /// Each reads a row of `steps` from a query of `steps` that has no other name, behind a query that may read it.
  private static let mistaken: [(String, any Statement & Sendable)] = [
    (
      "beside a query of another table",
      Stage.where { o in Visit.where { $0.rowID.eq(o.id) }.exists() && !Stage.where { $0.parent.eq(o.id) }.exists() }
    ),
    (
      "before a query of another table",
      Stage.where { o in !Stage.where { $0.parent.eq(o.id) }.exists() && Visit.where { $0.rowID.eq(o.id) }.exists() }
    ),
    (
      "within a query that reads it too",
      Stage.where { o in
        Visit.where { v in v.rowID.eq(o.id) && Stage.where { $0.parent.eq(o.id) && $0.n > v.k }.exists() }.exists()
      }
    ),
    (
      "in a query that is deleted from",
      Stage.delete().where { o in
        Visit.where { $0.rowID.eq(o.id) }.exists() && Stage.where { $0.parent.eq(o.id) }.exists()
      }
    ),
    (
      "in a query that is updated",
      Stage.where { o in Visit.where { $0.rowID.eq(o.id) }.exists() && Stage.where { $0.parent.eq(o.id) }.exists() }
        .update { $0.n = 1 }
    ),
    (
      "in the second of two that are one",
      Stage.where { o in
        o.id.in(
          Visit.where { $0.rowID.eq(o.id) }.select(\.k).union(Stage.where { $0.parent.eq(o.id) }.select(\.id)))
      }
    ),
    (
      "among columns",
      Stage.select { o in
        (Visit.where { $0.rowID.eq(o.id) }.count(), Stage.where { $0.parent.eq(o.id) }.count())
      }.where { o in Visit.where { $0.rowID.eq(o.id) }.exists() && Stage.where { $0.n > o.n }.exists() }
    ),
  ]

  @Test func `a query that reads the outer row is refused behind others that may`() {
    for (name, statement) in Self.mistaken {
      let reason = statement.serialized.failure?.description ?? ""
      #expect(reason.contains("within another one of it reads the row of the outer one"), "\(name): \(statement)")
    }
  }

  @Test func `queries of other tables beside each other, and of one table, are not`() throws {
    let right: [any Statement<Int>] = [
      Stage.where { o in
        Visit.where { $0.rowID.eq(o.id) }.exists() && Visit.where { $0.k.eq(o.id) }.exists()
      }.select(\.id),
      Stage.where { o in
        Stage.as(Second.self).where { $0.parent.eq(o.id) }.exists() && Visit.where { $0.rowID.eq(o.id) }.exists()
      }.select(\.id),
      Stage.where { o in
        Visit.where { v in v.rowID.eq(o.id) && Stage.where { $0.parent.eq(v.k) }.exists() }.exists()
      }.select(\.id),
    ]
    for statement in right { #expect(statement.serialized.failure == nil, "\(statement)") }
  }

  @Test func `the condition of a join with pairs is looked at`() {
    let pairs = Visit.join(Spotted.all) { $0.id.eq($1.id) }
    let wrong: [any Statement] = [
      Stage.joinPairs(pairs) { s, v, _ in s.id.eq(v.rowID) && Stage.where { $0.parent.eq(s.id) }.exists() },
      Stage.leftJoinPairs(pairs) { s, v, _ in s.id.eq(v.rowID) && Stage.where { $0.parent.eq(s.id) }.exists() },
      Stage.rightJoinPairs(pairs) { s, v, _ in s.id.eq(v.rowID) && Visit.where { $0.k.eq(v.rowID) }.exists() },
      Stage.fullJoinPairs(pairs) { s, _, p in s.id.eq(p.id) && Spotted.where { $0.n > p.n }.exists() },
    ]
    for statement in wrong {
      let reason = statement.serialized.failure?.description ?? ""
      #expect(reason.contains("within another one of it reads the row of the outer one"), "\(statement)")
    }
    #expect(Stage.joinPairs(pairs) { s, v, _ in s.id.eq(v.rowID) }.serialized.failure == nil)
  }

  @Table("spotted") struct Spotted: Identifiable {
    let id: Int
    var n: Int
  }
}
