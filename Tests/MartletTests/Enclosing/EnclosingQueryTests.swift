/// Queries within others of the same table: those that mean the outer row without a name for it are refused, and all
/// others return the rows of the SQL that a person would write.
import Martlet
import Testing

@Suite struct EnclosingQueryTests {
  /// A query that is right, and its SQL by hand.
  struct Meant: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var query: any Statement<Int> & Sendable
    var sql: String

    init(_ description: String, _ query: some Statement<Int> & Sendable, _ sql: String) {
      testDescription = description
      self.query = query
      self.sql = sql
    }
  }

  @Test func `a query that reads the outer row of its table is refused, wherever it stands`() {
    let reads = EnclosedReads.all
    #expect(reads.count > 60)
    for read in reads {
      let reason = read.statement.serialized.failure?.description ?? ""
      #expect(reason.contains("within another one of it reads the row of the outer one"), "\(read): \(read.statement)")
      #expect(reason.contains("with as(Other.self)"), "\(read): \(reason)")
    }
  }

  @Test func `the sentence names the table, and nothing is sent`() throws {
    let database = try DatabaseHome.embedded.open(EnclosingTables.script)
    let wrong = Stage.where { r in Stage.where { $0.id > r.id + 1 }.exists() }
    let error = #expect(throws: (any Error).self) { try database.read { try wrong.fetchAll($0) } }
    #expect("\(error.map { "\($0)" } ?? "")".contains("A query of steps within another one of it"))
  }

  @Test(arguments: named + correlated + outside)
  func `a query that means what it says returns the rows of SQL by hand`(_ meant: Meant) throws {
    func rows(_ query: some Statement<Int>, _ db: Database) throws -> [Int] { try query.fetchAll(db).sorted() }
    try DatabaseHome.embedded.open(EnclosingTables.script).read { db in
      #expect(meant.query.serialized.failure == nil)
      let expected = try SQLQueryExpression<Int>(QueryFragment(meant.sql)).fetchAll(db)
      #expect(!expected.isEmpty, "the SQL by hand tells nothing")
      #expect(try rows(meant.query, db) == expected.sorted(), "\(meant.query)")
    }
  }

  static let named: [Meant] = [
    Meant(
      "the inner one has a name",
      Stage.where { r in Stage.as(Second.self).where { $0.id > r.id + 1 }.exists() }.select(\.id),
      "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM steps t WHERE t.id > s.id + 1)"),
    Meant(
      "the outer one has a name",
      Stage.as(Second.self).where { r in Stage.where { $0.n > r.n + 4 }.exists() }.select(\.id),
      "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM steps t WHERE t.n > s.n + 4)"),
    Meant(
      "a value of the row with a name",
      Stage.select { r in Stage.as(Second.self).where { $0.parent.is(r.id) }.count() },
      "SELECT (SELECT count(*) FROM steps t WHERE t.parent IS s.id) FROM steps s"),
    Meant(
      "three deep",
      Visit.where { v in
        Stage.where { r in Visit.as(Second.self).where { $0.k > v.k && $0.rowID.eq(r.id) }.exists() }.exists()
      }.select(\.id),
      """
      SELECT id FROM visits v
      WHERE EXISTS (SELECT 1 FROM steps s WHERE EXISTS (SELECT 1 FROM visits w WHERE w.k > v.k AND w.rowID = s.id))
      """),
  ]

  static let correlated: [Meant] = [
    Meant(
      "another table", Stage.where { r in Visit.where { $0.rowID.eq(r.id) && $0.k > r.n - 2 }.exists() }.select(\.id),
      "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM visits v WHERE v.rowID = s.id AND v.k > s.n - 2)"),
    Meant(
      "the outer row outside of the inner query",
      Stage.where { r in Stage.where { $0.n > 6 }.exists() && r.n > 1 }.select(\.id),
      "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM steps t WHERE t.n > 6) AND s.n > 1"),
    Meant(
      "the outer row before the list", Stage.where { r in r.id.in(Stage.where { $0.n > 3 }.select(\.id)) }.select(\.id),
      "SELECT id FROM steps WHERE id IN (SELECT id FROM steps WHERE n > 3)"),
    Meant(
      "beside a query of all rows", Stage.select { r in r.n + Stage.select { $0.n.max() ?? 0 } },
      "SELECT n + (SELECT max(n) FROM steps) FROM steps"),
    Meant(
      "the inner query's own columns under another query",
      Stage.where { r in
        Visit.where { v in v.rowID.eq(r.id) && Stage.where { $0.id.eq(v.k) }.exists() }.exists()
      }.select(\.id),
      """
      SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM visits v WHERE v.rowID = s.id
        AND EXISTS (SELECT 1 FROM steps t WHERE t.id = v.k))
      """),
  ]

  static let outside: [Meant] = {
    let query = Stage.where { $0.id > 1 && $0.n < 2 }
    let condition: @Sendable (Stage.TableColumns) -> SQLQueryExpression<Bool> = { $0.n > 1 }
    let columns = Stage.columns
    let exists = query.exists()
    let all = "SELECT id FROM steps WHERE EXISTS (SELECT 1 FROM steps WHERE id > 1 AND n < 2)"
    return [
      Meant("a query from outside", Stage.where { _ in query.exists() }.select(\.id), all),
      Meant("an expression from outside", Stage.where { _ in exists }.select(\.id), all),
      Meant(
        "a query from outside with a condition more",
        Stage.where { r in query.where { $0.n > 0 }.exists() && r.n > 1 }.select(\.id),
        "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM steps WHERE id > 1 AND n < 2 AND n > 0) AND s.n > 1"),
      Meant(
        "a closure that is called for both",
        Stage.where { r in condition(r) && Stage.where { condition($0) }.exists() }.select(\.id),
        "SELECT id FROM steps s WHERE s.n > 1 AND EXISTS (SELECT 1 FROM steps WHERE n > 1)"),
      Meant(
        "columns that no closure was handed",
        Stage.where { r in Stage.where { $0.id > columns.n + 1 }.exists() && r.n > 1 }.select(\.id),
        "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM steps t WHERE t.id > t.n + 1) AND s.n > 1"),
      Meant(
        "a query that the table keeps", Stage.where { r in Stage.flagged.exists() && r.n > 1 }.select(\.id),
        "SELECT id FROM steps s WHERE EXISTS (SELECT 1 FROM steps WHERE flag) AND s.n > 1"),
    ]
  }()

  @Test func `queries that are built on many threads do not know each other's closures`() async {
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { number in
            let kept = Stage.where { $0.n > number }
            let right = Stage.where { r in kept.exists() && r.id > number }.serialized.failure == nil
            let wrong = Stage.where { r in Stage.where { $0.id > r.id + number }.exists() }.serialized.failure != nil
            return right && wrong
          }
        }
      }
      for await isSo in group { #expect(isSo) }
    }
  }
}
