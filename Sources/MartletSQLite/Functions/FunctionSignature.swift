import CSQLite

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

  var width: Int32 { argumentCount.map { Int32(clamping: $0) } ?? -1 }

  var flags: Int32 {
    SQLITE_UTF8 | SQLITE_SUBTYPE | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
      | (isInnocuous ? SQLITE_INNOCUOUS : 0)
  }
}
