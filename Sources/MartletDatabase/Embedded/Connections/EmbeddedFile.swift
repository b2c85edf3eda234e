import MartletEngine
import MartletValues

/// What the connections of one database have in common.
struct EmbeddedFile: Sendable {
  let path: String
  let configuration: Configuration
  let limits: Limits
  let plans: PlanCache
  let feed = CommitFeed(clock: CommitClock(wallClock: EngineConfiguration.systemMicroseconds))
  let observers: CommitObservers
  let syncs = SharedSyncs()

  init(path: String, configuration: Configuration) {
    self.path = path
    self.configuration = configuration
    limits = Limits(ofFileWith: configuration)
    observers = CommitObservers(following: feed)
    plans = PlanCache(path: nil, limits: limits, clock: { MonotonicTime(nanoseconds: 0) })
  }
}
