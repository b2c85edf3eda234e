internal import MartletValues

/// What one session of a loop wants opened, and how it is told what became of it.
///
/// Always true: `opened` is called on the loop, once, and only while `isWanted` says that somebody waits.
struct LoopOpening {
  /// Each subject has openings of its own, because they count as its share of the time.
  struct Topic: Hashable {
    let key: LoopDatabase.Key
    let share: UInt64
  }

  /// What decides beside the database whether it can be opened.
  struct Question: Equatable {
    let create: Bool
    let subject: Subject
  }

  /// Why something was not opened. `isAskersOwn`: because the asker has gone, or has waited for too long.
  struct Refusal: Error {
    let error: RequestError
    let isAskersOwn: Bool
  }

  let key: LoopDatabase.Key
  let question: Question
  let asker: Asker
  let isWanted: @Sendable () -> Bool
  let opened: @Sendable (Result<LoopDatabase, RequestError>) -> Void

  var topic: Topic { Topic(key: key, share: question.subject.share) }
}
