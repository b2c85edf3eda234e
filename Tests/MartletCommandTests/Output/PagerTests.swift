/// Whether what shall show long results is there.
import Testing

@testable import MartletCommand

struct PagerTests {
  @Test(arguments: [
    ("sh", true), ("sh -c 'cat'", true), ("/bin/sh", true), ("LESS=x  sh", true), ("nosuchpager", false),
    ("/bin/nosuchpager -x", false), ("A=1 nosuchpager", false), ("(nosuchpager)", true), ("exec sh", true), ("", true),
  ])
  func `a program is there or not, and what only a shell can tell is`(command: String, isThere: Bool) {
    #expect(Pager.isThere(command) { $0 == "PATH" ? "/nowhere:/bin" : nil } == isThere)
  }
}
