/// Tables in unusual forms hold rows, and have the columns that their text says.
///
/// Always true: a row that was written is read as it was, embedded and over a server.
import Foundation
import Martlet
import MartletAST
import Testing

@Suite struct UnusualFormsTests {
  /// Makes the table, writes the rows and reads them.
  private func keeps<Row: PrimaryKeyedTable & Equatable>(
    _ rows: Row..., at home: DatabaseHome, sourceLocation: SourceLocation = #_sourceLocation
  ) throws where Row.QueryOutput == Row {
    try home.empty().write { db in
      try Row.createTable().execute(db)
      try Row.insert { rows }.execute(db)
      same(try Row.all.fetchAll(db), rows, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `tables stand in actors, classes, extensions and generic types`(home: DatabaseHome) throws {
    try keeps(Keeper.InActor(id: 1, title: "a"), at: home)
    try keeps(Model.OffMain(id: 1, title: "a"), at: home)
    try keeps(Model.InExtension(id: 1, shade: .dark), Model.InExtension(id: 2), at: home)
    try keeps([Int].InArray(id: 1, title: "a"), at: home)
    try keeps(Holder<Int>.InGeneric(id: 1), at: home)
    same([Keeper.InActor.tableName, Holder<Int>.InGeneric.tableName], ["inActors", "inGenerics"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a column called like a method is read by its key path where the method hides it`(home: DatabaseHome) throws {
    try home.empty().write { db in
      try Word.createTable().execute(db)
      for count in [1, 2] {
        try Word.insert {
          Word(id: 1, count: count)
        } onConflict: {
          $0.id
        } doUpdate: { row, excluded in
          row.count += excluded[dynamicMember: \.count]
        }
        .execute(db)
      }
      same(try Word.where { $0.count > 1 }.select { ($0.count, $0.id.count()) }.fetchAll(db), [(3, 1)])
    }
  }

  @MainActor @Test(arguments: DatabaseHome.allCases)
  func `tables of the main actor are its own`(home: DatabaseHome) throws {
    try keeps(Model.OnMain(id: 1, title: "a"), at: home)
    try keeps(Isolated(id: 1, title: "a"), at: home)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `tables are generic`(home: DatabaseHome) throws {
    try keeps(Several<String, Double>(id: "k", other: 1.5), at: home)
    same(Several<String, Double>.TableColumns.allColumns.map(\.name), ["id", "other", "count"])
    same(Variadic<Int, String>.select(\.title).sql.contains(#""variadics"."title""#), true)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `who may see a table or a column changes nothing about it`(home: DatabaseHome) throws {
    try keeps(Published(id: 1, title: "a", setInModule: 7), at: home)
    try keeps(Packaged(id: 1, title: "a"), at: home)
    same(
      Published.TableColumns.allColumns.map(\.name),
      ["id", "title", "inner", "shared", "setHere", "setInModule"])
    same(Published.Draft(title: "b").shared, 2)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `names are keywords, of any script, or what the expansion calls its own`(home: DatabaseHome) throws {
    try keeps(Keywords(id: 1, default: "x", class: "c", in: 3, where: 4, Type: 5), at: home)
    same(Keywords.where { $0.default.eq("d") && $0.class.is(nil) && $0.where > 1 }.parameters.first, .text("d"))
    try keeps(Größe(id: 1, straße: "Weg", 名前: "x"), at: home)
    same(Größe.tableName, "größes")
    try keeps(Names(id: 1, columns: 2, fragments: 3, name: "z", schemaName: "s"), at: home)
    same(Names.where { $0.rowid.eq(11) && $0.count > 0 }.select(\.tableName).parameters, [.integer(11), .integer(0)])
    let columns = Names.Columns(id: Names.columns.id, fragments: Names.columns.width)
    same(columns.columnFragments.count, Names.columnWidth)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `optionals have four spellings`(home: DatabaseHome) throws {
    let all = Sugar(id: 1, a: 1, b: "b", c: [1, 2], d: [3], e: Date(5), f: 6, g: 7, h: 8, i: "i")
    let none = Sugar(id: 2, a: nil, b: nil, c: [], d: nil, e: nil, f: 0, g: nil, h: nil, i: nil)
    try keeps(all, none, at: home)
    same(
      Sugar.TableColumns.allColumns.filter { !$0.isOptional }.map(\.name), ["id", "c", "f"])
    same(Sugar.Draft(c: [], f: 1).i, "forced")
  }

  @Test(arguments: DatabaseHome.allCases)
  func `what is stored is a column, what is computed, lazy or static is none`(home: DatabaseHome) throws {
    try keeps(Furnished(id: 1, a: 2, b: 3, d: 4), at: home)
    same(
      Furnished.TableColumns.allColumns.map(\.name), ["id", "a", "b", "c", "d", "e", "watched", "other"])
    same(Furnished.tableName, "furniture")
    same(Furnished.Draft(a: 1, b: 2, d: 3).other, 3)
    try keeps(Wrapped(id: 1, high: 20), at: home)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the clauses of a condition that hold are part of the table`(home: DatabaseHome) throws {
    try keeps(Conditional(id: 1, here: 5, new: 6), at: home)
    same(Conditional.TableColumns.allColumns.map(\.name), ["id", "here", "new"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `properties begin with whatever Swift computes`(home: DatabaseHome) throws {
    try keeps(Computed(id: UUID(1)), at: home)
    let draft = Computed.Draft()
    same(draft.text, "two\nlines")
    same(draft.limit, 10)
    same(draft.made, "made")
    same(draft.level, .high)
    same(draft.at, .distantPast)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a table has initializers, aliases and conformances of its own`(home: DatabaseHome) throws {
    try keeps(OwnInitializers(title: "a"), at: home)
    try keeps(Aliased(id: 1, parent: nil, next: 3, key: 4), at: home)
    same(Aliased(id: 1, key: 1) < Aliased(id: 2, key: 1), true)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `documents are arrays, dictionaries, sets and types of the table`(home: DatabaseHome) throws {
    try keeps(
      Documents(
        id: 1, words: ["a"], numbers: ["x": [1, 2]], set: [7], maybe: ["m"], inners: [.init(x: 1)],
        inner: .init(x: 3), at: Date(4)),
      Documents(id: 2), at: home)
    same(Documents.TableColumns.allColumns.filter(\.isOptional).map(\.name), ["maybe", "inners", "at"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `names are no words`(home: DatabaseHome) throws {
    try keeps(
      `Spaced Row`(id: 1, `2`: 3, `second-word`: 4, kind: .`as text`("t")),
      `Spaced Row`(id: 2, `first word`: "b", `second-word`: 5, kind: .`as number`(6)), at: home)
    same(
      `Spaced Row`.TableColumns.allColumns.map(\.name), ["id", "first word", "2", "c d", "as text", "as number"])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `cases have any name and label`(home: DatabaseHome) throws {
    try keeps(
      Chosen(id: 1, cases: .decoder(1)), Chosen(id: 2, cases: .value("v")), Chosen(id: 3, cases: .default(0.5)),
      Chosen(id: 4, cases: .fragments(count: 2)), Chosen(id: 5, cases: .value0(3)), Chosen(id: 6, cases: .value(nil)),
      at: home)
    same(Chosen.where { $0.cases.is(\.default) }.sql.contains(#"("chosens"."default") IS NOT (NULL)"#), true)
  }
}
