/// Which observers a commit concerns, as scripts of what happened and who was told.
import MartletSQLite
import Testing

@testable import MartletDatabase

@Suite struct ObservationScheduleTests {
  private static let items = TableName("items")
  private static let owners = TableName("owners")

  private static func set(_ tables: TableName...) -> TableSet { TableSet(Set(tables)) }

  /// An observer that has fetched `region`.
  private static func rest(_ schedule: inout ObservationSchedule, _ region: TableSet) -> ObservationSchedule.ObserverID
  {
    let id = schedule.observerCame()
    schedule.fetchBegan(id)
    schedule.fetchEnded(id, region: region)
    return id
  }

  @Test func `a new observer has to fetch, and rests then`() {
    var schedule = ObservationSchedule()
    let id = schedule.observerCame()
    #expect(schedule.isDue(id))
    schedule.fetchBegan(id)
    #expect(!schedule.isDue(id))
    schedule.fetchEnded(id, region: Self.set(Self.items))
    #expect(!schedule.isDue(id))
  }

  @Test func `a commit is told to those who read what it wrote`() {
    var schedule = ObservationSchedule()
    let ofItems = Self.rest(&schedule, Self.set(Self.items))
    let ofOwners = Self.rest(&schedule, Self.set(Self.owners))
    let ofBoth = Self.rest(&schedule, Self.set(Self.items, Self.owners))
    let ofNothing = Self.rest(&schedule, TableSet())
    let ofAll = Self.rest(&schedule, .everything)
    #expect(Set(schedule.committed(Self.set(Self.items))) == [ofItems, ofBoth, ofAll])
    #expect(!schedule.isDue(ofOwners))
    #expect(schedule.committed(Self.set(Self.owners)) == [ofOwners])
    #expect(schedule.committed(.everything).isEmpty)
    #expect(!schedule.isDue(ofNothing))
  }

  @Test func `many commits before a fetch are told once`() {
    var schedule = ObservationSchedule()
    let id = Self.rest(&schedule, Self.set(Self.items))
    #expect(schedule.committed(Self.set(Self.items)) == [id])
    for _ in 0..<100 { #expect(schedule.committed(Self.set(Self.items)).isEmpty) }
    schedule.fetchBegan(id)
    schedule.fetchEnded(id, region: Self.set(Self.items))
    #expect(!schedule.isDue(id))
  }

  @Test func `many commits during a fetch make one more`() {
    var schedule = ObservationSchedule()
    let id = Self.rest(&schedule, Self.set(Self.items))
    _ = schedule.committed(Self.set(Self.items))
    schedule.fetchBegan(id)
    for _ in 0..<100 { #expect(schedule.committed(Self.set(Self.items)).isEmpty) }
    schedule.fetchEnded(id, region: Self.set(Self.items))
    #expect(schedule.isDue(id))
    schedule.fetchBegan(id)
    schedule.fetchEnded(id, region: Self.set(Self.items))
    #expect(!schedule.isDue(id))
  }

  @Test func `a commit during a fetch counts only where the fetch read what it wrote`() {
    var schedule = ObservationSchedule()
    let id = schedule.observerCame()
    schedule.fetchBegan(id)
    _ = schedule.committed(Self.set(Self.owners))
    schedule.fetchEnded(id, region: Self.set(Self.items))
    #expect(!schedule.isDue(id))
    schedule.fetchBegan(id)
    _ = schedule.committed(Self.set(Self.owners))
    schedule.fetchEnded(id, region: Self.set(Self.owners))
    #expect(schedule.isDue(id))
  }

  @Test func `an observer that left is told nothing`() {
    var schedule = ObservationSchedule()
    let id = Self.rest(&schedule, .everything)
    schedule.observerLeft(id)
    #expect(schedule.isEmpty)
    #expect(schedule.committed(.everything).isEmpty)
    schedule.fetchBegan(id)
    #expect(schedule.isEmpty && !schedule.isDue(id))
  }

  @Test func `sets of tables meet by schema and name, and by name where the schema is not known`() {
    let main = Self.set(Self.items)
    let other = Self.set(TableName(schema: "other", "items"))
    let unknown = Self.set(TableName(schema: "", "items"))
    let table: [(TableSet, TableSet, Bool)] = [
      (main, main, true), (main, other, false), (main, unknown, true), (unknown, other, true),
      (main, Self.set(Self.owners), false), (main, TableSet(), false), (main, .everything, true),
      (TableSet(), .everything, false), (.everything, .everything, true),
      (unknown, Self.set(Self.owners, TableName("tags")), false),
      (Self.set(Self.owners, TableName(schema: "", "items")), main, true),
      (Self.set(TableName(schema: "", "Items")), main, true),
      (main, Self.set(TableName(schema: "MAIN", "ITEMS")), true),
    ]
    for (one, two, overlap) in table {
      #expect(one.overlaps(two) == overlap, "\(one) and \(two)")
      #expect(two.overlaps(one) == overlap, "\(two) and \(one)")
    }
  }
}
