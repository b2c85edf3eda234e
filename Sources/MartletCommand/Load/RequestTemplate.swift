/// A request as the bytes of its frame, built once; what differs from request to request is patched in place.
///
/// Always true: the request's id and the integers that vary are fixed-width fields, so that every request of a template has
/// the same length and patching moves nothing. The field numbers are those of `proto/martlet/v1/session.proto`.
import MartletAST

struct RequestTemplate {
  enum Parameter {
    /// An integer that `patch` sets.
    case variable
    case text(String)
    case rows(RowBatch)
  }

  struct Execute {
    var parameters: [Parameter] = []
    var columnsVersion: UInt64 = 0
    var deadlineMs: UInt64 = 0
    var creditBytes: UInt64 = 0
  }

  private(set) var frame: [UInt8]
  /// Where in `frame` the 8 bytes of each variable parameter are.
  private(set) var variables: [Int] = []

  /// Behind the 5 bytes of the frame's header and the tag of `request_id`.
  private static let requestIDOffset = 6

  static let ping = RequestTemplate(kind: 10, body: [])
  /// Extends the credit of a request by `bytes`.
  static func credit(bytes: Int) -> RequestTemplate {
    var body = ProtobufBytes()
    body.field(1, varint: UInt64(max(0, bytes)))
    return RequestTemplate(kind: 8, body: body.bytes)
  }

  static func hello(database: String?) -> RequestTemplate {
    var body = ProtobufBytes()
    body.field(1, varint: 1)
    if let database { body.field(2, bytes: Array(database.utf8)) }
    body.field(3, bytes: Array("martlet-bench".utf8))
    return RequestTemplate(kind: 2, body: body.bytes)
  }

  /// A statement by its shape.
  init(shape: ShapeID, _ execute: Execute) {
    self.init(sourceField: 2, source: shape.bytes, execute)
  }

  /// A statement by its bytes, for a server that does not know the shape.
  init(statement: [UInt8], _ execute: Execute) {
    self.init(sourceField: 1, source: statement, execute)
  }

  private init(sourceField: UInt64, source: [UInt8], _ execute: Execute) {
    var body = ProtobufBytes()
    body.field(sourceField, bytes: source)
    var offsetsInBody: [Int] = []
    for parameter in execute.parameters {
      let value = Self.value(parameter)
      body.field(3, bytes: value)
      // The integer is the last field of its value, and the value the last so far of the body.
      if case .variable = parameter { offsetsInBody.append(body.bytes.count - 8) }
    }
    if execute.deadlineMs > 0 { body.field(5, varint: execute.deadlineMs) }
    if execute.creditBytes > 0 { body.field(6, varint: execute.creditBytes) }
    if execute.columnsVersion != 0 { body.field(7, fixed64: execute.columnsVersion) }
    self.init(kind: 3, body: body.bytes)
    let bodyStart = frame.count - body.bytes.count
    variables = offsetsInBody.map { bodyStart + $0 }
  }

  private init(kind: UInt64, body: [UInt8]) {
    var message = ProtobufBytes()
    message.field(1, fixed32: 0)
    message.field(kind, bytes: body)
    frame = [0]
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: message.bytes.count).bigEndian) { frame.append(contentsOf: $0) }
    frame.append(contentsOf: message.bytes)
  }

  mutating func patch(requestID: UInt32) {
    frame.withUnsafeMutableBytes {
      $0.storeBytes(of: requestID.littleEndian, toByteOffset: Self.requestIDOffset, as: UInt32.self)
    }
  }

  mutating func patch(variable: Int, to value: Int64) {
    let offset = variables[variable]
    frame.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Int64.self) }
  }

  // MARK: - Values

  private static func value(_ parameter: Parameter) -> [UInt8] {
    var value = ProtobufBytes()
    switch parameter {
    case .variable: value.field(2, fixed64: 0)
    case .text(let text): value.field(4, bytes: Array(text.utf8))
    case .rows(let batch): value.field(6, bytes: rows(batch))
    }
    return value.bytes
  }

  private static func rows(_ batch: RowBatch) -> [UInt8] {
    var message = ProtobufBytes()
    message.field(1, varint: UInt64(batch.rowCount))
    for values in batch.columns {
      var column = ProtobufBytes()
      column.field(1, varint: UInt64(values.kind.rawValue))
      if !values.nulls.isEmpty { column.field(2, bytes: values.nulls) }
      if !values.integers.isEmpty { column.field(3, bytes: littleEndian(values.integers)) }
      if !values.reals.isEmpty { column.field(4, bytes: littleEndian(values.reals.map(\.bitPattern))) }
      if !values.ends.isEmpty { column.field(5, bytes: littleEndian(values.ends)) }
      if !values.data.isEmpty { column.field(6, bytes: values.data) }
      if !values.tags.isEmpty { column.field(7, bytes: values.tags) }
      message.field(2, bytes: column.bytes)
    }
    return message.bytes
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * MemoryLayout<Number>.size)
    for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
    return bytes
  }
}
