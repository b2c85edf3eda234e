/// Tables in the forms in which people write them, within another type, whose names they use as they are.
import Foundation
import Martlet

enum Forms {
  enum Priority: Int, QueryBindable {
    case low = 1
    case medium
    case high
  }

  @Table
  nonisolated struct Reminder: Identifiable, Hashable, Sendable {
    let id: Int
    var title = ""
    var isCompleted = false  // What is behind a property does not matter.
    var priority: Priority?
    var dueDate: Date?
    var position = 0, weight = -1.5
    var status = Status.open
    var remindersListID: RemindersList.ID

    /// A type of the table itself.
    enum Status: String, QueryBindable {
      case open
      case done
    }

    var isLate: Bool { position > 10 }
    static let limit = 7
    static let open = Self.where { $0.status.eq(.open) }
  }

  @Selection
  struct Timestamps: Equatable, Sendable {
    var createdAt: Date
    var updatedAt: Date?
  }

  @Table
  struct RemindersList: Identifiable, Equatable {
    let id: Int
    var title = ""
    // A group, by its type alone.
    let timestamps: Timestamps
    var archived: Timestamps2?
    @Ephemeral var isSelected = false
    @Ephemeral var formatted: String { "\(title)!" }
    lazy var cached = title.count
    var watched = "" {
      didSet { isSelected = true }
    }

    static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.title == right.title }
  }

  @Selection struct Timestamps2: Equatable {
    @Column("archived_at", as: Date.UnixTimeRepresentation.self) var archivedAt: Date
    var by = "nobody"
  }

  @Table("tag_names", schema: "main")
  struct Tag: Hashable, Identifiable, Sendable {
    @Column(primaryKey: true) var title: String
    @Column("is_hidden") var isHidden = false
    @Column(as: [String].JSONRepresentation.self) var words: [String] = []
    @Column(as: Date.UnixTimeRepresentation?.self) var seenAt: Date?
    @Column("letters", generated: .virtual) var length: Int = 0
    @Column(lazyInitializable: true) let createdAt: Date
    var id: String { title }
  }

  @Table
  struct Enrollment: Identifiable {
    @Selection struct ID: Hashable {
      var studentID: Int
      var courseID: Int
    }
    let id: ID
    var grade: Int?
  }

  @Table struct Box<Value: QueryBindable> where Value.QueryOutput == Value {
    let id: Int
    var value: Value
    var other: Value?
    var parentID: Self.Key?
    typealias Key = Int
  }

  @Table struct Person {
    var name: String
    var `class` = "x"
  }

  @Table struct Event {
    @Column(lazyInitializable: true) let at: Date
    var name: String
  }

  @Table struct ReminderText: FTS5 {
    let rowid: Int
    let title: String
  }

  @Table @Selection
  struct ReminderWithList {
    let reminderTitle: String
    let remindersListTitle: String
  }

  @Selection
  struct Joined: Identifiable {
    var id: Reminder.ID { reminder.id }
    let reminder: Reminder
    let list: RemindersList?
    let isUrgent: Bool
    var tags: String = ""
    @Columns var timestamps: Timestamps
  }

  @Table
  nonisolated struct Attachment: Identifiable, Equatable {
    let id: UUID
    let kind: Kind

    @CasePathable @Selection
    enum Kind: Equatable {
      case link(URL)
      case note(String)
      case image(Attachment.Image)
    }

    @Selection
    struct Image: Equatable {
      var caption = ""
      var url: URL
    }
  }
}

extension Forms.Reminder.TableColumns {
  var isUrgent: some QueryExpression<Bool> { priority.eq(.high) && !isCompleted }
}

@Table private struct Mouse {
  private var name: String
  fileprivate var size = Size.small

  fileprivate enum Size: Int, QueryBindable { case small, large }
}

/// What only this file sees.
enum FileOnly {
  static var tableName: String { Mouse.tableName }
  static var sql: String { Mouse.where { $0.size.eq(.large) }.sql }
}
