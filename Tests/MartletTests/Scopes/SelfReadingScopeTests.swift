/// Default scopes that read their own table by its default scope: refused, where the macro cannot see it, when a
/// statement is built. They would be read for ever.
import Foundation
import Martlet
import Testing

@Table("pages") private struct OldPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
}

extension OldPage {
  static var all: Where<OldPage> { unscoped.where { $0.version.eq(OldPage.select { $0.version.max() }) } }
}

@Table("pages") private struct CopiedPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
}

extension CopiedPage {
  static var all: Where<CopiedPage> {
    unscoped.where { $0.version.eq(CopiedPage.as(Copy.self).select { $0.version.max() }) }
  }
}

/// Each of two tables reads the other.
@Table("pages") private struct LeftPage {
  let id: Int
  static var all: Where<LeftPage> { unscoped.where { $0.id.in(RightPage.select(\.id)) } }
}

@Table("pages") private struct RightPage {
  let id: Int
  static var all: Where<RightPage> { unscoped.where { $0.id.in(LeftPage.select(\.id)) } }
}

/// Kept by a property, whose value Swift makes once.
@Table("pages") private struct KeptPage {
  let id: Int
  var version: Int
}

extension KeptPage {
  static let all = unscoped.where { $0.version.eq(KeptPage.select { $0.version.max() }) }
}

/// As it should be said.
@Table("pages") private struct LatestPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
  static let all = unscoped.where { $0.version.eq(Self.as(Copy.self).unscoped.select { $0.version.max() }) }
}

@Suite struct SelfReadingScopeTests {
  private static let script = """
    CREATE TABLE pages (id INTEGER PRIMARY KEY, version INTEGER NOT NULL);
    INSERT INTO pages VALUES (1, 1), (2, 2), (3, 2);
    """

  private func isRefused(
    _ table: String, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: QueryBindingFailure.self, sourceLocation: location) { try body() }
    let words = "The default scope of '\(table)' reads '\(table)' by its default scope"
    #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))", sourceLocation: location)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a default scope that reads itself is refused wherever it is used, and harms nobody`(
    _ home: DatabaseHome
  ) throws {
    try home.open(Self.script).write { db in
      for _ in 0..<3 {
        isRefused("pages") { _ = try OldPage.select(\.id).fetchAll(db) }
        isRefused("pages") { _ = try OldPage.all.fetchAll(db) }
        isRefused("pages") { _ = try OldPage.as(OldPage.Copy.self).select(\.id).fetchAll(db) }
        isRefused("pages") { _ = try OldPage.Draft.all.fetchAll(db) }
        isRefused("pages") { try OldPage.delete().execute(db) }
        isRefused("pages") { try OldPage.update { $0.version = 9 }.execute(db) }
        isRefused("pages") { _ = try LatestPage.where { $0.id.in(OldPage.select(\.id)) }.fetchAll(db) }
        isRefused("pages") { _ = try LatestPage.join(OldPage.all) { $0.id.eq($1.id) }.fetchAll(db) }
        isRefused("pages") { _ = try CopiedPage.select(\.id).fetchAll(db) }
        isRefused("pages") { _ = try LeftPage.all.fetchAll(db) }
        isRefused("pages") { _ = try RightPage.select(\.id).fetchAll(db) }
        isRefused("pages") { _ = try KeptPage.select(\.id).fetchAll(db) }
        let latest = try LatestPage.order(by: \.id).select(\.id).fetchAll(db)
        #expect(latest == [2, 3])
        let unscoped = try OldPage.unscoped.count().fetchOne(db)
        #expect(unscoped == 3)
      }
    }
  }

  @Test func `threads that read scopes at once do not take each other's for their own`() async {
    let refused = await withTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          var refused = 0
          for _ in 0..<500 {
            let sql = number % 2 == 0 ? LatestPage.order(by: \.id).sql : LatestPage.as(LatestPage.Copy.self).all.sql
            refused += sql.contains("max") ? 0 : 1
          }
          return refused
        }
      }
      return await group.reduce(0, +)
    }
    #expect(refused == 0)
  }
}
