/// The tables of programs that were written with other libraries.
import Foundation
import Martlet

enum Port {
  enum Priority: Int, Codable, QueryBindable {
    case low = 1
    case medium
    case high
  }

  @Table struct Reminder: Codable, Equatable, Identifiable {
    static let incomplete = Self.where { !$0.isCompleted }

    let id: Int
    var title = ""
    var isCompleted = false
    var isFlagged = false
    var priority: Priority?
    var listID = 1
    @Column(generated: .virtual) var length = 0
  }

  /// The same table, of which some rows are deleted.
  @Table("reminders") struct Shown: Equatable {
    let id: Int
    var title = ""
    var isCompleted = false
    var isFlagged = false

    static let all = unscoped.where { $0.id.neq(4) }
  }

  @Table struct List: Equatable, Identifiable {
    let id: Int
    var name = ""
  }

  @Table struct ReminderText: FTS5 {
    let reminderID: Int
    let title: String
    let notes: String
  }

  @Table struct Item: Identifiable {
    let id: Int
    @Column(as: [String].JSONRepresentation.self) var tags: [String] = []
    @Column(as: [Tag].JSONRepresentation.self) var objects: [Tag] = []
    @Column(as: [String: Int].JSONRepresentation.self) var counts: [String: Int] = [:]
    @Column(as: [String: Tag].JSONRepresentation.self) var named: [String: Tag] = [:]
    @Column(as: [String]?.JSONRepresentation.self) var maybe: [String]?
  }

  @Table struct Tag: Codable, Equatable, Identifiable {
    let id: Int
    var title = ""
  }

  static let script = """
    CREATE TABLE "reminders" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL DEFAULT '', "isCompleted" INTEGER NOT NULL
    DEFAULT 0, "isFlagged" INTEGER NOT NULL DEFAULT 0, "priority" INTEGER, "listID" INTEGER NOT NULL DEFAULT 1,
    "length" INTEGER AS (length("title")) VIRTUAL);
    INSERT INTO "reminders" ("id", "title", "isCompleted", "isFlagged", "priority", "listID") VALUES
    (1, 'Milk', 0, 1, 3, 1), (2, 'Bread', 1, 0, NULL, 1), (3, 'Eggs', 1, 1, 1, 2), (4, 'Don''t', 0, 0, 2, 2);
    CREATE TABLE "lists" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL);
    INSERT INTO "lists" VALUES (1, 'Shop'), (2, 'Home'), (3, 'Empty');
    CREATE VIRTUAL TABLE "reminderTexts" USING fts5("reminderID" UNINDEXED, "title", "notes");
    INSERT INTO "reminderTexts" VALUES (1, 'Milk', 'foo-bar and don''t'), (2, 'Bread', 'an apple'),
    (3, 'Eggs', 'take bread');
    CREATE TABLE "items" ("id" INTEGER PRIMARY KEY, "tags" TEXT NOT NULL DEFAULT '[]', "objects" TEXT NOT NULL DEFAULT
    '[]', "counts" TEXT NOT NULL DEFAULT '{}', "named" TEXT NOT NULL DEFAULT '{}', "maybe" TEXT);
    INSERT INTO "items" VALUES (1, '["a","b"]', '[{"id":1,"title":"one"},{"id":2,"title":"two"}]', '{"x":1,"y":2}',
    '{"k":{"id":3,"title":"three"}}', '["m"]'), (2, '[]', '[]', '{}', '{}', NULL);
    CREATE TABLE "tags" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL UNIQUE);
    INSERT INTO "tags" VALUES (1, 'car'), (2, 'home');
    """
}
