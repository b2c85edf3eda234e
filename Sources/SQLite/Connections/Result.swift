public import Foundation
internal import MartletQuery
internal import MartletValues

/// What SQLite, or a server, reports.
public enum Result: Error {
  /// SQLite's words, what to do, its code without what makes it finer, and the statement that failed.
  case error(message: String, code: Int32, statement: Statement?)
  /// The same with SQLite's extended code, if the connection `usesExtendedErrorCodes`.
  case extendedError(message: String, extendedCode: Int32, statement: Statement?)
}

extension Result: CustomStringConvertible, LocalizedError {
  public var description: String {
    switch self {
    case .error(let message, let code, let statement): Self.text(message, statement, "code: \(code)")
    case .extendedError(let message, let code, let statement):
      Self.text(message, statement, "extended code: \(code)")
    }
  }

  private static func text(_ message: String, _ statement: Statement?, _ code: String) -> String {
    guard let sql = statement?.description else { return "\(message) (\(code))" }
    let shown = sql.prefix(ConnectionLimits.shownCharactersMax)
    return "\(message) (\(shown.endIndex < sql.endIndex ? shown + "…" : shown)) (\(code))"
  }

  public var errorDescription: String? { description }
}

extension Result {
  /// SQLite's code of a call that makes no sense where it is made.
  static let misuse: Int32 = 21

  static func misuse(_ message: String) -> Result { .error(message: message, code: misuse, statement: nil) }

  static let closed = misuse("The connection was closed. Open another one.")

  /// An error as a program of this module expects it. What its own closures throw stays what it is.
  static func make(_ error: any Error, _ statement: Statement?, isExtended: Bool) -> any Error {
    if let failure = error as? QueryBindingFailure { return misuse(failure.description) }
    guard let request = error as? RequestError else { return error }
    let code = request.sqliteCode == 0 ? plainCode(of: request) : request.sqliteCode
    if isExtended {
      return Result.extendedError(message: request.sqliteMessage, extendedCode: code, statement: statement)
    }
    return Result.error(message: request.sqliteMessage, code: code & 0xFF, statement: statement)
  }

  /// The code of SQLite that is nearest to an error that is not SQLite's.
  private static func plainCode(of error: RequestError) -> Int32 {
    switch error.reason {
    case .readOnly: 8
    case .cancelled, .deadline: 9
    case .permission, .notAllowed, .unauthenticated: 23
    case .constraint: 19
    case .limit, .quota: 18
    case .memory: 7
    default: 1
    }
  }
}
