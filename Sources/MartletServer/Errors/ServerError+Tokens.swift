// MARK: - A file of tokens

/// What is wrong with a file of tokens, or with what `martlet token` was asked to write into it.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do, and hold
/// no token. A `place` is the file with the number of the line.
extension ServerError {
  static func tokenFileTooLarge(_ file: String, bytesMax: Int) -> ServerError {
    ServerError("\(file) is larger than \(bytesMax >> 20) MiB, too large for a file of tokens. Check the path.")
  }

  /// Another token was to be added.
  static func tokenFileFull(_ path: String, count: Int) -> ServerError {
    ServerError("\(path) has \(count) tokens, which is the most. Revoke those that nobody uses.")
  }

  /// The file has more already.
  static func tooManyTokens(_ place: String, recordsMax: Int) -> ServerError {
    ServerError("\(place): A file has at most \(recordsMax) tokens. Revoke those that nobody uses.")
  }

  static func noToken(_ id: String, in path: String) -> ServerError {
    ServerError("\(path) has no token with the id '\(id)': `martlet token list` shows those that there are.")
  }

  static func tokenIDTwice(_ id: String, _ place: String) -> ServerError {
    ServerError("\(place): The id \(id) stands in an earlier line too. Remove one of them.")
  }
}

// MARK: - A token's record

extension ServerError {
  static let tokenNotWritable = ServerError("The token's record cannot be written as JSON. Choose another name.")

  static func noTokenRecord(_ place: String) -> ServerError {
    ServerError(
      "\(place): This is no token's record, one JSON object a line, as `martlet token create` writes it. Mend or "
        + "remove the line.")
  }

  static func invalidTokenID(_ place: String, length: Int) -> ServerError {
    ServerError(
      "\(place): A record has an id of \(length) small letters and digits, and a sha256 of 64 digits from 0 "
        + "to f. Mend or remove the line.")
  }

  static func invalidTokenRole(_ place: String) -> ServerError {
    ServerError("\(place): The role is no name of a role. Mend or remove the line.")
  }

  static func invalidTokenClaims(_ place: String, _ error: ServerError) -> ServerError {
    ServerError("\(place): \(error) Mend or remove the line.")
  }

  static func tooManyClaims(claimsMax: Int) -> ServerError {
    ServerError("A token has at most \(claimsMax) claims.")
  }

  static func invalidClaim(_ name: String, bytesMax: Int) -> ServerError {
    ServerError("The claim '\(name)' is longer than \(bytesMax) bytes, or holds a NUL.")
  }
}
