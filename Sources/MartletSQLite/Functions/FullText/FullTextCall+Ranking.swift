import CSQLite
import Foundation

/// What a query's phrases say of the whole table.
///
/// Always true: the number is FTS5's own to the last bit; what is the same for all rows of a query is found out once.
private final class PhraseWeights {
  var averageLength = 0.0
  var rarities: [Double] = []
}

/// Rows that hold a phrase, as they are counted.
private final class TableRowCounter {
  var rows: Int64 = 0
  var meter: WorkMeter

  init(_ limiter: ExecutionLimiter) { meter = WorkMeter(limiter) }

  func count() -> Int32 {
    rows += 1
    do {
      try meter.spend(128)
      return SQLITE_OK
    } catch {
      return SQLITE_INTERRUPT
    }
  }
}

extension FullTextCall {
  /// `bm25(table, weight, …)`.
  func bm25() {
    var result = SQLITE_OK
    guard let phrases = phraseWeights(&result) else { return sqlite3_result_error_code(context, result) }
    var frequencies = [Double](repeating: 0, count: phrases.rarities.count)
    result = countInstances(&frequencies)
    var tokens: Int32 = 0
    if result == SQLITE_OK { result = columnSize(-1, &tokens) }
    guard result == SQLITE_OK else { return sqlite3_result_error_code(context, result) }
    let (k1, b) = (1.2, 0.75)
    let length = Double(tokens)
    var score = 0.0
    for (frequency, rarity) in zip(frequencies, phrases.rarities) {
      score +=
        rarity
        * ((frequency * (k1 + 1.0)) / (frequency + k1 * (1 - b + b * length / phrases.averageLength)))
    }
    sqlite3_result_double(context, -1.0 * score)
  }

  /// How often each phrase stands in the row, counted by the weights of its columns.
  private func countInstances(_ frequencies: inout [Double]) -> Int32 {
    // Once for each column: a weight may be a long text.
    let weights = (0..<Int32(clamping: count)).map { real($0) }
    var meter = WorkMeter(limiter)
    let columns = api.xColumnCount?(fts) ?? 0
    for phrase in frequencies.indices {
      var iterator = Fts5PhraseIter()
      var (column, offset): (Int32, Int32) = (-1, -1)
      let result = api.xPhraseFirst?(fts, Int32(phrase), &iterator, &column, &offset) ?? SQLITE_ERROR
      guard result == SQLITE_OK else { return result }
      while column >= 0 {
        guard column < columns else { return SQLITE_CORRUPT | (1 << 8) }
        frequencies[phrase] += Int(column) < weights.count ? weights[Int(column)] : 1.0
        do {
          try meter.spend(16)
        } catch {
          return SQLITE_INTERRUPT
        }
        api.xPhraseNext?(fts, &iterator, &column, &offset)
      }
    }
    return SQLITE_OK
  }

  /// Nil with an error's code in `result`.
  private func phraseWeights(_ result: inout Int32) -> PhraseWeights? {
    if let known = api.xGetAuxdata?(fts, 0) {
      // Unretained because FTS5 holds it for as long as the query; nothing else is kept for this function.
      return Unmanaged<PhraseWeights>.fromOpaque(known).takeUnretainedValue()
    }
    let phrases = PhraseWeights()
    var (rows, tokens): (Int64, Int64) = (0, 0)
    result = api.xRowCount?(fts, &rows) ?? SQLITE_ERROR
    if result == SQLITE_OK { result = api.xColumnTotalSize?(fts, -1, &tokens) ?? SQLITE_ERROR }
    guard result == SQLITE_OK else { return nil }
    phrases.averageLength = Double(tokens) / Double(rows)
    for phrase in 0..<max(0, api.xPhraseCount?(fts) ?? 0) {
      let found = TableRowCounter(limiter)
      // Unretained because it is used within the call alone.
      let place = Unmanaged.passUnretained(found).toOpaque()
      result =
        api.xQueryPhrase?(
          fts, phrase, place,
          { _, _, place in
            guard let place else { return SQLITE_ERROR }
            // Unretained because whoever asked for the rows holds the count.
            return Unmanaged<TableRowCounter>.fromOpaque(place).takeUnretainedValue().count()
          }) ?? SQLITE_ERROR
      guard result == SQLITE_OK else { return nil }
      let rarity = log((Double(rows - found.rows) + 0.5) / (Double(found.rows) + 0.5))
      phrases.rarities.append(rarity <= 0 ? 1e-6 : rarity)
    }
    // Retained because FTS5 holds it from here on, and lets go of it by the function that it is given.
    result =
      api.xSetAuxdata?(
        fts, Unmanaged.passRetained(phrases).toOpaque(),
        { kept in
          // Taken over because it was retained for FTS5, which calls this once.
          if let kept { Unmanaged<PhraseWeights>.fromOpaque(kept).release() }
        }) ?? SQLITE_ERROR
    return result == SQLITE_OK ? phrases : nil
  }
}
