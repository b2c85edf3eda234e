import MartletValues

/// What a server would say of a row that cannot be sent to it.
///
/// Always true: the words are those of the server.
extension RequestError {
  static let textNotUTF8 = RequestError(
    .invalidArgument, .malformed, "A text is not UTF-8. Send such bytes as a blob.")
}
