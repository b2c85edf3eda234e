import MartletValues

@testable import MartletEngine

extension WriteLanes<String>.Turn {
  /// Whose turn it is, in words; moments in milliseconds since `start`.
  func word(since start: MonotonicTime) -> String {
    switch self {
    case .idle(let until): until == .distantFuture ? "idle" : "idle until \(until.milliseconds(since: start))"
    case .group(let jobs): jobs.joined(separator: " ")
    case .exclusive(let job): "begin " + job
    case .long(let write, let grant): "long \(write.job) for \(grant)"
    }
  }
}
