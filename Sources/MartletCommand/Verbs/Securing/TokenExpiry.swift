import Foundation
import MartletValues

/// When a token ends to be valid, as an operator writes it: `30d`, `12h`, or a day such as `2027-01-01`.
///
/// Always true: a day means its first moment in UTC.
struct TokenExpiry: Equatable {
  private enum Form: Equatable {
    case after(seconds: Int)
    case at(Date)
  }

  private let form: Form

  /// Nil for what is no such time.
  init?(_ text: String) {
    if let unit = text.last, let seconds = ["d": 86_400, "h": 3_600][unit] {
      let digits = text.dropLast()
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits),
        (1...ConfigurationLimits.tokenSecondsMax / seconds).contains(number)
      else { return nil }
      form = .after(seconds: number * seconds)
      return
    }
    guard text.utf8.count == 10, text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil,
      let date = try? Date(text + "T00:00:00Z", strategy: .iso8601),
      // A day that does not exist, such as 30 February, comes back as another.
      date.formatted(.iso8601.year().month().day()) == text
    else { return nil }
    form = .at(date)
  }

  func date(after now: Date) -> Date {
    switch form {
    case .after(let seconds): now.addingTimeInterval(TimeInterval(seconds))
    case .at(let date): date
    }
  }
}
