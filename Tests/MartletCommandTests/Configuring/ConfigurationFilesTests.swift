/// What `martlet config check` says of the files and folders that a configuration names.
import Foundation
import MartletServer
import MartletTestSupport
import Testing

@testable import MartletCommand

struct ConfigurationFilesTests {
  @Test func `a key file that is not there, or that others may read, is a mistake`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/key"
    let missing = try ConfigurationTests.read("key-file = \"\(path)\"").mistakesInFiles()
    #expect(missing.count == 1 && missing[0].contains(path), "\(missing)")
    try Data("secret\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o644)
    #expect(try ConfigurationTests.read("key-file = \"\(path)\"").mistakesInFiles().count == 1)
    chmod(path, 0o600)
    #expect(try ConfigurationTests.read("key-file = \"\(path)\"").mistakesInFiles() == [])
  }

  @Test func `a socket whose folder is not there is a mistake, and names the folder`() throws {
    let folder = try TemporaryFolder()
    let there = "listen = [\"martlet+unix://\(folder.path)/m.sock\"]"
    #expect(try ConfigurationTests.read(there).mistakesInFiles() == [])
    let path = folder.path + "/none/m.sock"
    #expect(
      try ConfigurationTests.read("listen = [\"martlet+unix://\(path)\"]").mistakesInFiles() == [
        "The server cannot listen at \(path): there is no folder \(folder.path)/none. Make it, or choose another path."
      ])
    // The service makes it when it starts.
    #expect(try ConfigurationTests.read("listen = [\"martlet+unix:///run/none/m.sock\"]").mistakesInFiles() == [])
  }
}
