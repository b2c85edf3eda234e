internal import MartletValues

/// Errors of the engine in SQLite's own words.
extension RequestError {
  /// SQLite's own words, which programs of this module compare. If SQLite had no part in the error, or said more than
  /// these words, the whole sentence.
  var sqliteMessage: String {
    switch sqliteCode {
    case 2067, 1555, 2579: return constraintWords("UNIQUE")
    case 1299: return constraintWords("NOT NULL")
    case 275: return "CHECK constraint failed: \(constraint)"
    // RESTRICT is a trigger of SQLite's own.
    case 787,
      1811 where constraint == "FOREIGN KEY":
      return "FOREIGN KEY constraint failed"
    default: break
    }
    guard sqliteCode & 0xFF == 1, reason == .invalidStatement, let first = message.first, message.last == ".",
      !message.contains(". ")
    else { return message }
    return first.lowercased() + message.dropFirst().dropLast()
  }

  /// `UNIQUE constraint failed: users.email, users.name`
  private func constraintWords(_ kind: String) -> String {
    if table.isEmpty { return constraint.isEmpty ? message : "\(kind) constraint failed: index '\(constraint)'" }
    let columns = column.split(separator: ", ").map { "\(table).\($0)" }
    return "\(kind) constraint failed: \(columns.joined(separator: ", "))"
  }
}
