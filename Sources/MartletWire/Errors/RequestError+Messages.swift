import MartletProtocol
import MartletValues

// MARK: - Envelopes

/// What is wrong with a client's message, before any session has seen it.
///
/// Always true: a condition has one member, whoever meets it; its sentences hold no value of the message but numbers.
extension RequestError {
  static let fieldOfOtherType = malformed("A field of the message has another wire type than the protocol's.")
  static let noProtobuf = malformed("The message is not valid protobuf.")
  static let noRequestID = malformed("A message needs one request id that is not 0.")
  static let severalKinds = malformed("A message must be of one kind only.")

  static let unknownKind = RequestError(
    .unimplemented, .unsupported, "This server does not know the kind of this message. Update the server.")

  /// The envelope had a kind, and what it holds has none.
  static let noKind = malformed("The message has no kind.")

  static let tooManyParts = RequestError(
    .resourceExhausted, .limit, "The message has too many parts for its limit. Send fewer values at once.")

  private static func malformed(_ message: String) -> RequestError {
    RequestError(.invalidArgument, .malformed, message)
  }

  private static func tooMuch(_ message: String) -> RequestError { RequestError(.resourceExhausted, .limit, message) }
}

// MARK: - Kinds of messages

extension RequestError {
  static let helloNamesNotUTF8 = malformed("The names in a hello must be UTF-8.")
  static let credentialNotUTF8 = malformed("The credential in a hello must be UTF-8.")
  static let databaseNamesNotUTF8 = malformed("The names of databases must be UTF-8.")
  static let noTransactionMode = malformed("A transaction begins with the mode READ or WRITE.")
  static let noSavepointAction = malformed("A savepoint's action is SET, RELEASE or ROLL_BACK_TO.")
  static let noMaintenanceTask = malformed("A maintain names no task that this server knows.")
  static let noAdministrationTask = malformed("An administer names no task that this server knows.")

  static let pingTooLong = malformed("A ping's payload has at most \(ProtocolLimits.pingBytesMax) bytes.")
}

// MARK: - Statements and steps

extension RequestError {
  static let requestWithoutSource = malformed("A request needs a statement or the id of a shape.")
  static let stepWithoutSource = malformed("A step needs a statement or the id of a shape.")
  static let shapeIDLength = malformed("The id of a shape has 16 bytes.")

  static func tooManyParameters(_ limits: Limits) -> RequestError {
    tooMuch("A statement takes at most \(limits.parametersMax) parameters. Send many values as one list.")
  }

  static func tooManyConditions(_ limits: Limits) -> RequestError {
    tooMuch("A step has at most \(limits.batchStepsMax) conditions.")
  }

  static let conditionWithoutOutcome = malformed("A condition needs an outcome that the protocol names.")
  static let referenceOfNoColumn = malformed("A reference names a column that no result can have.")
  static let referenceWithoutField = malformed(
    "A reference's field is LAST_INSERT_ROWID, ROWS_CHANGED or FIRST_ROW.")

  static let referenceOutsideBatch = malformed("A reference to a step stands in a batch only.")

  static func noEarlierStep(_ number: Int, _ step: UInt32) -> RequestError {
    malformed("Step \(number) refers to step \(step), which is not an earlier one.")
  }
}

// MARK: - Values

extension RequestError {
  static let parameterWithoutValue = malformed("A parameter has no value. Send null where NULL is meant.")
  static let notUTF8 = malformed("A text is not UTF-8. Send such bytes as a blob.")

  static func valueTooLong(_ limits: Limits) -> RequestError {
    tooMuch("A value has at most \(limits.valueBytesMax) bytes.")
  }

  static func tooManyRows(rowsMax: Int) -> RequestError {
    tooMuch("A list holds at most \(rowsMax) rows. Send several requests.")
  }

  static func tooManyColumns(columnsMax: Int) -> RequestError { tooMuch("Rows have at most \(columnsMax) columns.") }

  static let columnIllFormed = malformed("A column's arrays do not agree with the number of rows.")
  static let columnWithoutKind = malformed("A column's kind is not one of the protocol's.")
}
