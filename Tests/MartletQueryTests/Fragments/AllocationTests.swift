/// What building and serializing a query asks the allocator for: a query that becomes dearer is noticed here.
import CAllocations
import MartletQuery
import MartletValues
import Testing

/// The allocations of this thread.
private enum Allocations {
  /// A sanitizer's allocator stands in for the C library's, and counts nothing.
  static var areCounted: Bool { of { withExtendedLifetime([Int](repeating: 1, count: 1_000)) {} } > 0 }

  static func of(_ body: () -> Void) -> UInt64 {
    let before = martlet_allocation_count()
    body()
    return martlet_allocation_count() - before
  }
}

/// Always true: the bounds are of a build without optimization; what one with it takes is in docs/FIGURES.md, and less.
@Suite(.enabled(if: Allocations.areCounted, "a sanitizer's allocator does not count"))
struct AllocationTests {
  typealias Building = (name: String, most: UInt64, build: @Sendable (Int) -> SerializedStatement)

  enum Other: AliasName {}

  /// A twentieth more than what they took when this was written; a query that takes less lowers its bound.
  static let buildings: [Building] = [
    ("a find", 156, { Reminder.find($0).serialized }),
    ("a condition and an order", 181, { n in Reminder.where { $0.position > n }.order { $0.title }.serialized }),
    (
      "a join", 246,
      { number in
        Reminder.join(RemindersList.unscoped) { $0.remindersListID.eq($1.id) }
          .where { reminder, list in reminder.position > 10 && list.title.neq("Anna") }
          .order { reminder, _ in reminder.title }.select { ($0.id, $1.title) }.limit(number).serialized
      }
    ),
    (
      "a join with itself", 230,
      { number in
        Reminder.join(Reminder.as(Other.self).all) { $0.position.eq($1.id) }
          .where { reminder, other in reminder.position > 10 && other.title.eq("north") }
          .order { reminder, _ in reminder.title }.select { ($0.id, $1.title) }.limit(number).serialized
      }
    ),
    (
      "groups", 126,
      { number in
        Reminder.group { $0.remindersListID }.having { $0.count() > number }
          .select { ($0.remindersListID, $0.position.sum()) }.serialized
      }
    ),
    (
      "an update", 106,
      { number in Reminder.find(number).update { $0.position = $0.position + 1 }.serialized }
    ),
    ("a delete", 45, { Reminder.find($0).delete().serialized }),
  ]

  @Test(arguments: buildings.indices)
  func `building takes no more than it took`(_ index: Int) {
    let building = Self.buildings[index]
    // The first time fills what is kept for the life of a program, such as the descriptions of columns.
    _ = building.build(1)
    let taken = Allocations.of { _ = building.build(7) }
    #expect(taken <= building.most, "\(building.name)")
    #if DEBUG
      #expect(taken > building.most / 2, "\(building.name) takes much less: lower its bound")
    #endif
  }

  @Test func `rows of an insert take the same, each`() {
    func taken(_ count: Int) -> UInt64 {
      let rows = (1...count).map { Reminder(id: $0, remindersListID: 1) }
      return Allocations.of { _ = Reminder.insert { rows }.serialized }
    }
    _ = taken(1)
    let (few, many) = (taken(100), taken(1_000))
    #expect(many < 11 * few, "100 rows: \(few), 1,000 rows: \(many)")
  }
}
