/// What a read batch is told when something stopped it.
import MartletSQLite
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ReadBatchStopTests {
  private let limits = Limits()

  private func interrupted(_ stop: ExecutionLimiter.Stop?) -> RequestError {
    RequestError(SQLiteError(extendedCode: SQLiteCode.interrupt, message: "interrupted"), stop: stop)
  }

  private func told(_ error: RequestError, by stop: ReadBatchStop) -> RequestError? {
    guard case .failed(let error) = stop.explained(.failed(error)).ending else { return nil }
    return error
  }

  private let evicted = RequestError.snapshotEnded(.logGrew(ageMs: 1, grownBytes: 1))

  @Test func `only an owner that cancelled is told so, whatever the limiter was asked`() {
    // A step that ran, one that had not begun, and one that was ended from outside.
    for error in [interrupted(.cancelled), .cancelledByOwner, interrupted(nil)] {
      let cases: [(ReadBatchStop, RequestError.Reason)] = [
        (ReadBatchStop(isCancelled: true, isLate: false), .cancelled),
        (ReadBatchStop(isCancelled: true, isLate: true, ending: evicted), .cancelled),
        (ReadBatchStop(isCancelled: false, isLate: true), .deadline),
        (ReadBatchStop(isCancelled: false, isLate: true, ending: .deadlinePassed), .deadline),
        (ReadBatchStop(isCancelled: false, isLate: false, ending: evicted), .snapshotEvicted),
        (ReadBatchStop(isCancelled: false, isLate: false, ending: .shuttingDown), .shuttingDown),
      ]
      for (stop, reason) in cases {
        #expect(told(error, by: stop)?.reason == reason)
        #expect(stop.refusal(.transactionOver).reason == reason)
      }
      let eviction = ReadBatchStop(isCancelled: false, isLate: false, ending: evicted)
      #expect(told(error, by: eviction)?.isRetryable == true)
    }
  }

  @Test func `what failed for a reason of its own keeps that`() {
    let stop = ReadBatchStop(isCancelled: true, isLate: true, ending: evicted)
    for error in [.heldTooMuch(limits), .batchAborted, interrupted(.deadline), interrupted(.budget)] as [RequestError] {
      #expect(told(error, by: stop) == error)
    }
    guard case .completed = stop.explained(.skipped).ending else {
      Issue.record("a step that was skipped has not failed")
      return
    }
    let nothing = ReadBatchStop(isCancelled: false, isLate: false)
    #expect(nothing.refusal(.readersOverloaded) == .readersOverloaded)
    #expect(told(interrupted(nil), by: nothing)?.isRetryable == true)
  }
}
