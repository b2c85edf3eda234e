/// Files with page checksums: what damages them is found, and everything else works as without them.
import Foundation
import Testing

@testable import MartletSQLite

@Suite struct PageFileTests {
  @Test func `a new file keeps eight bytes of each page and all pages hold`() throws {
    let fixture = PageFixture()
    let expected: [String]
    do {
      let connection = try fixture.open()
      try fixture.fill(connection)
      expected = try PageFixture.everything(connection)
      _ = try connection.checkpoint(.truncate)
      #expect(connection.hasPageChecksums)
    }
    let bytes = fixture.bytes
    #expect(bytes[20] == 8 && bytes.count > 200_000)
    for page in 0..<bytes.count / 4096 {
      #expect(bytes[page * 4096..<(page + 1) * 4096].withUnsafeBytes { PageChecksum.holds($0) }, "page \(page + 1)")
    }
    let reader = try fixture.open(.reader)
    #expect(try PageFixture.everything(reader) == expected)
    #expect(try PageFixture.rows("PRAGMA integrity_check", reader) == ["ok"])
  }

  /// Issue 8, item 15: every flipped bit is an error or harmless, never a wrong row.
  @Test func `no flipped bit of a file gives a wrong row`() throws {
    let fixture = PageFixture()
    let expected: [String]
    do {
      let connection = try fixture.open()
      try fixture.fill(connection, rows: 120)
      expected = try PageFixture.everything(connection)
      _ = try connection.checkpoint(.truncate)
    }
    let sound = fixture.bytes
    var random = SystemRandomNumberGenerator()
    let wanted = ProcessInfo.processInfo.environment["MARTLET_FLIPPED_BITS"].flatMap(Int.init) ?? 1_500
    // Every bit of the header, and as many anywhere.
    let bits = Array(0..<800) + (0..<wanted).map { _ in Int.random(in: 0..<sound.count * 8, using: &random) }
    var errors = 0
    for bit in bits {
      try fixture.flip(bit: bit, in: fixture.path)
      do {
        let reader = try fixture.open(.reader)
        let found = try PageFixture.everything(reader)
        #expect(found == expected, "bit \(bit) of page \(bit / 32_768 + 1) gave wrong rows")
      } catch let error as SQLiteError {
        errors += 1
        if bit >= 800 {
          #expect(error.damagedPage == .init(file: "data.sqlite", page: bit / 32_768 + 1), "bit \(bit): \(error)")
        }
      }
      try fixture.flip(bit: bit, in: fixture.path)
    }
    print("flipped bits: \(bits.count), of which \(errors) were errors and the others lay where nothing was read")
    #expect(errors > bits.count / 2 && fixture.bytes == sound)
  }

  @Test func `a flipped bit in the log is an error, in a frame of any transaction`() throws {
    let fixture = PageFixture()
    let writer = try fixture.open()
    try fixture.fill(writer)
    _ = try writer.checkpoint(.truncate)
    try writer.execute("UPDATE item SET name = 'other ' || id")
    let expected = try PageFixture.everything(try fixture.open(.reader))
    let log = fixture.path + "-wal"
    let size = try #require(FileManager.default.contents(atPath: log)?.count)
    var errors = 0
    for _ in 0..<300 {
      let bit = Int.random(in: 32 * 8..<size * 8)
      try fixture.flip(bit: bit, in: log)
      do {
        let found = try PageFixture.everything(try fixture.open(.reader))
        #expect(found == expected, "bit \(bit)")
      } catch let error as SQLiteError {
        errors += 1
        #expect(error.extendedCode == SQLiteCode.ioData, "\(error)")
      }
      try fixture.flip(bit: bit, in: log)
    }
    #expect(errors > 150)
    // What rotted in the log does not get into the file.
    try fixture.flip(bit: (32 + 24 + 2_000) * 8, in: log)
    #expect(throws: SQLiteError.self) { try writer.checkpoint(.passive) }
    try fixture.flip(bit: (32 + 24 + 2_000) * 8, in: log)
    #expect(try writer.checkpoint(.passive).isComplete)
    #expect(try PageFixture.everything(try fixture.open(.reader)) == expected)
  }

  @Test func `a transaction larger than its cache reads what it wrote over itself`() throws {
    let fixture = PageFixture()
    let writer = try fixture.open(cacheBytes: 64 << 10)
    try fixture.fill(writer)
    // Pages are written to the log, read back, and written over there, again and again.
    try writer.execute("BEGIN IMMEDIATE")
    for round in 0..<6 {
      let change = "body = zeroblob(1500 + \(round)), name = name || 'x'"
      try writer.execute("UPDATE item SET \(change) WHERE id % 2 = \(round % 2)")
      _ = try PageFixture.everything(writer)
    }
    try writer.execute("COMMIT")
    let expected = try PageFixture.everything(writer)
    #expect(try PageFixture.everything(try fixture.open(.reader)) == expected)
    try writer.execute("BEGIN IMMEDIATE")
    for _ in 0..<3 { try writer.execute("UPDATE item SET body = zeroblob(2500)") }
    try writer.execute("ROLLBACK")
    #expect(try PageFixture.everything(writer) == expected)
    try writer.execute("UPDATE item SET name = name || 'y'")
    #expect(try PageFixture.everything(try fixture.open(.reader)) == PageFixture.everything(writer))
    #expect(try writer.checkpoint(.truncate).isComplete)
    #expect(writer.verifyPages(from: 1, count: .max / 2)?.damaged == [])
  }

  @Test func `a file without checksums works as before, and VACUUM gives them to it`() throws {
    let fixture = PageFixture()
    let expected: [String]
    do {
      let writer = try fixture.open(checksums: .off)
      try fixture.fill(writer)
      expected = try PageFixture.everything(writer)
      #expect(!writer.hasPageChecksums && writer.verifyPages(from: 1, count: 10) == nil)
    }
    #expect(fixture.bytes[20] == 0)
    let writer = try fixture.open(checksums: .on)
    let reader = try fixture.open(.reader)
    try writer.execute("INSERT INTO gone VALUES (1)")
    try writer.execute("DELETE FROM gone")
    #expect(try PageFixture.everything(reader) == expected)
    #expect(!writer.hasPageChecksums && fixture.bytes[20] == 0)
    try writer.execute("VACUUM")
    #expect(try writer.checkpoint(.truncate).isComplete)
    #expect(fixture.bytes[20] == 8 && writer.hasPageChecksums)
    #expect(writer.verifyPages(from: 1, count: .max / 2)?.damaged == [])
    #expect(try PageFixture.everything(reader) == expected)
    #expect(try PageFixture.rows("PRAGMA integrity_check", reader) == ["ok"])
  }

  @Test func `pages are looked at in slices, and the damaged ones named`() throws {
    let fixture = PageFixture()
    let writer = try fixture.open()
    try fixture.fill(writer)
    _ = try writer.checkpoint(.truncate)
    let pages = fixture.bytes.count / 4096
    try fixture.flip(bit: 4096 * 8 * 4 + 77, in: fixture.path)
    try fixture.flip(bit: 4096 * 8 * (pages - 1) + 5, in: fixture.path)
    var next: Int? = 1
    var damaged: [Int] = []
    var seen = 0
    while let page = next {
      let slice = try #require(writer.verifyPages(from: page, count: 7))
      #expect(slice.pages <= 7)
      seen += slice.pages
      damaged += slice.damaged
      next = slice.next
    }
    #expect(seen == pages && damaged == [5, pages])
  }

  @Test func `a rollback journal works with checksums, and so does a page of 64 KiB`() throws {
    for pageBytes in [512, 4096, 65_536] {
      let fixture = PageFixture()
      let writer = try fixture.open(keepsJournalMode: true)
      try writer.execute("PRAGMA page_size=\(pageBytes)")
      try fixture.fill(writer)
      #expect(fixture.bytes[20] == 8 && writer.hasPageChecksums)
      let expected = try PageFixture.everything(writer)
      try writer.execute("BEGIN IMMEDIATE")
      try writer.execute("UPDATE item SET body = zeroblob(5000)")
      try writer.execute("ROLLBACK")
      #expect(try PageFixture.everything(try fixture.open(.reader, keepsJournalMode: true)) == expected)
      #expect(writer.verifyPages(from: 1, count: .max / 2)?.damaged == [])
      try fixture.flip(bit: pageBytes * 8 + 40, in: fixture.path)
      #expect(writer.verifyPages(from: 1, count: .max / 2)?.damaged == [2])
    }
  }

  @Test func `a copy has checksums that hold, and a file saved without comparing is readable`() throws {
    let fixture = PageFixture()
    let writer = try fixture.open()
    try fixture.fill(writer)
    let copy = PageFixture()
    let backup = try Backup(of: writer, to: copy.path)
    while try backup.step(pages: 20) {}
    let copied = try copy.open(.reader, keepsJournalMode: true)
    #expect(copied.hasPageChecksums && copied.verifyPages(from: 1, count: .max / 2)?.damaged == [])
    #expect(try PageFixture.everything(copied) == PageFixture.everything(writer))
    // A bit of an overflow page's zeros, which nothing but a checksum would miss.
    _ = try writer.checkpoint(.truncate)
    let bytes = fixture.bytes
    let zeros = try #require(
      (2..<bytes.count / 4096).first { page in bytes[page * 4096 + 200..<page * 4096 + 4000].allSatisfy { $0 == 0 } })
    try fixture.flip(bit: (zeros * 4096 + 1_000) * 8, in: fixture.path)
    let saved = try fixture.open(.reader, checksums: .unverified)
    #expect(try PageFixture.rows("SELECT count(hex(body)) FROM item", saved) == ["300"])
  }
}
