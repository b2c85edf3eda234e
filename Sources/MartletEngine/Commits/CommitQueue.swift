import MartletSQLite

/// The commits that one subscriber has not taken yet.
///
/// Always true: it holds at most `most` commits, in their order; when one more comes, all that wait become a gap, which
/// tells what they wrote; its subscriber is woken once until it takes what there is.
struct CommitQueue: Equatable {
  private let most: Int
  private var news = CommitNews()

  init(most: Int) { self.most = max(1, most) }

  /// Returns whether the subscriber is to be woken.
  mutating func committed(_ commit: Commit) -> Bool {
    defer { invariant() }
    let isWoken = news.isEmpty
    if news.commits.count == most { fold() }
    news.commits.append(commit)
    return isWoken
  }

  /// Returns whether the subscriber is to be woken.
  mutating func ended(_ end: CommitEnd) -> Bool {
    guard news.end == nil else { return false }
    let isWoken = news.isEmpty
    news.end = end
    return isWoken
  }

  private mutating func fold() {
    var gap = news.gap ?? CommitGap(through: 0, tables: TableSet())
    for commit in news.commits {
      gap.through = commit.sequence
      gap.tables.formUnion(commit.tables)
    }
    news.gap = gap
    news.commits.removeAll(keepingCapacity: true)
  }

  /// What has happened since the last call.
  mutating func taken() -> CommitNews {
    defer { news = CommitNews() }
    return news
  }

  private func invariant() {
    assert(news.commits.count <= most)
    assert(zip(news.commits, news.commits.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    assert(news.gap.map { gap in news.commits.allSatisfy { $0.sequence > gap.through } } ?? true)
  }
}
