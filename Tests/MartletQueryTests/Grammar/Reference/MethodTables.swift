/// Tables that only the examples of methods have, and the database that holds every table that examples read.
import Foundation
import MartletAST
import MartletQuery
import MartletSQLite

/// A note or a link, of which a row holds one.
enum AttachmentKind: EnumTable {
  case note(String)
  case link(URL)

  static let tableName = "attachmentKinds"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }
  static var caseColumns: [[ColumnDescription]] { TableColumns.allColumns.map { [$0] } }

  struct TableColumns: TableDefinition {
    typealias QueryValue = AttachmentKind

    var note: TableColumn<AttachmentKind, String?> { TableColumn("note") }
    var link: TableColumn<AttachmentKind, URL?> { TableColumn("link") }

    static let allColumns = [ColumnDescription("note", String?.self), ColumnDescription("link", URL?.self)]
  }

  var columnFragments: [QueryFragment] {
    switch self {
    case .note(let note): String?.fragments(of: note) + URL?.fragments(of: nil)
    case .link(let link): String?.fragments(of: nil) + URL?.fragments(of: link)
    }
  }
}

extension AttachmentKind {
  init(decoder: inout some QueryDecoder) throws {
    let note = try decoder.value(String?.self)
    let link = try decoder.value(URL?.self)
    if let note {
      self = .note(note)
    } else if let link {
      self = .link(link)
    } else {
      throw QueryDecodingError.missingRequiredColumn
    }
  }
}

struct Attachment: Table {
  var id: Int
  var kind: AttachmentKind

  static let tableName = "attachments"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Attachment

    var id: TableColumn<Attachment, Int> { TableColumn("id") }
    var kind: ColumnGroup<Attachment, AttachmentKind> { ColumnGroup() }

    static let allColumns = [ColumnDescription("id", Int.self)] + ColumnDescription.group(AttachmentKind.self)
  }

  var columnFragments: [QueryFragment] { Int.fragments(of: id) + AttachmentKind.fragments(of: kind) }
}

extension Attachment {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    kind = try decoder.value(AttachmentKind.self)
  }
}

/// A table that examples create.
struct Checklist: Table {
  var id: Int
  var listID: Int
  var name: String

  static let tableName = "checklists"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Checklist

    var id: TableColumn<Checklist, Int> { TableColumn("id") }
    var listID: TableColumn<Checklist, Int> { TableColumn("listID") }
    var name: TableColumn<Checklist, String> { TableColumn("name") }

    static let allColumns = [
      ColumnDescription("id", Int.self), ColumnDescription("listID", Int.self),
      ColumnDescription("name", String.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: id) + Int.fragments(of: listID) + String.fragments(of: name)
  }
}

extension Checklist {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    listID = try decoder.value(Int.self)
    name = try decoder.value(String.self)
  }
}

/// A table of texts that examples create.
struct ArticleText: FTS5 {
  var title: String
  var notes: String

  static let tableName = "articleTexts"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = ArticleText

    var title: TableColumn<ArticleText, String> { TableColumn("title") }
    var notes: TableColumn<ArticleText, String> { TableColumn("notes") }

    static let allColumns = [ColumnDescription("title", String.self), ColumnDescription("notes", String.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: title) + String.fragments(of: notes) }
}

extension ArticleText {
  init(decoder: inout some QueryDecoder) throws {
    title = try decoder.value(String.self)
    notes = try decoder.value(String.self)
  }
}

extension Sample {
  /// A database with every table, view, index and trigger that the examples of methods read or drop.
  static func forMethods() throws -> Sample {
    let sample = try Sample()
    try sample.addDocuments()
    // REGEXP is a function that a program registers.
    try sample.connection.register(FunctionSignature("regexp", argumentCount: 2)) { _ in .integer(1) }
    try sample.run(Note.createTable())
    try sample.run(Note.createIndex(on: \.title))
    try sample.run(Note.createTrigger("note_deleted", after: .delete { _ in Raise.ignore() }))
    try sample.run(Reminder.createIndex("done", on: \.position, unique: true, where: { $0.isCompleted }))
    try sample.run(Attachment.createTable())
    try sample.run(Offer.createTable { t in t.total.generated { $0.price * $0.amount.cast(as: Double.self) } })
    // A table that lacks a column of its type.
    try sample.run(
      SQLQueryExpression("CREATE TABLE \(Attached.self) (\(quote: "id") INTEGER, \(quote: "old") TEXT)", as: Int.self))
    try sample.run(SQLQueryExpression("CREATE TABLE \(quote: "todos") (\(quote: "id") INTEGER)", as: Int.self))
    let titles = RemindersList.unscoped.select {
      ReminderWithList.Columns(reminderTitle: $0.title, remindersListTitle: $0.title)
    }
    try sample.run(ReminderWithList.createView(as: titles))
    try sample.run(ReminderText.createTable(content: .table(Note.self, rowID: \.id)))
    try sample.run(ReminderText.insert { ReminderText(rowid: 1, title: "Milk", notes: "") })
    return sample
  }
}
