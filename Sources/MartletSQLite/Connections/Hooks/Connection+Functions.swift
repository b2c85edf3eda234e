/// Functions of the program, which SQL calls.
///
/// Always true: SQLite owns a body and lets go of it when the function or the connection goes.
extension Connection {
  /// What a function written in Swift threw during the last call of SQLite; whoever maps the error takes it.
  package var functionFailure: (any Error)? {
    get { functions.failure }
    set { functions.failure = newValue }
  }

  /// Registers a function of one row's values, in place of any with the same name and number of arguments.
  package func register(
    _ signature: FunctionSignature, _ body: @escaping (FunctionArguments) throws -> FunctionResult
  ) throws(SQLiteError) {
    try functions.register(signature, body)
  }

  /// Registers a function of many rows' values. `slides`: its states can remove their first row, so that it may be
  /// called over a window.
  package func registerAggregate(
    _ signature: FunctionSignature, slides: Bool = false, _ make: @escaping () -> any AggregateState
  ) throws(SQLiteError) {
    try functions.registerAggregate(signature, slides: slides, make)
  }

  /// Removes what was registered under a name with a number of arguments.
  package func unregister(_ signature: FunctionSignature) throws(SQLiteError) { try functions.unregister(signature) }
}
