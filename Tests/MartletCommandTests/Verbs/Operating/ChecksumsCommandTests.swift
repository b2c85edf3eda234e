/// What `martlet checksums` says of a database's pages.
import MartletEngine
import Testing

@testable import MartletCommand

@Suite struct ChecksumsCommandTests {
  private func text(log: Int64, checksums: Bool = true, damaged: [Int] = []) -> String {
    ChecksumsCommand.text(
      ChecksumTask.Report(
        hasChecksums: checksums, pages: checksums ? 7 : 0, damaged: damaged, damagedCount: damaged.count, logBytes: log)
    )
  }

  @Test func `a log that was not compared is told, whatever the pages of the file are like`() {
    #expect(text(log: 0) == "All 7 pages of the file hold.\n")
    #expect(text(log: 0, checksums: false) == "The file has no page checksums.\n")
    for text in [text(log: 4152), text(log: 4152, checksums: false), text(log: 4152, damaged: [3])] {
      #expect(text.contains("A log of 4152 bytes") && text.contains("martlet check"), "\(text)")
    }
    #expect(text(log: 4152, damaged: [3]).hasPrefix("1 of 7 pages do not hold: 3.\n"))
  }
}
