/// Schemas, for the examples of the grammar, and tables that only those need.
import Foundation
import MartletQuery

extension GrammarExamples {
  static var tables: [any Statement] {
    [
      Reminder.createTable(temporary: true, ifNotExists: true) { t in
        t.id.primaryKey(autoincrement: true, onConflict: .abort, named: "key")
        t.title.default("").collate(.nocase).unique(onConflict: .fail)
        t.isCompleted.notNull(onConflict: .ignore).default(.currentFlag)
        t.dueDate.default(.currentTimestamp)
        t.position.check { $0 >= 0 }
        t.remindersListID.references(RemindersList.self, onDelete: .cascade, onUpdate: .restrict)
        t.unique(onConflict: .rollback) { ($0.title, $0.position.desc()) }
        t.check(named: "a check") { $0.position > 1 }
      },
      Attached.createTable(withoutRowID: true) { t in
        t.id.default(3)
        t.name.generated(stored: true) { $0.day.cast(as: String.self) }
        t.day.default(.currentDate)
        t.time.default(.currentTime).references(
          Attached.self, \.name, onDelete: .setNull, onUpdate: .setDefault, deferrable: .initiallyDeferred)
        t.primaryKey(onConflict: .replace) { $0.id }
        t.foreignKey(
          { $0.name }, references: Attached.self, { $0.time }, onDelete: .noAction, deferrable: .initiallyImmediate)
      },
      RemindersList.createTable { t in t.id.primaryKey(descending: true) },
      Level.createTable(as: Reminder.select { Level.Columns(id: $0.id, depth: $0.position) }),
      Attached.alterTable.addColumn { $0.name.generated { $0.time } },
      Attached.alterTable.renameColumn("a", to: \.name),
      Attached.alterTable.dropColumn("a"),
      Attached.alterTable.rename(from: "a"),
    ]
  }

  static var objects: [any Statement] {
    [
      Attached.createIndex(on: { ($0.name.collate(.nocase).desc(), $0.time) }, unique: true, ifNotExists: true) {
        $0.id > 1
      },
      Attached.createView(ifNotExists: true, as: Attached.where { $0.name.in(["a"]) && $0.id < 0 }),
      Level.createTemporaryView(as: Reminder.select { Level.Columns(id: $0.id, depth: $0.position) }),
      Reminder.createTemporaryTrigger(
        ifNotExists: true,
        after: .update(of: { $0.title }) { old, new in
          Reminder.find(new.id).update {
            $0.title = "x"
            $0.dueDate = .now
          }
          Raise.abort("a")
          Raise.fail("b").where { old.id.eq(new.id) }
          Raise.rollback("c")
          Raise.ignore()
        } when: { old, new in
          old.id.neq(new.id) && new.title.eq("x")
        }),
      Attached.createTrigger(before: .insert { new in Reminder.where { $0.id.eq(new.id) }.delete() }),
      Attached.createTrigger(insteadOf: .delete { old in Blobs.insert { Blobs(bytes: [1, 2], real: 0.5) } }),
      ReminderText.createTable(temporary: true, ifNotExists: true, tokenize: .porter(), unindexed: { $0.notes }),
      Attached.dropTable(ifExists: true), Attached.dropIndex("a"), Attached.dropTrigger("a"), Attached.dropView(),
    ]
  }
}

extension QueryExpression where Self == SQLQueryExpression<Bool> {
  fileprivate static var currentFlag: SQLQueryExpression<Bool> { SQLQueryExpression(function: "random", []) }
}

/// A table of a schema that is named.
struct Attached: Table {
  var id: Int
  var name: String
  var day: Date
  var time: String?

  static let tableName = "attached"
  static var defaultScope: DefaultScope { DefaultScope() }
  static let schemaName: String? = "main"
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Attached

    var id: TableColumn<Attached, Int> { TableColumn("id") }
    var name: TableColumn<Attached, String> { TableColumn("name") }
    var day: TableColumn<Attached, Date> { TableColumn("day") }
    var time: TableColumn<Attached, String?> { TableColumn("time") }

    static let allColumns = [
      ColumnDescription("id", Int.self), ColumnDescription("name", String.self),
      ColumnDescription("day", Date.self), ColumnDescription("time", String?.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: id) + String.fragments(of: name) + Date.fragments(of: day) + String?.fragments(of: time)
  }
}

extension Attached {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    name = try decoder.value(String.self)
    day = try decoder.value(Date.self)
    time = try decoder.value(String?.self)
  }
}

/// Texts of a schema that is named.
struct ArchivedText: FTS5 {
  var title: String

  static let tableName = "archivedTexts"
  static var defaultScope: DefaultScope { DefaultScope() }
  static let schemaName: String? = "main"
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = ArchivedText

    var title: TableColumn<ArchivedText, String> { TableColumn("title") }

    static let allColumns = [ColumnDescription("title", String.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: title) }
}

extension ArchivedText {
  init(decoder: inout some QueryDecoder) throws { title = try decoder.value(String.self) }
}

/// Bytes and numbers, which a trigger writes as literals.
struct Blobs: Table {
  var bytes: [UInt8]
  var real: Double

  static let tableName = "blobs"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Blobs

    var bytes: TableColumn<Blobs, [UInt8]> { TableColumn("bytes") }
    var real: TableColumn<Blobs, Double> { TableColumn("real") }

    static let allColumns = [ColumnDescription("bytes", [UInt8].self), ColumnDescription("real", Double.self)]
  }

  var columnFragments: [QueryFragment] { [UInt8].fragments(of: bytes) + Double.fragments(of: real) }
}

extension Blobs {
  init(decoder: inout some QueryDecoder) throws {
    bytes = try decoder.value([UInt8].self)
    real = try decoder.value(Double.self)
  }
}

/// A column of JSON.
struct TagList: Table {
  var tags: [String]

  static let tableName = "tagLists"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = TagList

    var tags: TableColumn<TagList, [String].JSONRepresentation> { TableColumn("tags") }
    static let allColumns = [ColumnDescription("tags", [String].JSONRepresentation.self)]
  }

  var columnFragments: [QueryFragment] { [String].JSONRepresentation.fragments(of: tags) }
}

extension TagList {
  init(decoder: inout some QueryDecoder) throws { tags = try decoder.value([String].JSONRepresentation.self) }
}

/// What a PRAGMA says, as a table.
struct Pragma: Table {
  var name: String

  static let tableName = "pragma"
  static var defaultScope: DefaultScope { DefaultScope() }
  static let tableFragment: QueryFragment = "pragma_table_info('reminders')"
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Pragma

    var name: TableColumn<Pragma, String> { TableColumn("name") }
    static let allColumns = [ColumnDescription("name", String.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: name) }
}

extension Pragma {
  init(decoder: inout some QueryDecoder) throws { name = try decoder.value(String.self) }
}
