import MartletValues

// MARK: - Files of access rights

/// What is wrong with a file that the operator has named: of tokens, keys or shapes, or the audit log.
///
/// Always true: a condition has one member, whoever meets it; its sentences say what happened and what to do.
extension ServerError {
  /// - Parameter maker: how there comes to be one, without a full stop.
  static func noFile(_ path: String, maker: String) -> ServerError {
    ServerError("There is no file \(path). \(maker).")
  }

  static func noOrdinaryFile(_ path: String) -> ServerError {
    ServerError("\(path) is no ordinary file. Name another one.")
  }

  /// - Parameter advice: what others may do and how that is mended, behind "may be" and without a full stop.
  static func fileOpenToOthers(_ path: String, advice: String) -> ServerError {
    ServerError("\(path) may be \(advice).")
  }

  static func fileTooLarge(_ path: String, bytesMax: Int) -> ServerError {
    ServerError("\(path) is larger than \(bytesMax >> 20) MiB. Name another file.")
  }

  static func fileNotUTF8(_ path: String) -> ServerError {
    ServerError("\(path) is no text in UTF-8. Name another file.")
  }

  /// - Parameters:
  ///   - deed: "read", "changed" or "locked".
  ///   - reason: the system's words.
  static func fileCannotBe(_ deed: String, _ path: String, reason: String) -> ServerError {
    ServerError("\(path) cannot be \(deed) (\(reason)). Check its path and its rights, and those of its folder.")
  }

  /// What may be a name is said where names are checked.
  static func invalidName(_ subject: String) -> ServerError { ServerError(SimpleName.rule(subject)) }
}

// MARK: - Registered shapes

extension ServerError {
  static func tooManyShapes(_ path: String, shapesMax: Int) -> ServerError {
    ServerError("\(path) would have more than \(shapesMax) shapes. Remove those that nobody runs any more.")
  }

  static func invalidShapes(_ path: String, _ error: ShapeList.Invalid) -> ServerError {
    ServerError("\(path):\(error.line): \(error.sentence)")
  }
}

// MARK: - The audit log

extension ServerError {
  static func auditLogNoFile(_ path: String) -> ServerError {
    ServerError("The audit log \(path) is no ordinary file. Name another one.")
  }

  static func auditLogIsLink(_ path: String) -> ServerError {
    ServerError("The audit log \(path) is a link, which is not followed. Name the file itself.")
  }

  static func auditLogOpenToOthers(_ path: String) -> ServerError {
    ServerError(
      "The audit log \(path) may be read or written by others than its owner and group. Take those rights away with "
        + "`chmod o=,g-w`.")
  }

  /// - Parameter reason: the system's words.
  static func auditLogCannotBeOpened(_ path: String, reason: String) -> ServerError {
    ServerError(
      "The audit log \(path) cannot be opened (\(reason)). Check its path and its rights, and those of its folder.")
  }
}
