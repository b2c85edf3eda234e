/// Looks for the row of a batch that a database does not take: half of the rows that are left is sent again, and so on.
///
/// Always true: a row is found only if it was refused when it came alone. If somebody else has changed the database
/// meanwhile, both halves of refused rows may be taken; then no row is found.
struct RefusedRowSearch {
  /// The first row that may be the one, up to the last.
  private var rest: Range<Int>
  /// The rows that were refused last.
  private var refused: Range<Int>

  /// The whole batch was refused.
  init(rowCount: Int) {
    rest = 0..<rowCount
    refused = rest
  }

  /// The rows that are to be sent next; nil: the search is over.
  var next: Range<Int>? {
    if rest.count > 1 { return rest.lowerBound..<(rest.lowerBound + rest.count / 2) }
    return rest.isEmpty || refused == rest ? nil : rest
  }

  /// The row that was found when the search is over.
  var found: Int? { next == nil ? rest.first : nil }

  /// What `next` says was sent.
  mutating func answered(isTaken: Bool) {
    guard let next else { return }
    if isTaken {
      rest = next.upperBound..<rest.upperBound
    } else {
      (rest, refused) = (next, next)
    }
  }
}
