import SQLite
import Testing

@Suite struct BlobTests {
  @Test func blobsPrintAsSQLWritesThem() {
    #expect(Blob(bytes: [0, 255, 16]).description == "x'00ff10'")
    #expect(Blob(bytes: []).description == "x''")
    #expect(Blob(bytes: [171]).toHex() == "ab")
  }
}
