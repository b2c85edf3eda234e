import CSQLite

/// The arguments of one call.
///
/// Always true: they are SQLite's own values, and valid for the call.
package struct FunctionArguments {
  package let count: Int
  private let values: UnsafeMutablePointer<OpaquePointer?>?

  init(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    self.count = values == nil ? 0 : Int(count)
    self.values = values
  }

  /// `index`, counted from 0, must be below `count`.
  package subscript(index: Int) -> RowValue {
    precondition(index >= 0 && index < count)
    return RowValue(handle: values?[index])
  }
}

/// What a function returns.
package enum FunctionResult {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// A text that other JSON functions take as JSON.
  case json([UInt8])
}

/// The rows of one group, one after the other.
package protocol AggregateState: AnyObject {
  func step(_ arguments: FunctionArguments) throws

  /// Takes back the row that was added first; only if the function may slide over windows.
  func removeFirst() throws

  /// The value of the rows so far.
  func value() throws -> FunctionResult
}

extension AggregateState {
  package func removeFirst() throws {}
}

/// A function by its name, its number of arguments (nil: any) and its properties.
package struct FunctionSignature: Sendable {
  package var name: String
  package var argumentCount: Int?
  package var isDeterministic: Bool
  /// The function reads nothing and does nothing besides its result, so that schemas which are not trusted may call it.
  package var isInnocuous: Bool

  package init(_ name: String, argumentCount: Int?, isDeterministic: Bool = false, isInnocuous: Bool = false) {
    self.name = name
    self.argumentCount = argumentCount
    self.isDeterministic = isDeterministic
    self.isInnocuous = isInnocuous
  }

  fileprivate var width: Int32 { argumentCount.map { Int32(clamping: $0) } ?? -1 }

  fileprivate var flags: Int32 {
    SQLITE_UTF8 | SQLITE_SUBTYPE | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
      | (isInnocuous ? SQLITE_INNOCUOUS : 0)
  }
}

/// The functions of one connection that are written in Swift.
///
/// Always true: an error that a body throws fails the statement, and waits in `failure` for whoever maps the error.
/// SQLite owns what it was given here and lets go of it when the function or the connection goes.
final class FunctionRegistry {
  let handle: OpaquePointer

  /// What a body threw during the last call of SQLite.
  var failure: (any Error)?

  /// The connection whose handle it is owns the registry, and closes the handle first.
  init(handle: OpaquePointer) { self.handle = handle }

  /// Registers a function of one row's values, in place of any with the same name and number of arguments.
  func register(
    _ signature: FunctionSignature, _ body: @escaping (FunctionArguments) throws -> FunctionResult
  ) throws(SQLiteError) {
    // Retained because SQLite owns the body until it calls the destructor.
    let box = Unmanaged.passRetained(ScalarBody(registry: self, body: body)).toOpaque()
    let result = sqlite3_create_function_v2(
      handle, signature.name, signature.width, signature.flags, box,
      { context, count, values in ScalarBody.of(context)?.call(context, FunctionArguments(count, values)) }, nil, nil,
      { box in FunctionBox.release(box) })
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  /// Registers a function of many rows' values. `slides`: its states can remove their first row, so that it may be
  /// called over a window.
  func registerAggregate(
    _ signature: FunctionSignature, slides: Bool = false, _ make: @escaping () -> any AggregateState
  ) throws(SQLiteError) {
    // Retained because SQLite owns the body until it calls the destructor.
    let box = Unmanaged.passRetained(AggregateBody(registry: self, make: make)).toOpaque()
    let result: Int32
    if slides {
      result = sqlite3_create_window_function(
        handle, signature.name, signature.width, signature.flags, box,
        { context, count, values in AggregateBody.of(context)?.step(context, FunctionArguments(count, values)) },
        { context in AggregateBody.of(context)?.finish(context) },
        { context in AggregateBody.of(context)?.value(context) },
        { context, _, _ in AggregateBody.of(context)?.removeFirst(context) }, { box in FunctionBox.release(box) })
    } else {
      result = sqlite3_create_function_v2(
        handle, signature.name, signature.width, signature.flags, box, nil,
        { context, count, values in AggregateBody.of(context)?.step(context, FunctionArguments(count, values)) },
        { context in AggregateBody.of(context)?.finish(context) }, { box in FunctionBox.release(box) })
    }
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  /// Removes what was registered under a name with a number of arguments.
  func unregister(_ signature: FunctionSignature) throws(SQLiteError) {
    let result = sqlite3_create_function_v2(
      handle, signature.name, signature.width, SQLITE_UTF8, nil, nil, nil, nil, nil)
    if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }
}

/// What SQLite holds of a function.
private class FunctionBox {
  // Unowned because the connection's handle owns the box, and no statement runs without its connection, which owns the
  // registry.
  unowned let registry: FunctionRegistry

  init(registry: FunctionRegistry) { self.registry = registry }

  static func release(_ box: UnsafeMutableRawPointer?) {
    // Taken over because it was retained for SQLite, which calls this once.
    if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() }
  }

  func fail(_ context: OpaquePointer?, _ error: any Error) {
    registry.failure = error
    if (error as? OrderedAggregateError) == .noMemory { return sqlite3_result_error_nomem(context) }
    sqlite3_result_error(context, String(describing: error), -1)
  }

  func give(_ context: OpaquePointer?, _ result: FunctionResult) {
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text): text.withUTF8 { Self.giveText(context, UnsafeRawBufferPointer($0)) }
    case .json(let text):
      text.withUnsafeBytes { Self.giveText(context, $0) }
      sqlite3_result_subtype(context, 74)
    case .blob(let blob):
      blob.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
          martlet_sqlite_result_blob_copy(context, start, UInt64(bytes.count))
        } else {
          sqlite3_result_zeroblob(context, 0)
        }
      }
    }
  }

  private static func giveText(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return martlet_sqlite_result_text_copy(context, "", 0) }
    // Bytes may be read as characters of C because a character of C is one byte too.
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    martlet_sqlite_result_text_copy(context, start, UInt64(bytes.count))
  }
}

private final class ScalarBody: FunctionBox {
  private let body: (FunctionArguments) throws -> FunctionResult

  init(registry: FunctionRegistry, body: @escaping (FunctionArguments) throws -> FunctionResult) {
    self.body = body
    super.init(registry: registry)
  }

  static func of(_ context: OpaquePointer?) -> ScalarBody? {
    // Unretained because SQLite holds the box for as long as the function is registered.
    sqlite3_user_data(context).map { Unmanaged<ScalarBody>.fromOpaque($0).takeUnretainedValue() }
  }

  func call(_ context: OpaquePointer?, _ arguments: FunctionArguments) {
    do { give(context, try body(arguments)) } catch { fail(context, error) }
  }
}

private final class AggregateBody: FunctionBox {
  private let make: () -> any AggregateState

  /// One group's state, and whether it has failed.
  private final class Group {
    let state: any AggregateState
    var hasFailed = false
    init(_ state: any AggregateState) { self.state = state }
  }

  init(registry: FunctionRegistry, make: @escaping () -> any AggregateState) {
    self.make = make
    super.init(registry: registry)
  }

  static func of(_ context: OpaquePointer?) -> AggregateBody? {
    // Unretained because SQLite holds the box for as long as the function is registered.
    sqlite3_user_data(context).map { Unmanaged<AggregateBody>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The pointer that SQLite keeps for a group; nil if it has none and `makes` is false.
  private func slot(_ context: OpaquePointer?, makes: Bool) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    let size = makes ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    // SQLite's memory is this type's because nobody else writes to it; it begins as zeroes, which is nil.
    return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private func group(_ context: OpaquePointer?) -> Group? {
    guard let slot = slot(context, makes: true) else { return nil }
    // Unretained because the slot owns a reference until `finish`.
    if let known = slot.pointee { return Unmanaged<Group>.fromOpaque(known).takeUnretainedValue() }
    let group = Group(make())
    // Retained because the slot owns it; `finish` is called for each group, also of a statement that ends early.
    slot.pointee = Unmanaged.passRetained(group).toOpaque()
    return group
  }

  private func attempt(_ context: OpaquePointer?, _ group: Group, _ body: (any AggregateState) throws -> Void) {
    guard !group.hasFailed else { return }
    do {
      try body(group.state)
    } catch {
      group.hasFailed = true
      fail(context, error)
    }
  }

  func step(_ context: OpaquePointer?, _ arguments: FunctionArguments) {
    guard let group = group(context) else { return sqlite3_result_error_nomem(context) }
    attempt(context, group) { try $0.step(arguments) }
  }

  func removeFirst(_ context: OpaquePointer?) {
    guard let group = group(context) else { return sqlite3_result_error_nomem(context) }
    attempt(context, group) { try $0.removeFirst() }
  }

  func value(_ context: OpaquePointer?) {
    guard let group = group(context) else { return sqlite3_result_error_nomem(context) }
    attempt(context, group) { give(context, try $0.value()) }
  }

  func finish(_ context: OpaquePointer?) {
    guard let slot = slot(context, makes: false), let known = slot.pointee else {
      return attempt(context, Group(make())) { give(context, try $0.value()) }
    }
    slot.pointee = nil
    // Taken over because the slot's reference ends here.
    let group = Unmanaged<Group>.fromOpaque(known).takeRetainedValue()
    attempt(context, group) { give(context, try $0.value()) }
  }
}
