/// What the transaction of a connection has written, as scripts of statements and ends.
import MartletEngine
import MartletSQLite
import Testing

@Suite struct WriteTrackerTests {
  private static let items = TableName("items")
  private static let owners = TableName("owners")

  private static func set(_ tables: TableName...) -> TableSet { TableSet(Set(tables)) }

  @Test func `a transaction tells what it wrote when it is committed, and nothing when it is undone`() {
    var tracker = WriteTracker()
    #expect(tracker.committed().isEmpty)
    tracker.statementWrote(to: Self.set(Self.items))
    tracker.rolledBack()
    #expect(tracker.isEmpty)
    tracker.statementWrote(to: Self.set(Self.items))
    #expect(tracker.committed() == Self.set(Self.items))
    #expect(tracker.committed().isEmpty)
  }

  @Test func `what a member wrote goes when it is undone, and stays when it is kept`() {
    var tracker = WriteTracker()
    tracker.memberBegan()
    tracker.statementWrote(to: Self.set(Self.items))
    #expect(!tracker.isEmpty)
    tracker.memberUndone()
    #expect(tracker.isEmpty)
    tracker.memberBegan()
    tracker.statementWrote(to: Self.set(Self.owners))
    tracker.memberKept()
    tracker.memberBegan()
    tracker.statementWrote(to: .everything)
    tracker.memberUndone()
    tracker.memberUndone()
    #expect(tracker.committed() == Self.set(Self.owners))
    tracker.memberBegan()
    tracker.statementWrote(to: Self.set(Self.items))
    tracker.rolledBack()
    #expect(tracker.isEmpty && tracker.committed().isEmpty)
  }
}
