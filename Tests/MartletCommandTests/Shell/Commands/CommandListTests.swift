/// What `.help` shows on terminals of several widths.
import Testing

@testable import MartletCommand

struct CommandListTests {
  @Test(arguments: [30, 40, 60, 80, 200])
  func `no line is wider than the terminal, and every command is there`(columns: Int) {
    let lines = CommandList.text(columns: columns).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { DisplayWidth.of($0) < columns })
    for name in DotCommand.names { #expect(lines.contains { $0.hasPrefix(".\(name)") }, "\(name)") }
  }

  @Test func `off a terminal each command has one line`() {
    let lines = CommandList.text().split(separator: "\n")
    #expect(lines.count { $0.hasPrefix(".") } == DotCommand.all.count && lines.count == DotCommand.all.count + 1)
  }
}
