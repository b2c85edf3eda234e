import Testing

@testable import MartletServer

@Suite struct ThreadCachesTests {
  @Test(
    arguments: [
      (nil, "glibc.malloc.tcache_count=2"),
      ("", "glibc.malloc.tcache_count=2"),
      ("glibc.malloc.perturb=1", "glibc.malloc.perturb=1:glibc.malloc.tcache_count=2"),
      ("glibc.malloc.tcache_count=7", nil),
      ("glibc.malloc.perturb=1:glibc.malloc.tcache_count=0", nil),
    ] as [(String?, String?)])
  func `the environment says how much a thread keeps, unless somebody has said it already`(
    _ present: String?, _ expected: String?
  ) {
    #expect(ThreadCaches.tunables(beside: present) == expected)
  }

  @Test func `what was made for a process is not made again by the one that it becomes`() throws {
    let made = try #require(ThreadCaches.tunables(beside: nil))
    #expect(ThreadCaches.tunables(beside: made) == nil)
  }
}
