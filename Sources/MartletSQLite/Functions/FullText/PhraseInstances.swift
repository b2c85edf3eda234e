import CSQLite

/// The places of the query's phrases in a row, one after another in the order of columns and tokens.
///
/// FTS5 hands them out as one list too, which it makes in one go: for a hundred words that each stand a million times
/// in a row, that takes minutes and gigabytes. This merges the phrases' own lists as it goes, and counts its work.
///
/// Always true: the order is that of FTS5's list; of phrases that begin at the same token, the first one comes first.
struct PhraseInstances {
  private struct Source {
    var iterator = Fts5PhraseIter()
    var column: Int32 = -1
    var offset: Int32 = -1
  }

  private let call: FullTextCall
  private let columns: Int32
  private var sources: [Source] = []
  private var meter: WorkMeter

  /// SQLite's code of what went wrong; nothing more comes then.
  private(set) var failure = SQLITE_OK
  /// nil behind the last.
  private(set) var current: FullTextInstance?

  /// Begins with the first one.
  init(_ call: FullTextCall) {
    self.call = call
    columns = call.api.xColumnCount?(call.fts) ?? 0
    meter = WorkMeter(call.limiter)
    let count = call.api.xPhraseCount?(call.fts) ?? 0
    for phrase in 0..<max(0, count) {
      var source = Source()
      let result =
        call.api.xPhraseFirst?(call.fts, phrase, &source.iterator, &source.column, &source.offset) ?? SQLITE_ERROR
      guard result == SQLITE_OK else {
        fail(result)
        return
      }
      sources.append(source)
    }
    find()
  }

  private mutating func fail(_ result: Int32) {
    failure = result
    current = nil
  }

  mutating func advance() {
    guard let last = current else { return }
    var source = sources[Int(last.phrase)]
    call.api.xPhraseNext?(call.fts, &source.iterator, &source.column, &source.offset)
    sources[Int(last.phrase)] = source
    find()
  }

  private mutating func find() {
    var best = -1
    for index in sources.indices where sources[index].column >= 0 {
      if best >= 0 {
        let (one, other) = (sources[index], sources[best])
        if (one.column, one.offset) >= (other.column, other.offset) { continue }
      }
      best = index
    }
    do {
      try meter.spend(16 + 4 * sources.count)
    } catch {
      return fail(SQLITE_INTERRUPT)
    }
    guard best >= 0 else {
      current = nil
      return
    }
    // SQLite's code for an index that does not agree with its documents.
    guard sources[best].column < columns else { return fail(SQLITE_CORRUPT | (1 << 8)) }
    current = FullTextInstance(
      phrase: Int32(best), column: sources[best].column, offset: sources[best].offset)
  }
}
