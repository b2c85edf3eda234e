/// What a server says that it took, and what a person is told if it says nothing.
import MartletClient
import MartletValues
import Testing

@testable import MartletCommand

struct TransferReportTests {
  @Test func `any number of rows may be acknowledged`() {
    let count = AcknowledgedRows()
    count.add(3)
    count.add(-5)
    #expect(count.rows == 3)
    count.add(.max)
    count.add(.max)
    #expect(count.rows == .max)
  }

  /// Errors whose writes did not happen, and those that nobody knows of.
  private static let endings: [(error: any Error, isUnknown: Bool)] = [
    (RequestError(.invalidArgument, .constraint, "No."), false),
    (RequestError(.internal, .internal, "No.", isOutcomeUnknown: true), true),
    (ClientError(.connectionLost, "No."), false),
    (ClientError(.connectionLost, "No.", isOutcomeUnknown: true), true),
  ]

  @Test func `an import says that nothing is there only if that is known`() throws {
    for (error, isUnknown) in Self.endings {
      let whole = try #require(TransferReport(bytesTotal: 1).explaining(error, isAtomic: true) as? CommandFailure)
      #expect(whole.description.hasSuffix(" Nothing was imported.") == !isUnknown, "\(whole)")
      #expect(whole.description.contains(" All of it was imported, or nothing. ") == isUnknown, "\(whole)")
      var begun = TransferReport(bytesTotal: 1)
      begun.tableBegun("t")
      begun.acknowledged.add(7)
      let parts = try #require(begun.explaining(error, isAtomic: false) as? CommandFailure)
      #expect(parts.description.contains(" At least 7 rows of t are in the database") == isUnknown, "\(parts)")
      #expect(parts.description.contains("7 rows of t are in the database"), "\(parts)")
    }
  }
}
