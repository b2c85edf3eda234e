/// Plans as trees, and rows that are no tree.
import MartletValues
import Testing

@testable import MartletCommand

struct QueryPlanPrinterTests {
  private func drawn(_ rows: [(id: Int64, parent: Int64, detail: String)]) -> String {
    var printer = QueryPlanPrinter()
    var output: [UInt8] = []
    printer.begin(columns: ["id", "parent", "notused", "detail"], to: &output)
    let values = rows.map { [Value.integer($0.id), .integer($0.parent), 0, .text($0.detail)] }
    printer.append(RowBatch(rows: values, columnCount: 4), to: &output)
    printer.end(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `rows hang below the row that they name`() {
    #expect(
      drawn([(2, 0, "SCAN a"), (5, 2, "SEARCH b"), (9, 0, "USE"), (11, 99, "ALONE")])
        == "QUERY PLAN\n|--SCAN a\n|  `--SEARCH b\n|--USE\n`--ALONE\n")
  }

  @Test func `rows that hang below themselves are drawn once`() {
    #expect(drawn([(1, 0, "a"), (1, 1, "b")]) == "QUERY PLAN\n`--a\n   `--b\n")
    #expect(
      drawn([(1, 0, "a"), (2, 1, "b"), (1, 2, "c"), (2, 1, "d")])
        == "QUERY PLAN\n`--a\n   |--b\n   |  `--c\n   `--d\n")
  }

  @Test func `a plan of any depth is drawn`() {
    let lines = drawn((1...CommandLimits.planRowsMax).map { (Int64($0), Int64($0 - 1), "x") }).split(separator: "\n")
    #expect(lines.count == CommandLimits.planRowsMax + 1)
    #expect(lines.allSatisfy { $0.utf8.count < 4 * CommandLimits.planDepthMax })
  }
}
