/// Which frames of a log can be believed, as scripts of what SQLite writes.
import Testing

@testable import MartletSQLite

@Suite struct LogFramesTests {
  private let page: Int64 = 4096
  private func header(_ frame: Int64) -> Int64 { 32 + frame * (24 + page) }

  @Test func `a read of a frame's page is told from others by its place and size`() {
    #expect(LogFrames.isPage(page, at: header(0) + 24) && LogFrames.isPage(page, at: header(7) + 24))
    #expect(LogFrames.isPage(512, at: 56) && LogFrames.isPage(65_536, at: 56 + 65_560))
    let others: [(Int64, Int64)] = [
      (32, 0), (24, 32), (page + 24, 32), (page, 0), (page, header(1)), (100, 56), (8, 24),
    ]
    for (count, offset) in others { #expect(!LogFrames.isPage(count, at: offset), "\(count) at \(offset)") }
  }

  @Test func `a frame's checksum goes on from the one before it`() {
    #expect(LogFrames.seedOffset(ofPage: page, at: header(0) + 24) == 24)
    #expect(LogFrames.seedOffset(ofPage: page, at: header(1) + 24) == header(0) + 16)
    #expect(LogFrames.seedOffset(ofPage: page, at: header(9) + 24) == header(8) + 16)
  }

  @Test func `a page written over another is not believed until its checksums are made anew`() {
    var frames = LogFrames()
    for frame in 0..<4 as Range<Int64> {
      frames.wrote(24, at: header(frame))
      frames.wrote(page, at: header(frame) + 24)
      #expect(frames.isSettled(header(frame) + 24))
    }
    frames.wrote(page, at: header(1) + 24)
    #expect(frames.isSettled(header(0) + 24) && !frames.isSettled(header(1) + 24) && !frames.isSettled(header(3) + 24))
    for frame in 1..<4 as Range<Int64> {
      frames.wrote(24, at: header(frame))
      #expect(frames.isSettled(header(frame) + 24))
    }
    // Later frames, too, once their headers are written.
    #expect(!frames.isSettled(header(4) + 24))
    frames.wrote(24, at: header(4))
    frames.wrote(page, at: header(4) + 24)
    #expect(frames.isSettled(header(4) + 24))
  }

  @Test func `a log that begins anew is believed`() {
    var frames = LogFrames()
    frames.wrote(page, at: header(0) + 24)
    #expect(!frames.isSettled(header(0) + 24))
    frames.wrote(32, at: 0)
    #expect(frames.isSettled(header(0) + 24))
  }

  @Test func `what a transaction has written is counted in whole frames, each once`() {
    var frames = LogFrames()
    func write(_ frame: Int64) {
      frames.wrote(24, at: header(frame))
      frames.wrote(page, at: header(frame) + 24)
    }
    for frame in 0..<3 as Range<Int64> { write(frame) }
    #expect(frames.writtenBytes == 3 * (24 + page))
    frames.forgetWritten()
    #expect(frames.writtenBytes == 0)
    // Another transaction, behind them; it changes its first page again.
    for frame in 3..<8 as Range<Int64> { write(frame) }
    frames.wrote(page, at: header(3) + 24)
    #expect(frames.writtenBytes == 5 * (24 + page))
    // The log begins anew under it.
    frames.wrote(32, at: 0)
    write(0)
    #expect(frames.writtenBytes == 24 + page)
  }
}
