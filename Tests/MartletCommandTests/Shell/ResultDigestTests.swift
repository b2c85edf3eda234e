/// When two runs of a statement have shown the same.
import MartletValues
import Testing

@testable import MartletCommand

@Suite struct ResultDigestTests {
  private func digest(_ columns: [String], _ batches: [[[Value]]]) -> ResultDigest {
    var digest = ResultDigest()
    digest.begin(columns: columns)
    for rows in batches { digest.append(RowBatch(rows: rows, columnCount: columns.count)) }
    return digest
  }

  @Test func `batches do not matter, and everything else does`() {
    let rows: [[Value]] = [[1, "a"], [.null, .blob([1])], [.real(1), ""]]
    let whole = digest(["x", "y"], [rows])
    #expect(whole == digest(["x", "y"], rows.map { [$0] }))
    for other: [[Value]] in [
      Array(rows.reversed()), Array(rows.dropLast()), rows + [[1, "a"]], [[1, "a"], [.null, .blob([1])], [1, ""]],
      [[1, "a"], [.null, .text("\u{1}")], [.real(1), ""]], [["1", "a"], [.null, .blob([1])], [.real(1), ""]],
      [[1, "a"], [0, .blob([1])], [.real(1), ""]], [[1, "a"], [.null, .blob([1])], [.real(1), .null]],
    ] {
      #expect(whole != digest(["x", "y"], [other]), "\(other)")
    }
    #expect(whole != digest(["x", "z"], [rows]))
    // Where one text ends and the next begins counts.
    #expect(digest(["x", "y"], [[["ab", "c"]]]) != digest(["x", "y"], [[["a", "bc"]]]))
  }
}
