/// A table with JSON documents, dates in other representations and an FTS5 table beside it.
import Foundation
import MartletQuery

struct Link: Table, Codable, Equatable {
  var title: String
  var homepage: URL

  static let tableName = "links"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Link

    var title: TableColumn<Link, String> { TableColumn("title") }
    var homepage: TableColumn<Link, URL> { TableColumn("homepage") }

    static let allColumns = [ColumnDescription("title", String.self), ColumnDescription("homepage", URL.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: title) + URL.fragments(of: homepage) }
}

extension Link {
  init(decoder: inout some QueryDecoder) throws {
    title = try decoder.value(String.self)
    homepage = try decoder.value(URL.self)
  }
}

struct Author: Table, Codable, Equatable {
  var name: String
  var isActive = false
  var links: [Link] = []

  static let tableName = "authors"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Author

    var name: TableColumn<Author, String> { TableColumn("name") }
    var isActive: TableColumn<Author, Bool> { TableColumn("isActive") }
    var links: TableColumn<Author, [Link].JSONRepresentation> { TableColumn("links") }

    static let allColumns = [
      ColumnDescription("name", String.self), ColumnDescription("isActive", Bool.self),
      ColumnDescription("links", [Link].JSONRepresentation.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    String.fragments(of: name) + Bool.fragments(of: isActive) + [Link].JSONRepresentation.fragments(of: links)
  }
}

extension Author {
  init(decoder: inout some QueryDecoder) throws {
    name = try decoder.value(String.self)
    isActive = try decoder.value(Bool.self)
    links = try decoder.value([Link].JSONRepresentation.self)
  }
}

struct Document: PrimaryKeyedTable, Codable, Equatable {
  let id: Int
  var author: Author
  var tags: [String]
  var postedAt: Date
  var seenAt: Date?
  var isOpen = true

  static let tableName = "documents"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: PrimaryKeyedTableDefinition {
    typealias QueryValue = Document

    var id: TableColumn<Document, Int> { TableColumn("id") }
    var author: TableColumn<Document, Author.JSONRepresentation> { TableColumn("author") }
    var tags: TableColumn<Document, [String].JSONRepresentation> { TableColumn("tags") }
    var postedAt: TableColumn<Document, Date.UnixTimeRepresentation> { TableColumn("postedAt") }
    var seenAt: TableColumn<Document, Date.JulianDayRepresentation?> { TableColumn("seenAt") }
    var isOpen: TableColumn<Document, Bool> { TableColumn("isOpen") }
    var primaryKey: TableColumn<Document, Int> { id }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true),
      ColumnDescription("author", Author.JSONRepresentation.self),
      ColumnDescription("tags", [String].JSONRepresentation.self),
      ColumnDescription("postedAt", Date.UnixTimeRepresentation.self),
      ColumnDescription("seenAt", Date.JulianDayRepresentation?.self),
      ColumnDescription("isOpen", Bool.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    var fragments: [QueryFragment] = []
    fragments += Int.fragments(of: id)
    fragments += Author.JSONRepresentation.fragments(of: author)
    fragments += [String].JSONRepresentation.fragments(of: tags)
    fragments += Date.UnixTimeRepresentation.fragments(of: postedAt)
    fragments += Date.JulianDayRepresentation?.fragments(of: seenAt)
    fragments += Bool.fragments(of: isOpen)
    return fragments
  }

  struct Draft: TableDraft {
    typealias PrimaryTable = Document
    typealias TableColumns = DraftColumns<Document>

    var id: Int?
    var columnFragments: [QueryFragment] { Int?.fragments(of: id) }
    init(_ row: Document) { id = row.id }
    init(decoder: inout some QueryDecoder) throws { id = try decoder.value(Int?.self) }
  }
}

extension Document {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    author = try decoder.value(Author.JSONRepresentation.self)
    tags = try decoder.value([String].JSONRepresentation.self)
    postedAt = try decoder.value(Date.UnixTimeRepresentation.self)
    seenAt = try decoder.value(Date.JulianDayRepresentation?.self)
    isOpen = try decoder.value(Bool.self)
  }

  static let posted = Date(timeIntervalSince1970: 981_173_106)
  static let swift = Document(
    id: 1,
    author: Author(
      name: "Blob", isActive: true,
      links: [Link(title: "Home", homepage: URL(string: "https://a.example/x")!)]),
    tags: ["swift", "sql"], postedAt: posted, seenAt: Date(timeIntervalSince1970: 981_173_106.5))
  static let empty = Document(id: 2, author: Author(name: "Ada"), tags: [], postedAt: posted, isOpen: false)
}

struct DocumentText: FTS5, Equatable {
  let rowid: Int
  var title: String
  var body: String

  static let tableName = "documentTexts"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = DocumentText

    var rowid: TableColumn<DocumentText, Int> { TableColumn("rowid") }
    var title: TableColumn<DocumentText, String> { TableColumn("title") }
    var body: TableColumn<DocumentText, String> { TableColumn("body") }

    static let allColumns = [
      ColumnDescription("rowid", Int.self), ColumnDescription("title", String.self),
      ColumnDescription("body", String.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: rowid) + String.fragments(of: title) + String.fragments(of: body)
  }
}

extension DocumentText {
  init(decoder: inout some QueryDecoder) throws {
    rowid = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    body = try decoder.value(String.self)
  }
}
