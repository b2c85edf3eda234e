/// Which threads have become stuck, and which have come back, from one look at them to the next.
import Testing

@testable import MartletServer

@Suite struct StuckThreadsTests {
  @Test func `each is told of once, and once when it is back`() {
    var threads = StuckThreads()
    let loop = StuckThreads.Subject(thread: "loop.0", id: 1)
    let reader = StuckThreads.Subject(thread: "reader", id: 7)
    #expect(threads.looked(at: [:]) == [])
    #expect(threads.looked(at: [loop: 1_000]) == [.stuck(loop, ms: 1_000)])
    #expect(threads.looked(at: [loop: 1_250, reader: 1_100]) == [.stuck(reader, ms: 1_100)])
    #expect(threads.looked(at: [loop: 1_500, reader: 1_350]) == [])
    #expect(threads.subjects == [loop, reader])
    #expect(threads.looked(at: [reader: 1_600]) == [.back(loop, ms: 1_500)])
    // Another statement on the same thread is another finding.
    let next = StuckThreads.Subject(thread: "reader", id: 8)
    #expect(Set(threads.looked(at: [next: 1_000]).map { "\($0)" }).count == 2)
    #expect(threads.count == 1)
  }
}
