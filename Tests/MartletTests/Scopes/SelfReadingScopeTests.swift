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

/// Kept by a property that is read first, and not by a query: Swift makes its value while it is needed to make it.
@Table("pages") private struct FirstPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
}

extension FirstPage {
  static let all = unscoped.where { row in
    row.version.eq(FirstPage.select { $0.version.max() }) && row.id.in(FirstPage.order(by: \.id).select(\.id))
      && FirstPage.as(Copy.self).where { $0.id > 0 }.exists()
      && FirstPage.order(by: \.id).as(Copy.self).select(\.id).union(FirstPage.select(\.id)).exists()
  }
}

/// Each of two tables keeps a query that reads the other.
@Table("pages") private struct OnePage {
  let id: Int
  static let all: Where<OnePage> = unscoped.where { $0.id.in(OtherPage.select(\.id)) }
}

@Table("pages") private struct OtherPage {
  let id: Int
  static let all: Where<OtherPage> = unscoped.where { $0.id.in(OnePage.select(\.id)) }
}

/// The working form, in an extension.
@Table("pages") private struct NewestPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
}

extension NewestPage {
  static let all = unscoped.where { $0.version.eq(NewestPage.as(Copy.self).unscoped.select { $0.version.max() }) }
}

/// As it should be said.
@Table("pages") private struct LatestPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
  static let all = unscoped.where { $0.version.eq(Self.as(Copy.self).unscoped.select { $0.version.max() }) }
}

/// Waits for itself: a join needs the scope at once.
@Table("pages") private struct WaitingPage {
  enum Copy: AliasName {}
  let id: Int
  var version: Int
}

extension WaitingPage {
  static let all = unscoped.where { row in
    row.id.in(WaitingPage.join(WaitingPage.as(Copy.self).all) { $0.id.eq($1.id) }.select { page, _ in page.id })
  }
}

/// Waits for itself too: a count needs the scope at once.
@Table("countings") private struct CountingPage {
  let id: Int
}

extension CountingPage {
  static let all = unscoped.where { $0.id < CountingPage.count().limit(1) }
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

  @Test(arguments: DatabaseHome.allCases)
  func `a kept default scope that reads itself is refused also if it is the first to be read`(
    _ home: DatabaseHome
  ) throws {
    try home.open(Self.script).read { db in
      let newest = try NewestPage.all.order(by: \.id).select(\.id).fetchAll(db)
      #expect(newest == [2, 3])
      isRefused("pages") { _ = try FirstPage.all.fetchAll(db) }
      isRefused("pages") { _ = try FirstPage.select(\.id).fetchAll(db) }
      isRefused("pages") { _ = try OnePage.all.fetchAll(db) }
      isRefused("pages") { _ = try OtherPage.all.fetchAll(db) }
      let page = try FirstPage.unscoped.find(1).select(\.version).fetchAll(db)
      #expect(page == [1])
    }
  }

  @Test func `a kept default scope that waits for itself ends the program with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = WaitingPage.all
    }
    let words = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(words.contains("The default scope of 'pages' waits for itself"), "\(words)")
  }

  @Test func `a kept default scope with a count of its own table waits for itself, beside others that do not`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = LatestPage.count().sql
      _ = NewestPage.select(\.id).sql
      _ = CountingPage.all
    }
    let words = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(words.contains("The default scope of 'countings' waits for itself"), "\(words)")
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
