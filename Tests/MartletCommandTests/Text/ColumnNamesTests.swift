/// Which names a file may give its columns.
import Testing

@testable import MartletCommand

struct ColumnNamesTests {
  @Test func `names that SQLite would take for one are refused, and all others are kept in their order`() {
    var names = ColumnNames()
    for name in ["b", "a", "É", "é", "a b"] { #expect(names.add(name) == nil, "\(name)") }
    #expect(names.add("A") == "there is a column a already. Give this one another name.")
    #expect(names.add("") == "this column has no name. Name it.")
    #expect(names.add("x\0")?.contains("zero byte") == true)
    #expect(names.names == ["b", "a", "É", "é", "a b"])
  }

  @Test func `there are no more names than a table may have columns`() {
    var names = ColumnNames()
    for number in 0..<CommandLimits.columnsMax { #expect(names.add("c\(number)") == nil) }
    #expect(names.add("one more")?.contains("more than the 2000 columns") == true)
    #expect(names.names.count == CommandLimits.columnsMax)
  }
}
