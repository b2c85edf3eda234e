/// The examples of `docs/SCHEMA.md`: each block of the page stands here as it stands there, makes the SQL that stands
/// below it there, and runs.
import Foundation
import MartletAST
import MartletQuery
import Testing

@Suite struct SchemaPageTests {
  private let examples: [any MartletQuery.Statement] = [
    Reminder.createTable(ifNotExists: true) { t in
      t.title.default("").collate(.nocase)
      t.isCompleted.default(false)
      t.priority.check { $0.in([.low, .medium, .high]) }
      t.dueDate.default(.currentTimestamp)
      t.position.default(0)
      t.remindersListID.references(RemindersList.self, onDelete: .cascade)
      t.unique { ($0.remindersListID, $0.title) }
    },
    Reminder.alterTable.addColumn { $0.priority.default(.medium) },
    Reminder.alterTable.renameColumn("name", to: \.title),
    Reminder.createIndex(
      "open_reminders", on: { ($0.remindersListID, $0.title.lower().desc()) }, unique: true,
      where: { !$0.isCompleted }),
    ReminderWithList.createTemporaryView(
      as:
        Reminder
        .join(RemindersList.unscoped) { $0.remindersListID.eq($1.id) }
        .where { reminder, _ in reminder.title.neq("it's") }
        .select { ReminderWithList.Columns(reminderTitle: $0.title, remindersListTitle: $1.title) }),
    Reminder.createTrigger(
      "completed",
      after: .update(of: { $0.isCompleted }) { old, new in
        RemindersList.find(new.remindersListID).update { $0.timestamps.updatedAt = .now }
        Raise.abort("Completed reminders stay completed.").where { old.isCompleted && !new.isCompleted }
      } when: { old, new in
        old.isCompleted.neq(new.isCompleted)
      }),
    ReminderText.createTable(
      tokenize: .porter(.unicode61(diacritics: .remove)), content: .table(Note.self, rowID: \.id), prefix: [2, 3]),
  ]

  private struct Block {
    var language = ""
    var lines: [String] = []
  }

  private func blocks() throws -> [Block] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = try String(contentsOf: folder.appending(path: "../../../docs/SCHEMA.md"), encoding: .utf8)
    var blocks: [Block] = []
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { blocks.append(Block(language: String(line.dropFirst(3)))) }
        isInside.toggle()
      } else if isInside {
        blocks[blocks.count - 1].lines.append(String(line))
      }
    }
    return blocks
  }

  @Test func `the page shows what the examples make, and nothing else`() throws {
    let blocks = try blocks()
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let written = Set(
      source.split(separator: "\n").map { line in
        line.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
      })
    for block in blocks where block.language == "swift" {
      for line in block.lines {
        let text = line.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
        #expect(written.contains(text), "\(text)")
      }
    }
    #expect(blocks.filter { $0.language == "sql" }.map { $0.lines.joined(separator: "\n") } == examples.map(\.sql))
    #expect(blocks.filter { $0.language == "swift" }.count == examples.count)
  }

  @Test func `the examples run`() throws {
    let sample = try Sample()
    try sample.run(Note.createTable())
    try sample.run(Reminder.dropTable())
    try sample.run(examples[0])
    try sample.run(Reminder.alterTable.renameColumn(\.title, to: "name"))
    try sample.run(examples[2])
    for example in examples[3...] { try sample.run(example) }
    try sample.run(Reminder.insert { Reminder.Draft(title: "Tea", isCompleted: true, remindersListID: 1) })
    #expect(throws: (any Error).self) { try sample.run(Reminder.update { $0.isCompleted = false }) }
    #expect(
      try sample.all(ReminderWithList.all) == [
        ReminderWithList(reminderTitle: "Tea", remindersListTitle: "Home")
      ])
    try sample.run(Reminder.dropTrigger("completed"))
    try sample.run(Reminder.dropIndex("open_reminders"))
    try sample.run(Reminder.createTable(temporary: true) { t in t.check { $0.position >= 0 } })
    try sample.run(Reminder.dropTemporaryTable())
    // A column with a check of its own cannot be dropped, so the second example gets a table without it.
    try sample.run(Reminder.dropTable())
    try sample.run(ReminderWithList.dropTemporaryView())
    try sample.run(Reminder.createTable())
    try sample.run(Reminder.alterTable.dropColumn(\.priority))
    try sample.run(examples[1])
  }
}
