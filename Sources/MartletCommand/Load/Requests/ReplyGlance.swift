import MartletProtobuf
import MartletProtocol
import MartletValues

/// The little that a load tool needs of a server's message, read without allocating.
///
/// Always true: what it does not read it does not check, so a reply that is only glanced at must not be stored.
struct ReplyGlance: Sendable, Equatable {
  var requestID: UInt32 = 0
  var step: UInt32 = 0
  /// Rows in this message.
  var rowCount: UInt32 = 0
  /// What the rows cost of the request's credit: `RowBatch.byteCount`.
  var rowBytes = 0
  var hasHello = false
  var hasColumns = false
  var hasPong = false
  var isClosing = false
  /// Set if the message completes the request or step.
  var hasCompletion = false
  var rowsReturned: Int64 = 0
  var rowsChanged: Int64 = 0
  var commitSequence: UInt64 = 0
  var shape: ShapeID?
  var columnsVersion: UInt64 = 0
  /// gRPC's number; 0 if the message carries no error.
  var errorCode: UInt32 = 0
  var isUnprepared = false

  /// Another answer, which no load asks for and which ends its request.
  var hasOther = false

  /// The message ends its request: a completion or an error that is no step's, or another answer.
  var endsRequest: Bool { step == 0 && (hasCompletion || errorCode != 0 || hasPong || hasHello || hasOther) }

  init() {}

  /// Nil if the message is malformed.
  init?(_ message: UnsafeRawBufferPointer) {
    var reader = WireReader(message)
    while let field = reader.next() {
      switch (field.number, field.wireType) {
      case (Fields.ServerMessage.requestID, .fixed32): requestID = UInt32(truncatingIfNeeded: field.value)
      case (Fields.ServerMessage.step, .varint): step = UInt32(truncatingIfNeeded: field.value)
      case (Fields.ServerMessage.hello, .delimited): hasHello = true
      case (Fields.ServerMessage.columns, .delimited):
        hasColumns = true
        guard readColumns(field.bytes) else { return nil }
      case (Fields.ServerMessage.rows, .delimited):
        guard readRows(field.bytes) else { return nil }
      case (Fields.ServerMessage.completion, .delimited): guard readCompletion(field.bytes) else { return nil }
      case (Fields.ServerMessage.error, .delimited): guard readError(field.bytes) else { return nil }
      case (Fields.ServerMessage.pong, .delimited): hasPong = true
      case (Fields.ServerMessage.transactionEnded, .delimited): break
      case (Fields.ServerMessage.closing, .delimited): isClosing = true
      case (Fields.ServerMessage.requestID, _), (Fields.ServerMessage.step, _): break
      // Inspections, lists of databases, and what a later version sends.
      case (_, .delimited): hasOther = true
      default: break
      }
    }
    if reader.isMalformed { return nil }
  }

  private mutating func readColumns(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = WireReader(bytes)
    // The version is the first field; the columns behind it are not needed.
    if let field = reader.next(), field.number == Fields.Columns.version { columnsVersion = field.value }
    return !reader.isMalformed
  }

  private mutating func readRows(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = WireReader(bytes)
    rowBytes = 8
    while let field = reader.next() {
      if field.number == Fields.RowBatch.rowCount { rowCount = UInt32(truncatingIfNeeded: field.value) }
      guard field.number == Fields.RowBatch.columns else { continue }
      var column = WireReader(field.bytes)
      rowBytes += 8
      while let array = column.next() { rowBytes += array.bytes.count }
      if column.isMalformed { return false }
    }
    return !reader.isMalformed
  }

  private mutating func readCompletion(_ bytes: UnsafeRawBufferPointer) -> Bool {
    hasCompletion = true
    var reader = WireReader(bytes)
    while let field = reader.next() {
      switch field.number {
      case Fields.Completion.rowsChanged: rowsChanged = field.signed
      case Fields.Completion.commitSequence: commitSequence = field.value
      case Fields.Completion.shape: shape = ShapeID(bytes: field.bytes)
      case Fields.Completion.rowsReturned: rowsReturned = field.signed
      default: break
      }
    }
    return !reader.isMalformed
  }

  private mutating func readError(_ bytes: UnsafeRawBufferPointer) -> Bool {
    errorCode = RequestError.Code.unknown.rawValue
    var reader = WireReader(bytes)
    while let field = reader.next() {
      switch field.number {
      case Fields.Error.code: errorCode = UInt32(truncatingIfNeeded: field.value)
      case Fields.Error.reason: isUnprepared = field.bytes.elementsEqual(RequestError.Reason.unprepared.rawValue.utf8)
      default: break
      }
    }
    return !reader.isMalformed
  }
}
