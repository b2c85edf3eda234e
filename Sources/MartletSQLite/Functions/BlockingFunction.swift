import CSQLite
import Foundation

/// The SQL function `martlet_test_block(ms)`, which sits in one step of a statement and cannot be interrupted: what the
/// tests of the watchdog need. It is there only if the environment asks for it.
enum BlockingFunction {
  static let variable = "MARTLET_TEST_BLOCKING_FUNCTION"
  static let isWanted = getenv(variable) != nil

  static func register(in functions: FunctionRegistry) throws(SQLiteError) {
    guard isWanted else { return }
    try functions.register(FunctionSignature("martlet_test_block", argumentCount: 1)) { arguments in
      Thread.sleep(forTimeInterval: Double(arguments[0].integer) / 1_000)
      return .integer(1)
    }
  }
}
