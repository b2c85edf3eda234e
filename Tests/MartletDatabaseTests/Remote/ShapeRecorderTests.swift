/// The list of shapes that a program's own tests make for its server.
import MartletDatabase
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct ShapeRecorderTests {
  private func run(_ database: any DatabaseWriter, _ title: String) throws {
    try database.write { db in
      try Item.insert { Item.Draft(title: title) }.execute(db)
      try Item.find(1).update { $0.title = "\(title) 2" }.execute(db)
      _ = try Item.where { $0.title.eq(title) }.fetchAll(db)
    }
    _ = try database.read { try Item.order(by: \.id).fetchAll($0) }
    let cursor = try database.read { db in try Item.select(\.title).fetchAll(db).count }
    #expect(cursor > 0)
  }

  @Test(arguments: [true, false])
  func `each statement that is sent is there once, with its SQL, whatever its values`(defers: Bool) throws {
    let recorder = ShapeRecorder()
    var configuration = Configuration()
    configuration.remote.recorder = recorder
    configuration.remote.defersStatements = defers
    let open = try Home.tcp.open(configuration)
    try run(open.database, "a")
    let first = recorder.list
    try run(open.database, "b")
    try open.database.write { try Item.insert { Item.Draft(title: "other") }.execute($0) }
    #expect(recorder.list == first)
    let notes = first.entries.map(\.note)
    for start in ["INSERT INTO \"items\"", "UPDATE \"items\"", "SELECT"] {
      #expect(notes.contains { $0.hasPrefix(start) }, "\(notes)")
    }
    #expect(!notes.contains { $0.contains("other") || $0.isEmpty })
    #expect(try ShapeList(first.text) == first)
    try open.database.write { try Item.find(1).delete().execute($0) }
    #expect(recorder.list.entries.count == first.entries.count + 1)
  }
}
