/// What a look at a name says, and that it costs the next commit nothing.
import Foundation
import MartletTestSupport
import Testing

@testable import MartletEngine

@Suite struct FileStatusTests {
  private let folder = TemporaryDirectory()

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func make(_ name: String, bytes: Int = 0) throws {
    try Data(repeating: 1, count: bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  @Test func `it says what the system says`() throws {
    try make("file", bytes: 1_234)
    try make("twice")
    #expect(link(path("twice"), path("again")) == 0)
    #expect(symlink(path("file"), path("link")) == 0)
    #expect(symlink(path("nothing"), path("dangling")) == 0)
    #expect(mkfifo(path("pipe"), 0o640) == 0)
    #expect(mkdir(path("folder"), 0o750) == 0)
    #expect(chmod(path("file"), 0o4711) == 0)
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    let names = ["file", "twice", "again", "link", "dangling", "pipe", "folder", "."]
    let kinds: [FileStatus.Kind] = [.file, .file, .file, .link, .link, .other, .directory, .directory]
    for (name, kind) in zip(names, kinds) {
      var expected = stat()
      try #require(lstat(path(name), &expected) == 0)
      for found in [try FileStatus.look(at: path(name)), try FileStatus.look(at: name, in: directory)] {
        let found = try #require(found)
        #expect(found.kind == kind)
        #expect(found.identity == FileIdentity(expected))
        #expect(found.bytes == Int64(expected.st_size))
        #expect(found.links == Int(expected.st_nlink))
        #expect(found.mode == UInt32(expected.st_mode) & 0o7777)
      }
    }
    #expect(try FileStatus.look(at: path("file"))?.mode == 0o4711)
  }

  @Test func `where nothing is it says so, and what cannot be looked at is an error`() throws {
    try make("file")
    #expect(try FileStatus.look(at: path("nothing")) == nil)
    #expect(try FileStatus.look(at: path("file/below")) == nil)
    #expect(try FileStatus.look(at: "") == nil)
    #expect(throws: SystemFailure(code: ENAMETOOLONG)) {
      try FileStatus.look(at: path(String(repeating: "n", count: 300)))
    }
    #expect(throws: SystemFailure(code: EBADF)) { try FileStatus.look(at: "file", in: 9_999) }
  }

  #if os(Linux)
    /// Linux from 6.13 on gives a file whose times somebody has read an exact time at the next write, and writes its
    /// inode with the next `fdatasync`. Returns in how many rounds the second of two writes within one tick of the
    /// clock left the file with the tick's time.
    private func plainWrites(_ look: (String) -> Void) throws -> Int {
      let descriptor = open(path("log"), O_RDWR | O_CREAT, 0o600)
      defer { close(descriptor) }
      func tick() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time
      }
      var plain = 0
      for _ in 0..<60 {
        let former = tick().tv_nsec
        while tick().tv_nsec == former {}
        let time = tick()
        write(descriptor, "a", 1)
        look(path("log"))
        write(descriptor, "b", 1)
        var status = stat()
        fstat(descriptor, &status)
        if status.st_ctim.tv_nsec == time.tv_nsec { plain += 1 }
      }
      return plain
    }

    @Test func `it asks for no times, which would make the next commit dearer`() throws {
      let plainAfterStat = try plainWrites {
        var status = stat()
        lstat($0, &status)
      }
      guard plainAfterStat == 0 else {
        print("skipped: this system does not mind that a file's times are read")
        return
      }
      let plain = try plainWrites { _ = try? FileStatus.look(at: $0) }
      #expect(plain > 0)
    }
  #endif
}
