/// The columns that a JSON file's names are.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletCommand

struct JSONImportRecordsTests {
  @Test func `names that differ only in how Unicode spells them are two columns`() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/a.json"
    try Data("[{\"caf\u{E9}\":1,\"cafe\u{301}\":\"x\"}]".utf8).write(to: URL(filePath: path))
    let columns = try JSONImportRecords(path, name: "a.json", isLines: false).survey { _ in }
    #expect(columns.map { Array($0.name.utf8) } == [Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8)])
    #expect(columns.map(\.type) == ["INTEGER", "TEXT"])
  }

  @Test func `a text that is not UTF-8 is refused with its place and what to do`() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/a.json"
    try Data(Array("[{\"a\":\"".utf8) + [0xE4] + Array("\"}]".utf8)).write(to: URL(filePath: path))
    let failure = #expect(throws: CommandFailure.self) {
      try JSONImportRecords(path, name: "a.json", isLines: false).survey { _ in }
    }
    #expect(
      failure?.description
        == "a.json, line 1, column 7: this text is not UTF-8. Convert the file, as in iconv -f LATIN1 -t UTF-8.")
  }

  @Test func `a name that comes twice in one object is refused with the object's line`() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/a.jsonl"
    try Data("{\"a\":1,\"b\":2}\n{\"b\":3,\"a\":4}\n{\"a\":5,\"b\":6,\"a\":7}\n".utf8).write(
      to: URL(filePath: path))
    let failure = #expect(throws: CommandFailure.self) {
      try JSONImportRecords(path, name: "a.jsonl", isLines: true).survey { _ in }
    }
    #expect(failure?.description.hasPrefix("a.jsonl, line 3: of the name \"a\": the object has it twice.") == true)
  }
}
