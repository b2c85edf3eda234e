/// What a server says that it took.
import Testing

@testable import MartletCommand

struct TransferReportTests {
  @Test func `any number of rows may be acknowledged`() {
    let count = RowCount()
    count.add(3)
    count.add(-5)
    #expect(count.rows == 3)
    count.add(.max)
    count.add(.max)
    #expect(count.rows == .max)
  }
}
