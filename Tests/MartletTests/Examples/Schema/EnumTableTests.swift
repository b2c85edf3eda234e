/// 002 "Single-Table Inheritance with Enums": a table whose rows are one of several cases.
///
/// Always true: the columns of the cases that a row does not have are NULL.
import Foundation
import Martlet
import Testing

enum Plain {
  @Table
  nonisolated struct Attachment: Identifiable, Hashable {
    let id: UUID
    let kind: Kind

    @CasePathable @Selection
    enum Kind: Hashable {
      case link(URL)
      case note(String)
      case image(URL)
    }
  }
}

enum Rich {
  @Table
  nonisolated struct Attachment: Identifiable, Hashable {
    let id: UUID
    let kind: Kind

    @CasePathable @Selection
    enum Kind: Hashable {
      case link(URL)
      case note(String)
      case image(Attachment.Image)  // Fully qualify nested types
    }

    @Selection
    struct Image: Hashable {
      var caption = ""
      var url: URL
    }
  }
}

@Suite struct EnumTableTests {
  private let plain = """
    CREATE TABLE "attachments" (
        "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
        "link" TEXT,
        "note" TEXT,
        "image" TEXT
    ) STRICT
    """

  private let rich = """
    CREATE TABLE "attachments" (
        "id" TEXT PRIMARY KEY NOT NULL DEFAULT (uuid()),
        "link" TEXT,
        "note" TEXT,
        "caption" TEXT,
        "url" TEXT
    ) STRICT
    """

  private static func url(_ text: String) -> URL {
    URL(string: text)!  // because the tests write it
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a row is decoded as the case that it has`(home: DatabaseHome) throws {
    typealias Attachment = Plain.Attachment
    let picture = Attachment(id: UUID(2), kind: .image(Self.url("https://example.com/a.png")))
    try home.open(plain).write { db in
      try Attachment.insert {
        Attachment.Draft(kind: .note("Hello world!"))
      }
      .execute(db)
      try Attachment.insert { picture }.execute(db)

      // Fetch all — decoding determines which case
      let attachments = try Attachment.all.fetchAll(db)
      same(Set(attachments.map(\.kind)), [.note("Hello world!"), picture.kind])

      // Filter by case
      let images =
        try Attachment
        .where { $0.kind.image.isNot(nil) }
        .fetchAll(db)
      same(images, [picture])
      let columns = try #sql(
        "SELECT \"link\" IS NULL AND \"image\" IS NULL FROM \"attachments\" WHERE \"note\" = 'Hello world!'",
        as: Bool.self
      ).fetchAll(db)
      same(columns, [true])
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `an update to another case empties the columns of the first`(home: DatabaseHome) throws {
    typealias Attachment = Plain.Attachment
    let id = UUID(1)
    try home.open(plain).write { db in
      try Attachment.insert { Attachment(id: id, kind: .note("x")) }.execute(db)
      try Attachment.find(id).update {
        $0.kind = .link(URL(string: "https://example.com")!)  // because the page has it so
      }
      .execute(db)
      same(try Attachment.find(db, key: id).kind, .link(Self.url("https://example.com")))
      let empty = try Attachment.where { $0.kind.note.is(nil) && $0.kind.image.is(nil) }.fetchCount(db)
      same(empty, 1)
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a case may hold a group of columns`(home: DatabaseHome) throws {
    typealias Attachment = Rich.Attachment
    let image = Attachment.Image(caption: "A hill", url: Self.url("https://example.com/hill"))
    try home.open(rich).write { db in
      try Attachment.insert {
        Attachment.Draft(kind: .image(image))
        Attachment.Draft(kind: .note("n"))
      }
      .execute(db)
      let images = try Attachment.where { $0.kind.image.isNot(nil) }.fetchAll(db)
      same(images.map(\.kind), [.image(image)])
      same(try Attachment.where { $0.kind.image.caption.eq("A hill") }.fetchCount(db), 1)
    }
  }
}
