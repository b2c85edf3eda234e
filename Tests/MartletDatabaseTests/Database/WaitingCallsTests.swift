/// How many calls of a program may wait: for a connection, and for a thread that may block.
import Dispatch
import Foundation
import MartletTestSupport
import MartletThreads
import MartletValues
import Synchronization
import Testing

@testable import MartletDatabase

@Suite(.timeLimit(.minutes(3))) struct WaitingCallsTests {
  private struct NoFile: Error {}

  /// How a call ended.
  private enum Ending: Equatable, Sendable {
    case value(Int)
    case refused
    case failed
  }

  private final class Counts: Sendable {
    let ran = Atomic(0)
    let told = Atomic(0)
  }

  private static func ending(_ body: () async throws -> Int) async -> Ending {
    do {
      return .value(try await body())
    } catch let error as RequestError where error.reason == .overloaded {
      let says = "Too many reads and writes of this program wait. Nothing was done."
      return error.code == .resourceExhausted && error.isRetryable && error.message.hasPrefix(says) ? .refused : .failed
    } catch {
      return .failed
    }
  }

  @Test func `a call is refused if as many wait for a thread as may, and does not run`() async {
    let pool = ThreadPool(name: "test", most: 1, waitingMax: 1)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    pool.run {
      begun.signal()
      gate.wait()
    }
    let hasBegun = begun.wait(timeout: .now() + 60) == .success
    #expect(hasBegun)
    let counts = Counts()
    let endings = await withTaskGroup(of: Ending.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await Self.ending {
            try await ClosureThreads.offload(to: pool) { done in
              counts.ran.add(1, ordering: .relaxed)
              done(.success(7))
            } refused: {
              counts.told.add(1, ordering: .relaxed)
            }
          }
        }
      }
      // Two are refused while the third waits; it runs as soon as the thread is free.
      var endings = [await group.next(), await group.next()]
      gate.signal()
      endings.append(await group.next())
      return endings
    }
    #expect(endings == [.refused, .refused, .value(7)])
    #expect(counts.ran.load(ordering: .relaxed) == 1)
    #expect(counts.told.load(ordering: .relaxed) == 2)
  }

  @Test func `a call is refused if as many wait for a connection as may`() async {
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let leases = ConnectionLeases(most: 1, waitingMax: 2) { _ in
      begun.signal()
      gate.wait()
      throw NoFile()
    }
    // It has the only connection: it is still being opened.
    Thread.detachNewThread { _ = try? leases.take() }
    let hasBegun = begun.wait(timeout: .now() + 60) == .success
    #expect(hasBegun)
    let endings = await withTaskGroup(of: Ending.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await Self.ending {
            _ = try await leases.take()
            return 0
          }
        }
      }
      var endings = [await group.next()]
      // The others take over the opening, one after the other.
      for _ in 0..<3 { gate.signal() }
      for _ in 0..<2 { endings.append(await group.next()) }
      return endings
    }
    #expect(endings == [.refused, .failed, .failed])
  }
}
