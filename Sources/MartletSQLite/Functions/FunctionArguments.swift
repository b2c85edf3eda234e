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
  /// A text as its bytes, which may be no UTF-8: SQLite's functions leave those as they are.
  case textBytes([UInt8])
  case blob([UInt8])
  /// A text that other JSON functions take as JSON.
  case json([UInt8])
}
