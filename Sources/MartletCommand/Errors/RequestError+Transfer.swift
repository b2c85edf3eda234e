import MartletValues

/// What is said of a row that cannot be sent to a server, as the server would say it.
extension RequestError {
  static let textNotUTF8 = RequestError(
    .invalidArgument, .malformed, "A text is not UTF-8. Send such bytes as a blob.")
}
