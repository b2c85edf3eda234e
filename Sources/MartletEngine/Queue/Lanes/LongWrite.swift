import MartletValues

/// A write that runs long and waits for its turn.
struct LongWrite<Job> {
  let id: UInt64
  let job: Job
  let share: SessionShare
  let deadline: MonotonicTime
  /// Milliseconds of the write's next turn while others wait.
  var askMs: Int
}
