import CSQLite

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
