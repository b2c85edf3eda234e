/// Enums as columns of which one is set.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct EnumSelectionTests {
  let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))

  @Test func `each case is a column or a group, all of which may be NULL`() {
    #expect(Forms.Attachment.TableColumns.allColumns.map(\.name) == ["id", "link", "note", "caption", "url"])
    #expect(
      Forms.Attachment.Kind.TableColumns.allColumns.map { "\($0.valueType)" } == [
        "Optional<URL>", "Optional<String>", "Optional<String>", "Optional<URL>",
      ])
  }

  @Test func `cases are asked for`() {
    #expect(
      Forms.Attachment.where { $0.kind.note.isNot(nil) }.select(\.id).sql == """
        SELECT "attachments"."id"
        FROM "attachments"
        WHERE (("attachments"."note") IS NOT (NULL))
        """)
    #expect(
      Forms.Attachment.where { $0.kind.image.isNot(nil) }.select(\.id).sql == """
        SELECT "attachments"."id"
        FROM "attachments"
        WHERE (("attachments"."caption", "attachments"."url") IS NOT (NULL, NULL))
        """)
    #expect(
      Forms.Attachment.where { $0.kind.is(\.note) || $0.kind.is(\.image) }.select(\.id).sql == """
        SELECT "attachments"."id"
        FROM "attachments"
        WHERE ((("attachments"."note") IS NOT (NULL)) OR \
        ((("attachments"."caption") IS NOT (NULL)) OR (("attachments"."url") IS NOT (NULL))))
        """)
    #expect(Forms.Attachment.where { $0.kind.image.caption.eq("x") }.select(\.id).parameters == [.text("x")])
  }

  @Test func `a value is inserted with NULL in the other cases`() {
    let insert = Forms.Attachment.insert { Forms.Attachment.Draft(kind: .note("Hello world!")) }
    #expect(
      insert.sql == """
        INSERT INTO "attachments"
        ("link", "note", "caption", "url")
        VALUES
        (?1, ?2, ?3, ?4)
        """)
    #expect(insert.parameters == [.null, .text("Hello world!"), .null, .null])
  }

  @Test func `a case that is set clears the others`() throws {
    let whole = Forms.Attachment.find(id).update { $0.kind = .link(URL(string: "https://example.com")!) }
    #expect(
      whole.sql == """
        UPDATE "attachments"
        SET "link" = ?1, "note" = ?2, "caption" = ?3, "url" = ?4
        WHERE (("attachments"."id") = (?5))
        """)
    #expect(whole.parameters.prefix(4) == [.text("https://example.com"), .null, .null, .null])
    let one = Forms.Attachment.find(id).update { $0.kind.note = #bind("x") }
    #expect(
      one.sql == """
        UPDATE "attachments"
        SET "note" = ?1, "link" = NULL, "caption" = NULL, "url" = NULL
        WHERE (("attachments"."id") = (?2))
        """)
    let nested = Forms.Attachment.find(id).update { $0.kind.image.caption = "x" }
    #expect(
      nested.sql == """
        UPDATE "attachments"
        SET "caption" = ?1, "link" = NULL, "note" = NULL
        WHERE (("attachments"."id") = (?2))
        """)
  }

  @Test func `a row is the case whose column is set`() throws {
    let url = try #require(URL(string: "https://example.com"))
    var batch = RowBatch(columnCount: 5)
    let key = Value.text(id.uuidString.lowercased())
    batch.append([key, .null, .text("Hello"), .null, .null])
    batch.append([key, .text(url.absoluteString), .null, .null, .null])
    batch.append([key, .null, .null, .text("A"), .text(url.absoluteString)])
    #expect(
      try Forms.Attachment.all.decode(batch) == [
        Forms.Attachment(id: id, kind: .note("Hello")), Forms.Attachment(id: id, kind: .link(url)),
        Forms.Attachment(id: id, kind: .image(Forms.Attachment.Image(caption: "A", url: url))),
      ])
    var empty = RowBatch(columnCount: 5)
    empty.append([key, .null, .null, .null, .null])
    #expect(throws: QueryDecodingError.self) { try Forms.Attachment.all.decode(empty) }
  }
}
