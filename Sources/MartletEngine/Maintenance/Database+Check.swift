import Foundation
import MartletThreads
package import MartletValues

/// Checking a database that is open: the request, and the thread that it runs on.
///
/// Always true: what is started is answered once, also if there is no thread or connection for it.
extension Database {
  /// Looks the database over: each table with its indexes and foreign keys in a snapshot of its own, or the whole file
  /// in one. Answers with rows of `check`, `object`, `ok`, `message` and `value`; one check of a database runs at a
  /// time.
  package func check(
    wholeFile: Bool, deadline: MonotonicTime, credit: Int, account: MemoryAccount? = nil, token: RequestToken,
    sink: any ReplySink
  ) -> Execution {
    file.noteUse()
    let execution = Execution(token: token, sink: sink, deadline: deadline, credit: credit, account: account)
    do throws(RequestError) {
      try file.maintenance.begin()
    } catch {
      execution.deliver(.failed(error))
      return execution
    }
    // The thread keeps the database open until it has ended.
    ThreadStarter.shared.start(named: "martlet-check") { [self] in
      do throws(RequestError) {
        try DatabaseCheck(file, execution: execution, isWhole: wholeFile).run()
      } catch {
        file.maintenance.end()
        execution.deliver(.failed(error))
      }
    }
    return execution
  }
}
