/// Functions that take whole rows: of a table, of an alias, of the optional side of a join, of a draft; and the memory
/// that aggregates may use.
///
/// Always true: functions in Swift run in the process, so they are tested on embedded databases.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct RowFunctionTests {
  @Table nonisolated struct Employee: Identifiable, Equatable, Sendable {
    let id: Int
    var name = ""
    var bossID: Employee.ID?
    var salary = 100
  }

  @Table nonisolated struct Badge: Equatable, Sendable {
    var employeeID: Int
    var colour: String?
    var place: Place?

    @Selection nonisolated struct Place: Equatable, Sendable {
      var floor: Int
      var desk: Int?
    }
  }

  @DatabaseFunction static func isRich(employee: Employee) -> Bool { employee.salary > 150 }
  @DatabaseFunction static func title(of employee: Employee?) -> String { employee.map { "Dr \($0.name)" } ?? "nobody" }
  @DatabaseFunction static func describe(_ employee: Employee, _ badge: Badge?) -> String {
    "\(employee.name):\(badge?.colour ?? "-"):\(badge?.place?.floor ?? 0)"
  }
  @DatabaseFunction static func initial(draft: Employee.Draft) -> String { "\(draft.name.prefix(1))\(draft.id ?? 0)" }
  @DatabaseFunction static func floor(_ place: Badge.Place?) -> Int? { place?.floor }
  @DatabaseFunction static func level(of place: Badge.Place) -> Int { place.floor + 1 }
  @DatabaseFunction static func richest(_ employees: some Sequence<Employee?>) -> String? {
    employees.compactMap { $0 }.max { $0.salary < $1.salary }?.name
  }
  @DatabaseFunction static func payroll(_ rows: some Sequence<(Employee, factor: Int)>) -> Int {
    rows.reduce(0) { $0 + $1.0.salary * $1.factor }
  }
  @DatabaseFunction static func total(_ texts: some Sequence<String>) -> Int { texts.reduce(0) { $0 + $1.count } }

  private enum Boss: AliasName {}

  private static func database(groupBytes: Int? = nil) throws -> DatabaseQueue {
    var configuration = Configuration()
    if let groupBytes { configuration.maximumGroupBytes = groupBytes }
    configuration.prepareDatabase { db in
      db.add(function: $isRich)
      db.add(function: $title)
      db.add(function: $describe)
      db.add(function: $initial)
      db.add(function: $floor)
      db.add(function: $level)
      db.add(function: $richest)
      db.add(function: $payroll)
      db.add(function: $total)
    }
    let database = try DatabaseQueue(configuration: configuration)
    try database.write { db in
      try Employee.createTable().execute(db)
      try Badge.createTable().execute(db)
      try Employee.insert {
        Employee(id: 1, name: "Ada", salary: 200)
        Employee(id: 2, name: "Ben", bossID: 1)
        Employee(id: 3, name: "Cid", bossID: 1, salary: 120)
      }
      .execute(db)
      try Badge.insert {
        Badge(employeeID: 1, colour: "red", place: .init(floor: 4, desk: nil))
        Badge(employeeID: 3)
      }
      .execute(db)
    }
    return database
  }

  @Test static func `a row of an alias is a row of its table`() throws {
    try database().read { db in
      let bosses = Employee.as(Boss.self).all.order(by: \.id)
      same(try bosses.select { $isRich(employee: $0) }.fetchAll(db), [true, false, false])
      let inner = Employee.join(Employee.as(Boss.self).all) { $0.bossID.eq($1.id) }.order { row, _ in row.id }
      same(try inner.select { $isRich(employee: $1) }.fetchAll(db), [true, true])
      same(inner.select { $isRich(employee: $1) }.sql.contains(#"isRich("bosses"."id", "bosses"."name""#), true)
      same(try inner.select { $title(of: $1) }.fetchAll(db), ["Dr Ada", "Dr Ada"])
      same(try inner.select { $richest($1) }.fetchAll(db), ["Ada"])
      same(try inner.select { $payroll($1, factor: $0.id) }.fetchAll(db), [1000])
    }
  }

  @Test static func `a side that a join may leave out is a row that may be nil`() throws {
    try database().read { db in
      let joined = Employee.leftJoin(Employee.as(Boss.self).all) { $0.bossID.eq($1.id) }.order { row, _ in row.id }
      same(try joined.select { $title(of: $1) }.fetchAll(db), ["nobody", "Dr Ada", "Dr Ada"])
      same(try joined.select { $richest($1) }.fetchAll(db), ["Ada"])
      let badges = Employee.leftJoin(Badge.all) { $0.id.eq($1.employeeID) }.order { row, _ in row.id }
      same(try badges.select { $describe($0, $1) }.fetchAll(db), ["Ada:red:4", "Ben:-:0", "Cid:-:0"])
      same(try badges.select { $floor($1.place) }.fetchAll(db), [4, nil, nil])
      same(try Badge.select { $floor($0.place) }.fetchAll(db), [4, nil])
    }
  }

  @Test static func `a function of a row that is there gives NULL where it is not`() throws {
    try database().read { db in
      let joined = Employee.leftJoin(Employee.as(Boss.self).all) { $0.bossID.eq($1.id) }.order { row, _ in row.id }
      same(try joined.select { $1.map { $isRich(employee: $0) } }.fetchAll(db), [nil, true, true])
      let badges = Employee.leftJoin(Badge.all) { $0.id.eq($1.employeeID) }.order { row, _ in row.id }
      let text = badges.select { row, badge in badge.map { $describe(row, $0) } }
      same(try text.fetchAll(db), ["Ada:red:4", nil, "Cid:-:0"])
      same(try badges.select { $1.place.map { $floor($0) } }.fetchAll(db), [4, nil, nil])
      same(try Badge.select { $0.place.map { $level(of: $0) } }.fetchAll(db), [5, nil])
    }
  }

  @Test static func `a draft is a row too`() throws {
    try database().read { db in
      same(try Employee.Draft.all.order(by: \.id).select { $initial(draft: $0) }.fetchAll(db), ["A1", "B2", "C3"])
    }
  }

  @Test static func `a group that needs too much memory is refused, and the next statement runs`() throws {
    try database(groupBytes: 4000).write { db in
      let total = Employee.select { $total($0.name) }
      same(try total.fetchOne(db), 9)
      let long = String(repeating: "x", count: 3900)
      try Employee.find(1).update { $0.name = long }.execute(db)
      same(try Employee.find(1).select { $total($0.name) }.fetchOne(db), 3900)
      try Employee.find(2).update { $0.name = long }.execute(db)
      let error = #expect(throws: RequestError.self) { try total.fetchOne(db) }
      #expect(error?.code == .resourceExhausted && error?.message.contains("maximumGroupBytes") == true)
      // What a group held is given back at its end.
      for _ in 0..<3 { same(try Employee.group(by: \.id).select { $total($0.name) }.fetchAll(db), [3900, 3900, 3]) }
      // A window of two short rows slides over many.
      try Employee.insert { for n in 4...400 { Employee(id: n, name: "abc") } }.execute(db)
      let sliding = Employee.where { $0.id > 2 }
        .select { $total($0.name).over(Window.order(by: $0.id).rows(.preceding(1), .currentRow)) }
      same(try sliding.fetchAll(db).last, 6)
    }
  }
}
