/// Savepoints within a transaction, and foreign keys that are looked at after it.
import MartletSQLite
import Testing

@Suite struct SavepointTests {
  private func open() throws -> (Connection, TransactionControl) {
    let connection = try Connection.inMemory()
    try connection.run("CREATE TABLE t(a)")
    return (connection, TransactionControl(connection))
  }

  private enum Step {
    case add(Int), set(Int), release(Int), back(Int)
  }

  private static let scripts: [(steps: [Step], values: String)] = [
    ([.add(1), .set(1), .add(2), .release(1)], "1 2"),
    ([.add(1), .set(1), .add(2), .back(1), .add(3), .release(1)], "1 3"),
    ([.set(1), .add(1), .set(2), .add(2), .back(2), .add(3), .release(2), .release(1)], "1 3"),
    ([.set(1), .add(1), .set(2), .add(2), .release(2), .back(1), .add(3)], "3"),
    ([.set(1), .add(1), .set(2), .add(2), .back(1), .add(3), .release(1)], "3"),
    // The inner one of the same number is meant, until it is released.
    ([.set(1), .add(1), .set(1), .add(2), .back(1), .release(1), .add(3), .back(1), .add(4)], "4"),
    ([.set(1), .add(1), .back(1), .back(1), .add(2), .back(1), .add(3)], "3"),
  ]

  @Test func `each undoes what came after it, and no more`() throws {
    for (steps, values) in Self.scripts {
      let (connection, control) = try open()
      try control.begin(immediate: true)
      for step in steps {
        switch step {
        case .add(let value): try connection.run("INSERT INTO t VALUES (\(value))")
        case .set(let depth): try control.setSavepoint(depth)
        case .release(let depth): try control.releaseSavepoint(depth)
        case .back(let depth): try control.rollBackToSavepoint(depth)
        }
        #expect(!connection.isAutocommit && control.isActive)
      }
      try control.commit()
      #expect(try connection.text("SELECT group_concat(a, ' ') FROM t") == values, "\(steps)")
    }
  }

  @Test func `one that is not there, or not there any more, is refused and undoes nothing`() throws {
    let (connection, control) = try open()
    try control.begin(immediate: true)
    try control.setSavepoint(1)
    try connection.run("INSERT INTO t VALUES (1)")
    try control.setSavepoint(2)
    try control.releaseSavepoint(1)
    for depth in [0, 1, 2, 3, -1, .max] {
      #expect(throws: SQLiteError.self, "\(depth)") { try control.releaseSavepoint(depth) }
      #expect(throws: SQLiteError.self, "\(depth)") { try control.rollBackToSavepoint(depth) }
    }
    #expect(control.isActive && !connection.isAutocommit)
    try control.commit()
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func `they nest deeper than statements are kept, more than once`() throws {
    let (connection, control) = try open()
    for round in 1...2 {
      try control.begin(immediate: true)
      for depth in 1...150 {
        try control.setSavepoint(depth)
        try connection.run("INSERT INTO t VALUES (\(depth))")
      }
      try control.rollBackToSavepoint(101)
      for depth in (1...101).reversed() { try control.releaseSavepoint(depth) }
      try control.commit()
      #expect(try connection.integer("SELECT count(*) FROM t") == Int64(100 * round))
      #expect(connection.isAutocommit)
    }
  }

  @Test func `after an error of a statement the savepoint still undoes what was before it`() throws {
    let (connection, control) = try open()
    try connection.run("CREATE TABLE u(a UNIQUE)")
    try control.begin(immediate: true)
    try connection.run("INSERT INTO u VALUES (1)")
    try control.setSavepoint(1)
    try connection.run("INSERT INTO u VALUES (2)")
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO u VALUES (3), (1)") }
    #expect(try connection.integer("SELECT count(*) FROM u") == 2)
    try control.rollBackToSavepoint(1)
    try control.releaseSavepoint(1)
    try control.commit()
    #expect(try connection.integer("SELECT sum(a) FROM u") == 1)
  }

  @Test func `tables whose rows point nowhere are named once each, whatever they are called`() throws {
    let (connection, control) = try open()
    let names = ["c", "o'brien", "say \"x\"", "Ünïcode 🐦"]
    #expect(try control.brokenForeignKeys() == [])
    try control.setForeignKeys(enforced: false)
    try connection.run("CREATE TABLE p(id INTEGER PRIMARY KEY)")
    for name in names {
      let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
      try connection.run("CREATE TABLE \(quoted)(p REFERENCES p(id), q REFERENCES p(id))")
      try connection.run("INSERT INTO \(quoted) VALUES (1, 2), (3, NULL)")
    }
    #expect(try Set(control.brokenForeignKeys()) == Set(names))
    #expect(try control.brokenForeignKeys().count == names.count)
    try connection.run("INSERT INTO p VALUES (1), (2), (3)")
    #expect(try control.brokenForeignKeys() == [])
  }

  @Test func `foreign keys are switched outside of transactions, and within one stay as they are`() throws {
    let (connection, control) = try open()
    try connection.run("CREATE TABLE p(id INTEGER PRIMARY KEY)")
    try connection.run("CREATE TABLE c(p REFERENCES p(id))")
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO c VALUES (1)") }
    try control.begin(immediate: true)
    try control.setForeignKeys(enforced: false)
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO c VALUES (1)") }
    try control.commit()
    try control.setForeignKeys(enforced: false)
    try connection.run("INSERT INTO c VALUES (1)")
    try control.setForeignKeys(enforced: true)
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO c VALUES (2)") }
    #expect(try control.brokenForeignKeys() == ["c"])
  }
}
