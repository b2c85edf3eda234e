/// The quotas that hold for a request, a statement and its result; a subject carries them to where each is enforced.
///
/// Always true: it does not change, and sessions of one identity may share it; what is not bounded is `Int.max`.
public final class StatementQuotas: Sendable {
  public let deadlineMs: Int
  public let resultRows: Int
  public let resultBytes: Int
  public let steps: Int
  public let sortBytes: Int
  public let databaseBytes: Int
  public let writeTransactionMs: Int

  /// Nil if none of the values is for statements.
  public init?(_ values: [Quota: Int]) {
    let own: [Quota] = [
      .deadlineMs, .resultRows, .resultBytes, .steps, .sortBytes, .databaseBytes, .writeTransactionMs,
    ]
    guard own.contains(where: { values[$0] != nil }) else { return nil }
    func value(_ quota: Quota) -> Int { values[quota].map { max(1, $0) } ?? .max }
    deadlineMs = value(.deadlineMs)
    resultRows = value(.resultRows)
    resultBytes = value(.resultBytes)
    steps = value(.steps)
    sortBytes = value(.sortBytes)
    databaseBytes = value(.databaseBytes)
    writeTransactionMs = value(.writeTransactionMs)
  }

  /// Throws if a result of `rows` and `bytes` is more than may be given.
  public func check(rows: Int, bytes: Int) throws(RequestError) {
    if rows > resultRows { throw .quotaExceeded(.resultRows, resultRows) }
    if bytes > resultBytes { throw .quotaExceeded(.resultBytes, resultBytes) }
  }

  private var numbers: [Int] {
    [deadlineMs, resultRows, resultBytes, steps, sortBytes, databaseBytes, writeTransactionMs]
  }
}

extension StatementQuotas: Hashable {
  public static func == (left: StatementQuotas, right: StatementQuotas) -> Bool {
    left === right || left.numbers == right.numbers
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}
