/// Whole rows as JSON, and back through their types' `Codable` conformances: renamed columns, groups, optional groups,
/// enums, and values that JSON writes in another way than SQLite.
///
/// Always true: what comes back equals the row.
import Foundation
import Martlet
import Testing

@Suite struct RowDocumentTests {
  @Table nonisolated struct Article: Identifiable, Codable, Equatable, Sendable {
    let id: UUID
    @Column("article_title") var title = ""
    @Column("is_open") var isOpen = false
    var price: Decimal?
    var homepage: URL?
    @Column(as: UUID.BytesRepresentation.self) var token: UUID
    @Column(as: UUID?.BytesRepresentation.self) var parent: UUID?
    @Column(as: Date.UnixTimeRepresentation.self) var at: Date
    @Column(as: Decimal.TextRepresentation.self) var exact: Decimal
    @Column("tag_words", as: [String].JSONRepresentation.self) var tags: [String] = []
    var timestamps: Timestamps
    var archived: Archive?
    var kind: Kind
    var extra: Kind2?

    enum CodingKeys: String, CodingKey {
      case id, title, isOpen = "open", price, homepage, token, parent, at, exact, tags, timestamps, archived
      case kind = "sort", extra
    }
  }

  @Selection nonisolated struct Timestamps: Codable, Equatable, Sendable {
    @Column("created_at") var createdAt: Date
    var updatedAt: Date?
    var zone: Zone
  }

  @Selection nonisolated struct Zone: Codable, Equatable, Sendable {
    @Column("zone_name") var name = "UTC"
    var offset = 0
  }

  @Selection nonisolated struct Archive: Codable, Equatable, Sendable {
    @Column("archived_at", as: Date.UnixTimeRepresentation.self) var at: Date
    var by: String?
  }

  @Selection nonisolated enum Kind: Codable, Equatable, Sendable {
    case note(String)
    case link(to: URL)
    @Column("flag") case isFlagged(Bool?)
    case image(Image)
  }

  @Selection nonisolated enum Kind2: Codable, Equatable, Sendable {
    case first(Int)
    @Column("second_value") case second(value: Int)
    case third(Zone2)

    enum CodingKeys: String, CodingKey {
      case first = "1st", second, third
    }
    enum FirstCodingKeys: String, CodingKey {
      case _0 = "number"
    }
  }

  @Selection nonisolated struct Image: Codable, Equatable, Sendable {
    var caption = ""
    @Column("image_url") var url: URL
  }

  @Selection nonisolated struct Zone2: Codable, Equatable, Sendable {
    var west: Double
    var east: Double
  }

  @Table nonisolated struct Reader: Identifiable, Codable, Equatable {
    @Column("reader_id") let id: Int
    var article: Article.ID?
  }

  @Selection nonisolated struct Reading: Codable, Equatable {
    var reader: Reader
    var article: Article?
  }

  @Table nonisolated struct Keyless: Codable, Equatable {
    var article: UUID
    @Column("remark_text") var remark: String?
  }

  private func url(_ text: String) -> URL { URL(string: text)! }  // because the tests write it

  private var articles: [Article] {
    let zone = Zone(name: "CET", offset: 60)
    return [
      Article(
        id: UUID(0xAB), title: "One", isOpen: true, price: 2.5, homepage: url("https://example.com/a?b=c"),
        token: UUID(0xFEDC), parent: UUID(1), at: Date(3), exact: Decimal(string: "1.10000000000000000001")!,
        tags: ["a", "b"], timestamps: Timestamps(createdAt: Date(1), updatedAt: Date(2), zone: zone),
        archived: Archive(at: Date(9), by: nil), kind: .note("hello"), extra: .first(1)),
      Article(
        id: UUID(0xAC), token: UUID(2), at: Date(4), exact: 0, timestamps: Timestamps(createdAt: Date(1), zone: zone),
        kind: .link(to: url("https://example.com")), extra: .second(value: 2)),
      Article(
        id: UUID(0xAD), token: UUID(3), at: Date(4), exact: -7, timestamps: Timestamps(createdAt: Date(1), zone: zone),
        kind: .image(Image(caption: "c", url: url("x:y"))), extra: .third(Zone2(west: -1, east: 2.5))),
      Article(
        id: UUID(0xAE), token: UUID(3), at: Date(4), exact: -7, timestamps: Timestamps(createdAt: Date(1), zone: zone),
        kind: .isFlagged(true)),
      Article(
        id: UUID(0xAF), token: UUID(3), at: Date(4), exact: -7, timestamps: Timestamps(createdAt: Date(1), zone: zone),
        kind: .isFlagged(nil)),
    ]
  }

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Article.createTable().execute(db)
      try Reader.createTable().execute(db)
      try Keyless.createTable().execute(db)
      try Article.insert { articles }.execute(db)
      try Reader.insert {
        Reader(id: 1, article: articles[0].id)
        Reader(id: 2, article: nil)
        Reader(id: 3, article: articles[2].id)
      }
      .execute(db)
      try Keyless.insert { Keyless(article: articles[0].id, remark: "r") }.execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row comes back from its JSON as it is`(home: DatabaseHome) throws {
    try database(home).read { db in
      same(try Article.order(by: \.id).fetchAll(db), articles)
      same(try Article.order(by: \.id).select { $0.jsonObject() }.fetchAll(db), articles)
      same(try Article.select { $0.jsonGroupArray() }.fetchOne(db)?.count, articles.count)
      same(try Article.select { $0.jsonGroupArray(filter: $0.isOpen) }.fetchOne(db), [articles[0]])
      same(try Article.select { $0.id.jsonGroupArray() }.fetchOne(db).map(Set.init), Set(articles.map(\.id)))
      same(try Article.select { $0.token.jsonGroupArray() }.fetchOne(db)?.first, articles[0].token)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `the names are those of the properties, or of the coding keys`(home: DatabaseHome) throws {
    try database(home).read { db in
      let text = try Article.find(articles[1].id).select { SQLQueryExpression<String>($0.jsonObject().queryFragment) }
        .fetchOne(db)
      same(
        text,
        #"{"id":"00000000-0000-0000-0000-0000000000ac","title":"","open":false,"price":null,"homepage":null,"#
          + #""token":"00000000-0000-0000-0000-000000000002","parent":null,"at":"2026-01-01 00:00:04.000","exact":0,"#
          + #""tags":[],"timestamps":{"createdAt":"2026-01-01 00:00:01.000","updatedAt":null,"#
          + #""zone":{"name":"CET","offset":60}},"archived":null,"#
          + #""sort":{"link":{"to":"https://example.com"}},"extra":{"second":{"value":2}}}"#)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `rows of joins and of aliases are JSON too`(home: DatabaseHome) throws {
    try database(home).read { db in
      let joined = Reader.leftJoin(Article.all) { $0.article.eq($1.id) }.order { reader, _ in reader.id }
      same(try joined.select { $1.jsonObject() }.fetchAll(db), [articles[0], nil, articles[2]])
      let grouped = Reader.group(by: \.id).leftJoin(Article.all) { $0.article.eq($1.id) }.order { reader, _ in reader.id
      }
      same(try grouped.select { $1.jsonGroupArray() }.fetchAll(db), [[articles[0]], [], [articles[2]]])
      enum Other: AliasName {}
      let aliased = Reader.leftJoin(Article.as(Other.self).all) { $0.article.eq($1.id) }.order { reader, _ in reader.id
      }
      same(try aliased.select { $1.jsonObject() }.fetchAll(db), [articles[0], nil, articles[2]])
      same(try Article.as(Other.self).all.order(by: \.id).select { $0.jsonObject() }.fetchAll(db), articles)
      let keyless = Reader.leftJoin(Keyless.all) { $0.article.eq($1.article) }.order { reader, _ in reader.id }
      same(
        try keyless.select { $1.jsonObject() }.fetchAll(db),
        [Keyless(article: articles[0].id, remark: "r"), nil, nil])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a common table's rows hold rows, of which one may be missing`(home: DatabaseHome) throws {
    try database(home).read { db in
      let readings = With {
        Reader.where { $0.id < 3 }.leftJoin(Article.all) { $0.article.eq($1.id) }
          .select { Reading.Columns(reader: $0, article: $1) }
      } query: {
        Reading.order(by: \.reader.id).select { $0.jsonObject() }
      }
      same(
        try readings.fetchAll(db),
        [
          Reading(reader: Reader(id: 1, article: articles[0].id), article: articles[0]),
          Reading(reader: Reader(id: 2, article: nil), article: nil),
        ])
    }
  }

  @Table nonisolated struct Blob: Codable, Equatable {
    var name: String
    var bytes: Data
  }

  @Test func `what JSON cannot hold is said before anything is sent`() throws {
    try DatabaseQueue().write { db in
      try Blob.createTable().execute(db)
      let error = #expect(throws: QueryBindingFailure.self) { try Blob.select { $0.jsonObject() }.fetchAll(db) }
      #expect(error?.description.contains("The column bytes cannot be part of its row's JSON") == true)
    }
  }
}

@Suite struct DocumentIdentifierTests {
  @Table nonisolated struct Owner: Identifiable, Equatable {
    let id: UUID
    var name = ""
  }

  @Selection nonisolated struct Manifest: Codable, Equatable, Sendable {
    var ownerID: UUID
    var lastID: UUID?
    @Column(as: [UUID].JSONRepresentation.self) var all: [UUID]
    var at: Date
    var link: URL
    @Column(as: [UUID: Decimal].JSONRepresentation.self) var shares: [UUID: Decimal]
    @Column(as: [String: [Data]].JSONRepresentation.self) var bytes: [String: [Data]]
  }

  @Table nonisolated struct Parcel: Identifiable, Equatable {
    let id: Int
    @Column(as: Manifest.JSONRepresentation.self) var manifest: Manifest
  }

  @Test(arguments: DatabaseHome.allCases)
  func `identifiers in documents equal those of columns`(home: DatabaseHome) throws {
    let owners = [Owner(id: UUID(0xABC), name: "a"), Owner(id: UUID(0xDEF), name: "b")]
    let manifest = Manifest(
      ownerID: owners[0].id, lastID: owners[1].id, all: owners.map(\.id), at: Date(3),
      link: URL(string: "https://example.com/a")!,  // because it is a constant
      shares: [owners[0].id: 1.25], bytes: ["x": [Data([1, 2, 3])]])
    try home.empty().write { db in
      try Owner.createTable().execute(db)
      try Parcel.createTable().execute(db)
      try Owner.insert { owners }.execute(db)
      try Parcel.insert { Parcel(id: 1, manifest: manifest) }.execute(db)
      same(try Parcel.all.fetchAll(db), [Parcel(id: 1, manifest: manifest)])
      let owner = Parcel.join(Owner.all) { $0.manifest.jsonExtract(\.ownerID).eq($1.id) }.select { $1.name }
      same(try owner.fetchAll(db), ["a"])
      same(try Parcel.where { $0.manifest.jsonExtract(\.lastID).eq(owners[1].id) }.fetchCount(db), 1)
      try Parcel.update { $0.manifest = $0.manifest.jsonSet(\.ownerID, owners[1].id) }.execute(db)
      same(try owner.fetchAll(db), ["b"])
      let listed = Owner.where { owner in
        Parcel.where { $0.manifest.jsonEach(\.all).where { $0.value.eq(owner.id) }.exists() }.exists()
      }
      same(try listed.fetchCount(db), 2)
    }
  }
}
