/// What is said of output that has no room.
#if os(Linux)
  import Glibc
  import Testing

  @testable import MartletCommand

  struct StandardOutputTests {
    @Test func `of a scratch file that has no room the variable is named that says where it stands`() throws {
      let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
      try #require(full >= 0)
      defer { close(full) }
      var scratch = StandardOutput(descriptor: full, isTemporary: true)
      scratch.write("x")
      let failure = #expect(throws: CommandFailure.self) { try scratch.flush() }
      #expect(failure?.description.contains("No space left on device. Name a folder with more room") == true)
      #expect(failure?.description.hasSuffix("TMPDIR.") == true)
      let other = #expect(throws: CommandFailure.self) { try StandardOutput.write([0], to: full) }
      #expect(other?.description == "The output cannot be written: No space left on device.")
    }
  }
#endif
