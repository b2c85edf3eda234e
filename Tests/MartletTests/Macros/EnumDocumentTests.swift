/// Enums as JSON documents: columns that hold `{"note":{"_0":"x"}}`, reached by case.
///
/// Always true: what a change leaves is a document that the enum's `Codable` conformance reads.
import Foundation
import Martlet
import MartletAST
import MartletTestSupport
import MartletValues
import Testing

@Suite struct EnumDocumentTests {
  @Table nonisolated enum Kind: Codable, Equatable, Sendable {
    case note(String)
    case link(url: URL)
    case image(Image)
    case maybe(Int?)
    case shape(Shape)
  }

  @Selection nonisolated struct Image: Codable, Equatable, Sendable {
    @Column("image_caption") var caption = ""
    var size: Size?
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
  }

  @Selection nonisolated struct Size: Codable, Equatable, Sendable {
    var width: Int
    var height: Int
  }

  @Selection nonisolated enum Shape: Codable, Equatable, Sendable {
    case circle(Double)
    case box(Size)
  }

  @Table nonisolated struct Attachment: Identifiable, Equatable, Sendable {
    let id: Int
    @Column(as: Kind.JSONRepresentation.self) var kind: Kind
    @Column(as: Kind?.JSONRepresentation.self) var other: Kind?
  }

  private let url = URL(string: "https://example.com")!  // because the test writes it

  private func database(_ home: DatabaseHome) throws -> any DatabaseWriter {
    let database = try home.empty()
    try database.write { db in
      try Attachment.createTable().execute(db)
      try Attachment.insert {
        Attachment(id: 1, kind: .note("hello"), other: .maybe(nil))
        Attachment(id: 2, kind: .link(url: url), other: nil)
        Attachment(id: 3, kind: .image(Image(caption: "c", size: Size(width: 4, height: 3), tags: ["a"])), other: nil)
        Attachment(id: 4, kind: .shape(.circle(2)), other: .note("x"))
      }
      .execute(db)
    }
    return database
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a document's case is extracted`(home: DatabaseHome) throws {
    try database(home).read { db in
      let all = Attachment.order(by: \.id)
      same(try all.select { $0.kind.jsonExtract(\.note) }.fetchAll(db), ["hello", nil, nil, nil])
      same(try all.select { $0.kind.jsonExtract(\.link) }.fetchAll(db), [nil, url, nil, nil])
      same(try all.select { $0.kind.jsonExtract(\.image.caption) }.fetchAll(db), [nil, nil, "c", nil])
      same(try all.select { $0.kind.jsonExtract(\.image.size.width) }.fetchAll(db), [nil, nil, 4, nil])
      same(try all.select { $0.kind.jsonExtract(\.image.tags) }.fetchAll(db), [nil, nil, ["a"], nil])
      same(try all.select { $0.kind.jsonExtract(\.shape.circle) }.fetchAll(db), [nil, nil, nil, 2])
      same(
        try all.select { $0.kind.jsonExtract(\.image.size) }.fetchAll(db), [nil, nil, Size(width: 4, height: 3), nil])
      same(try all.select { $0.kind.jsonExtract(\.image) }.fetchAll(db).compactMap { $0?.caption }, ["c"])
      same(try Attachment.where { $0.kind.jsonExtract(\.note).eq("hello") }.select(\.id).fetchAll(db), [1])
      same(try Attachment.where { $0.kind.jsonType(\.image).isNot(nil) }.select(\.id).fetchAll(db), [3])
      same(try all.select { $0.other.jsonExtract(\.note) }.fetchAll(db), [nil, nil, nil, "x"])
      same(try all.fetchAll(db).map(\.kind)[3], .shape(.circle(2)))
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a case that is set is the document's only one`(home: DatabaseHome) throws {
    try database(home).write { db in
      try Attachment.find(1).update { $0.kind = $0.kind.jsonSet(\.note, "changed") }.execute(db)
      try Attachment.find(2).update { $0.kind = $0.kind.jsonSet(\.note, "was a link") }.execute(db)
      try Attachment.find(3).update { $0.kind = $0.kind.jsonSet(\.image.caption, "new") }.execute(db)
      try Attachment.find(4).update { $0.kind = $0.kind.jsonSet(\.shape.box, Size(width: 1, height: 2)) }.execute(db)
      same(
        try Attachment.order(by: \.id).select(\.kind).fetchAll(db),
        [
          .note("changed"), .note("was a link"),
          .image(Image(caption: "new", size: Size(width: 4, height: 3), tags: ["a"])),
          .shape(.box(Size(width: 1, height: 2))),
        ])
      try Attachment.update { $0.kind[\.image.caption] = "set" }.execute(db)
      try Attachment.update { $0.kind = $0.kind.jsonAppend(\.image.tags, "b") }.execute(db)
      try Attachment.update { $0.kind = $0.kind.jsonReplace(\.note, "replaced").jsonInsert(\.link, url) }.execute(db)
      try Attachment.find(4).update { $0.kind = $0.kind.jsonSet(\.shape.circle, 5) }.execute(db)
      same(
        try Attachment.order(by: \.id).select(\.kind).fetchAll(db),
        [
          .note("replaced"), .note("replaced"),
          .image(Image(caption: "set", size: Size(width: 4, height: 3), tags: ["a", "b"])), .shape(.circle(5)),
        ])
      try Attachment.update { $0.kind[\.maybe] = 7 }.execute(db)
      same(try Attachment.find(db, key: 3).kind, .maybe(7))
    }
  }

  @Table nonisolated struct Binary: Identifiable {
    let id: Int
    @Column(as: Kind.JSONBRepresentation.self) var kind: Kind
  }

  @Test func `the binary twins are refused with the version that has them`() throws {
    let query = Binary.update { $0.kind = $0.kind.jsonbSet(\.note, "x") }
    #expect(
      query.description.contains(#"jsonb_set("binaries"."kind", '$', json_object('note', json_object('_0', 'x')))"#))
    let error = #expect(throws: RequestError.self) { try StatementRenderer().render(query.built.tree) }
    #expect(error?.message.contains("3.45") == true)
  }

  @Test(arguments: DatabaseHome.allCases)
  func `changes within a case are made together`(home: DatabaseHome) throws {
    func sql(_ count: Int) -> String {
      Attachment.update {
        for number in 0..<count { $0.kind[\.image.caption] = "\(number)" }
        for number in 0..<count { $0.kind[\.image.size.width] = number }
      }.description
    }
    let grown = (1...12).map { sql($0).utf8.count }
    for (smaller, larger) in zip(grown, grown.dropFirst()) { #expect(larger - smaller < 300) }
    try database(home).write { db in
      try Attachment.update {
        $0.kind[\.image.size] = Size(width: 1, height: 2)
        $0.kind[\.image.size.width] = 9
        $0.kind[\.image.tags] = ["x"]
        $0.kind = $0.kind.jsonAppend(\.image.tags, "y").jsonSet(\.image.tags[0], "z")
      }.execute(db)
      same(
        try Attachment.order(by: \.id).select(\.kind).fetchAll(db),
        [
          .note("hello"), .link(url: url),
          .image(Image(caption: "c", size: Size(width: 9, height: 2), tags: ["z", "y"])), .shape(.circle(2)),
        ])
    }
  }
}
