public import Foundation

/// An error that the engine, or a server, answers a request with.
///
/// Always true: the message is a sentence that says what to do and holds no value of the program's or of a row.
public struct RequestError: Error, Sendable, Equatable {
  /// gRPC's status numbers, which every language's programmers know.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let cancelled = Code(rawValue: 1)
    public static let unknown = Code(rawValue: 2)
    public static let invalidArgument = Code(rawValue: 3)
    public static let deadlineExceeded = Code(rawValue: 4)
    public static let notFound = Code(rawValue: 5)
    public static let alreadyExists = Code(rawValue: 6)
    public static let permissionDenied = Code(rawValue: 7)
    public static let resourceExhausted = Code(rawValue: 8)
    public static let failedPrecondition = Code(rawValue: 9)
    public static let aborted = Code(rawValue: 10)
    public static let outOfRange = Code(rawValue: 11)
    public static let unimplemented = Code(rawValue: 12)
    public static let `internal` = Code(rawValue: 13)
    public static let unavailable = Code(rawValue: 14)
    public static let dataLoss = Code(rawValue: 15)
    public static let unauthenticated = Code(rawValue: 16)
  }

  /// A stable word, finer than the code, that a program may compare.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The shape's id is unknown here: send the statement's bytes.
    public static let unprepared = Reason(rawValue: "UNPREPARED")
    public static let malformed = Reason(rawValue: "MALFORMED")
    public static let invalidStatement = Reason(rawValue: "INVALID_STATEMENT")
    public static let limit = Reason(rawValue: "LIMIT")
    public static let constraint = Reason(rawValue: "CONSTRAINT")
    public static let cancelled = Reason(rawValue: "CANCELLED")
    public static let deadline = Reason(rawValue: "DEADLINE")
    public static let unknownDatabase = Reason(rawValue: "UNKNOWN_DATABASE")
    public static let unknownTransaction = Reason(rawValue: "UNKNOWN_TRANSACTION")
    public static let transactionEnded = Reason(rawValue: "TRANSACTION_ENDED")
    public static let snapshotEvicted = Reason(rawValue: "SNAPSHOT_EVICTED")
    public static let readOnly = Reason(rawValue: "READ_ONLY")
    public static let batchAborted = Reason(rawValue: "BATCH_ABORTED")
    public static let fenced = Reason(rawValue: "FENCED")
    public static let shuttingDown = Reason(rawValue: "SHUTTING_DOWN")
    public static let overloaded = Reason(rawValue: "OVERLOADED")
    public static let notAllowed = Reason(rawValue: "NOT_ALLOWED")
    /// The server's operator has denied it to its clients.
    public static let permission = Reason(rawValue: "PERMISSION")
    /// The server does not know who asks, or not any more.
    public static let unauthenticated = Reason(rawValue: "UNAUTHENTICATED")
    public static let unsupported = Reason(rawValue: "UNSUPPORTED")
    /// A function written in Swift threw; the message is its error's.
    public static let function = Reason(rawValue: "FUNCTION")
    /// A row holds a text that is not UTF-8, which the protocol has no place for: read it as a blob.
    public static let notUTF8 = Reason(rawValue: "NOT_UTF8")
    /// The server's memory budget has no room for the request or its result now.
    public static let memory = Reason(rawValue: "MEMORY")
    /// More than an operator's quota allows whoever asks; the message names the quota.
    public static let quota = Reason(rawValue: "QUOTA")
    /// A page of the database's file is not what was written to it.
    public static let pageCorrupt = Reason(rawValue: "PAGE_CORRUPT")
    public static let sqlite = Reason(rawValue: "SQLITE")
    public static let `internal` = Reason(rawValue: "INTERNAL")
  }

  public var code: Code
  public var reason: Reason
  public var message: String

  /// SQLite's extended result code; 0 if SQLite had no part in it.
  public var sqliteCode: Int32

  /// The node of the statement's tree at fault, such as `select.where.call.arguments[1]`; empty if none is known.
  public var path: String

  public var constraint: String
  public var table: String
  public var column: String

  /// The same request may succeed if it is sent again.
  public var isRetryable: Bool

  /// The write may or may not have happened.
  public var isOutcomeUnknown: Bool

  public init(
    _ code: Code, _ reason: Reason, _ message: String, sqliteCode: Int32 = 0, path: String = "",
    constraint: String = "", table: String = "", column: String = "", isRetryable: Bool = false,
    isOutcomeUnknown: Bool = false
  ) {
    self.code = code
    self.reason = reason
    self.message = message
    self.sqliteCode = sqliteCode
    self.path = path
    self.constraint = constraint
    self.table = table
    self.column = column
    self.isRetryable = isRetryable
    self.isOutcomeUnknown = isOutcomeUnknown
  }
}

extension RequestError: CustomStringConvertible {
  public var description: String {
    path.isEmpty ? "\(reason.rawValue): \(message)" : "\(reason.rawValue) at \(path): \(message)"
  }
}

extension RequestError: LocalizedError {
  /// The error's sentence.
  public var errorDescription: String? { description }
}

extension RequestError.Reason: CustomStringConvertible {
  /// The word itself.
  public var description: String { rawValue }
}

extension RequestError.Code: CustomStringConvertible {
  /// gRPC's name for the code, or the number of one that has none here.
  public var description: String {
    Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : String(rawValue)
  }

  private static let names = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
  ]
}
