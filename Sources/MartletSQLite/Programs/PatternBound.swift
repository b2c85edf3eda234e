/// What a pattern for MATCH may ask of a full-text table on one connection.
final class PatternBound {
  /// As `PatternWork` counts; `Int.max` for no bound.
  let workMax: Int
  /// What the file's full-text tables make words of, as of the last statement that asks one.
  var words = PatternWork.Words()

  init(workMax: Int) { self.workMax = workMax }

  /// What the longest of the patterns asks for; nil if one comes from where nobody can look before the statement runs.
  /// `text` returns the text that is bound to a parameter.
  func work(of patterns: Set<Pattern>, _ text: (_ parameter: Int) -> String) -> Int? {
    var most = 0
    for pattern in patterns {
      let work: PatternWork
      switch pattern.source {
      case .constant(let text): work = PatternWork(text, words, isForOldTable: pattern.isForOldTable)
      case .parameter(let number): work = PatternWork(text(number), words, isForOldTable: pattern.isForOldTable)
      case .joined(let constants, let parameters):
        work = PatternWork(joined: constants + parameters.map(text), words, isForOldTable: pattern.isForOldTable)
      case .checked: continue
      case .unknown: return nil
      }
      most = max(most, work.count)
    }
    return most
  }

  /// What a text asks for of any full-text table.
  func work(of text: String) -> Int {
    max(
      PatternWork(text, words, isForOldTable: false).count, PatternWork(text, words, isForOldTable: true).count)
  }
}
