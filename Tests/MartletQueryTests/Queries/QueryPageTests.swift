/// The examples of `docs/QUERY.md`: each line of the page stands here as it stands there, and runs.
import Foundation
import MartletAST
import MartletQuery
import Testing

private enum Other: AliasName {}

@Suite struct QueryPageTests {
  private let last: Reminder? = Reminder(id: 1, title: "Milk", remindersListID: 1)
  private let typed = "mart nev"
  private let levels = [Level(id: 1, depth: 1), Level(id: 2, depth: 2)]

  private var reading: [any MartletQuery.Statement] {
    [
      Reminder.where { !$0.isCompleted && $0.priority.eq(.high) },
      Reminder.where(\.isCompleted).order { ($0.priority.desc(nulls: .last), $0.title) }.limit(10),
      Reminder.find(1).select { ($0.title, $0.dueDate) },
      Reminder.group(by: \.remindersListID).having { $0.count() > 1 }.select { ($0.remindersListID, $0.count()) },
      Reminder.incomplete.important.count(),
      Reminder.select(\.title).union(RemindersList.select(\.title)).order(byColumn: 1),
    ]
  }

  private var conditions: [any MartletQuery.Statement] {
    [
      Reminder.where { $0.title.contains("milk") || $0.title.collate(.nocase).eq("BREAD") },
      Reminder.where { $0.id.in([1, 2, 3]) && $0.position.in(10..<100) && $0.dueDate.isNot(nil) },
      Reminder.where { $0.remindersListID.in(RemindersList.where { $0.title.hasPrefix("W") }.select(\.id)) },
      Reminder.where { RowValue($0.remindersListID, $0.id).in([(1, 2), (2, 3)]) },
      Reminder.select { ($0.priority ?? .low, Case($0.priority).when(.high, then: "!").else("")) },
      Reminder.select { $0.title.groupConcat(separator: ", ", filter: !$0.isCompleted) },
      Reminder.select { ($0.id, rowNumber().over(.partition(by: $0.remindersListID).order(by: $0.position))) },
      Reminder.select { $0.position.sum().over(Window.order(by: $0.id).rows(.preceding(2), .currentRow)) },
    ]
  }

  private var joins: [any MartletQuery.Statement] {
    [
      Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.select { ($0.title, $1.title) },
      RemindersList.leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }.where { $1.id.is(nil) },
      Reminder.join(Reminder.as(Other.self).all) { $0.position < $1.position }.select { ($0.title, $1.title) },
      Reminder.join(Level.rows(levels)) { $0.id.eq($1.id) }.where { $1.depth > 1 }.select { reminder, _ in reminder },
      RemindersList.leftJoinPairs(Reminder.join(Note.all) { using($0.id, $1.id) }) { list, reminder, _ in
        list.id.eq(reminder.remindersListID)
      },
      With {
        Reminder.where(\.isCompleted)
      } query: { done in
        done.order(by: \.title).limit(10)
      },
      With {
        Level(id: 1, depth: 0).union(
          all: true, Level.where { $0.depth < 4 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) })
      } query: {
        Level.order { $0.depth.desc() }
      },
    ]
  }

  private var pages: [any MartletQuery.Statement] {
    [
      Reminder.page(after: last, size: 20) { ($0.dueDate.desc(), $0.title) }
    ]
  }

  private var writing: [any MartletQuery.Statement] {
    [
      Reminder.insert {
        Reminder.Draft(title: "Eggs", remindersListID: 1)
        Reminder.Draft(title: "Salt", remindersListID: 1)
      }
      .returning(\.id),
      Reminder.insert {
        ($0.title, $0.remindersListID)
      } values: {
        for list in [1, 2] { ("In every list", list) }
      },
      Reminder.insert {
        Reminder(id: 1, title: "Cream", remindersListID: 1)
      } onConflict: {
        $0.id
      } doUpdate: { row, excluded in
        row.title = excluded.title
      } where: { row, excluded in
        row.title.neq(excluded.title)
      },
      Reminder.upsert { Reminder.Draft(id: 1, title: "Oats", remindersListID: 1) },
      Reminder.find(1).update {
        $0.title += "!"
        $0.isCompleted.toggle()
        $0.dueDate = .now(.days(7))
      },
      Reminder.update(from: RemindersList.all) { row, list in
        row.title = list.title
      } where: {
        $0.remindersListID.eq($1.id)
      },
      Reminder.where(\.isCompleted).delete().returning { ($0.id, $0.title.upper()) },
    ]
  }

  private var dates: [any MartletQuery.Statement] {
    [
      Reminder.where { $0.dueDate < .now(.startOfDay.days(1)) },
      Reminder.select { ($0.dueDate.year, $0.dueDate.strftime("%Y-%m")) },
      Document.select { $0.postedAt(.startOfMonth.months(1).days(-1)) },
    ]
  }

  private var json: [any MartletQuery.Statement] {
    [
      Document.where { $0.author.jsonExtract(\.links[0].title).eq("Home") },
      Document.where { $0.tags.jsonEach().where { $0.value.eq("sql") }.exists() },
      Document.join { $0.tags.jsonEach() }.select { ($0.id, $1.value) },
      Document.find(1).update {
        $0.author[\.name] = "Blobby"
        $0.author[\.isActive] = false
      },
      RemindersList.select { jsonObject("id", $0.id, "title", $0.title) },
      Document.select { $0.jsonGroupArray() },
    ]
  }

  private var search: [any MartletQuery.Statement] {
    [
      DocumentText.where { $0.match(.allPrefixes(in: typed)) }.order { $0.bm25([\.title: 10]) },
      DocumentText.where { $0.match("martlet") }.select { $0.body.snippet("<b>", "</b>", "…", 16) },
    ]
  }

  @Test func `the examples run`() throws {
    let sample = try Sample()
    try sample.run(Note.createTable())
    try sample.addDocuments()
    for example in reading + conditions + joins + pages + writing + dates + json + search {
      #expect(throws: Never.self, "\(example.sql)") { try sample.run(example) }
    }
  }

  @Test func `the page shows the examples and nothing else`() throws {
    func lines(_ text: Substring) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,")) }
    }
    let file = URL(filePath: #filePath)
    let source = Set(lines(try String(contentsOf: file, encoding: .utf8)[...]))
    let path = file.deletingLastPathComponent().appending(path: "../../../docs/QUERY.md")
    let page = try String(contentsOf: path, encoding: .utf8)
    let user = try #require(page.components(separatedBy: "## A table without macros").first)
    let blocks = user.components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 8)
    for block in blocks {
      let code = try #require(block.components(separatedBy: "```").first)
      for line in lines(code[...]) { #expect(source.contains(line), "\(line)") }
    }
  }
}
