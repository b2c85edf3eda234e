// Four threads that count under a mutex for which they wait, and, if asked, beside it: what the sanitizer must not
// report, and what it must.
import Foundation
import Synchronization

final class Counts: @unchecked Sendable {
  let guarded = Mutex(0)
  var unguarded = 0
}

let counts = Counts()
let races = CommandLine.arguments.contains("race")
let group = DispatchGroup()
for _ in 0..<4 {
  group.enter()
  Thread.detachNewThread {
    for _ in 0..<20_000 {
      counts.guarded.withLock { $0 += 1 }
      if races { counts.unguarded += 1 }
    }
    group.leave()
  }
}
group.wait()
let total = counts.guarded.withLock { $0 }
print(total)
