import Testing

@testable import MartletSQLite

/// Writes on their way to the log, as scripts.
@Suite struct FrameBufferTests {
  private func take(_ buffer: inout FrameBuffer, _ count: Int, at offset: Int64) -> Bool {
    [UInt8](repeating: UInt8(truncatingIfNeeded: offset), count: count).withUnsafeBytes { buffer.take($0, at: offset) }
  }

  private func empty(_ buffer: inout FrameBuffer, code: Int32 = 0) -> (code: Int32, pieces: [Range<Int64>]) {
    var pieces: [Range<Int64>] = []
    let result = buffer.empty { bytes, offset in
      pieces.append(offset..<offset + Int64(bytes.count))
      return code
    }
    return (result, pieces)
  }

  @Test func `what lies end to end becomes one piece, and everything else waits until that is written`() {
    var buffer = FrameBuffer()
    #expect(take(&buffer, 32, at: 0) && take(&buffer, 24, at: 32) && take(&buffer, 4096, at: 56))
    #expect(!take(&buffer, 24, at: 5000), "A hole.")
    #expect(!take(&buffer, 24, at: 32), "Over what waits.")
    #expect(empty(&buffer).pieces == [0..<4152])
    #expect(empty(&buffer).pieces == [])
    #expect(take(&buffer, 24, at: 5000))
    #expect(empty(&buffer).pieces == [5000..<5024])
  }

  @Test func `it holds no more than its capacity`() {
    var buffer = FrameBuffer()
    #expect(!take(&buffer, SQLiteLimits.frameBufferBytesMax + 1, at: 0))
    #expect(take(&buffer, SQLiteLimits.frameBufferBytesMax, at: 0))
    #expect(!take(&buffer, 1, at: Int64(SQLiteLimits.frameBufferBytesMax)))
  }

  @Test func `after a write that failed nothing behind it is taken until SQLite appends before it`() {
    var buffer = FrameBuffer()
    #expect(take(&buffer, 4096, at: 56))
    #expect(empty(&buffer, code: 13).code == 13)
    #expect(buffer.refusal(at: 4152, isAppended: true) == 13 && buffer.refusal(at: 57, isAppended: false) == 13)
    // The page of an earlier frame, which a transaction changes again where it lies.
    #expect(buffer.refusal(at: 50, isAppended: false) == nil && buffer.refusal(at: 4152, isAppended: true) == 13)
    #expect(buffer.refusal(at: 56, isAppended: true) == nil && buffer.refusal(at: 4152, isAppended: true) == nil)
  }
}
