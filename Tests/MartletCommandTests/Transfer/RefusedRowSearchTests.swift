/// How the row is found that a database does not take.
import Testing

@testable import MartletCommand

struct RefusedRowSearchTests {
  /// The row that is found, and what was sent for it. `isTaken` gives the database's answer to each range.
  private func search(_ rowCount: Int, _ isTaken: (Range<Int>) -> Bool) -> (found: Int?, sent: [Range<Int>]) {
    var search = RefusedRowSearch(rowCount: rowCount)
    var sent: [Range<Int>] = []
    while let next = search.next, sent.count < 100 {
      sent.append(next)
      search.answered(isTaken: isTaken(next))
    }
    return (search.found, sent)
  }

  @Test(arguments: [(1, 0), (2, 0), (2, 1), (3, 1), (7, 0), (7, 3), (7, 6), (1_000, 999)])
  func `the first row that is refused is found, and no row is taken twice`(rowCount: Int, bad: Int) {
    let (found, sent) = search(rowCount) { !$0.contains(bad) }
    #expect(found == bad)
    let taken = sent.filter { !$0.contains(bad) }.flatMap { Array($0) }
    #expect(taken == Array(0..<bad))
  }

  @Test(arguments: [2, 3, 8, 1_000])
  func `nobody is blamed if all rows are taken one after the other`(rowCount: Int) {
    let (found, sent) = search(rowCount) { _ in true }
    #expect(found == nil)
    #expect(sent.flatMap { Array($0) } == Array(0..<rowCount))
  }

  @Test func `a row that was refused with others and is taken alone is not blamed`() {
    let (found, sent) = search(4) { $0.count == 1 }
    #expect(found == nil && sent == [0..<2, 0..<1, 1..<2])
  }
}
