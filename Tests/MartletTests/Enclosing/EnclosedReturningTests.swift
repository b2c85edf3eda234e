/// Queries in RETURNING of a write: they read the row that was written, by whatever name the statement calls it.
import Martlet
import Testing

@Suite struct EnclosedReturningTests {
  @Test(arguments: DatabaseHome.allCases)
  func `a query in RETURNING reads the row of a write under another name`(_ home: DatabaseHome) throws {
    try home.open(EnclosingTables.script).write { db in
      let updated = Stage.as(Second.self).where { $0.id.eq(1) }.update { $0.n += 1 }
        .returning { stage in (stage.n, Visit.where { $0.rowID.eq(stage.id) }.count()) }
      same(try updated.fetchAll(db).map { [$0.0, $0.1] }, [[6, 2]])
      let deleted = Stage.as(Second.self).where { $0.id.eq(3) }.delete()
        .returning { stage in Visit.where { $0.rowID.eq(stage.id) }.select { $0.k.max() } }
      same(try deleted.fetchAll(db), [1])
      let others = Stage.as(Second.self).where { $0.id.eq(2) }.update { $0.n = 3 }
        .returning { stage in Visit.as(Other.self).where { $0.rowID < stage.n }.count() }
      same(try others.fetchAll(db), [2])
    }
  }

  private enum Other: AliasName {}

  @Test func `a query of the same table needs another name than the table's`() {
    let written = Stage.as(Second.self).update { $0.n = 3 }
    let hidden = written.returning { stage in Stage.where { $0.id > stage.id }.count() }
    #expect(hidden.serialized.failure?.description.contains("RETURNING knows the row only by") == true)
    let named = written.returning { stage in Stage.as(Other.self).where { $0.id > stage.id }.count() }
    #expect(named.serialized.failure == nil && named.sql.contains("(\"others\".\"id\") > (\"steps\".\"id\")"))
  }
}
