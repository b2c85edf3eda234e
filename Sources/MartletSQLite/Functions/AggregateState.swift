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
