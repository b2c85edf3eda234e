/// What a connection is limited to.
import MartletSQLite
import MartletValues
import Testing

@testable import MartletEngine

@Suite struct ConnectionSetupTests {
  @Test func `a connection that nobody limits has the limits of a server`() {
    // MartletSQLite does not know them, so its defaults are numbers of their own.
    #expect(ConnectionSetup() == ConnectionSetup(limits: Limits()))
  }

  @Test func `each limit of a statement reaches the connection`() {
    let table: [(String, WritableKeyPath<Limits, Int>)] = [
      ("valueBytesMax", \.valueBytesMax), ("sqlBytesMax", \.sqlBytesMax), ("resultColumnsMax", \.resultColumnsMax),
      ("parametersMax", \.parametersMax), ("pageCacheBytes", \.pageCacheBytes), ("progressSteps", \.progressSteps),
      ("walBytesMax", \.walBytesMax), ("expressionDepthMax", \.expressionDepthMax),
      ("compoundSelectsMax", \.compoundSelectsMax), ("statementOperationsMax", \.statementOperationsMax),
      ("functionArgumentsMax", \.functionArgumentsMax), ("triggerDepthMax", \.triggerDepthMax),
      ("likePatternBytesMax", \.likePatternBytesMax), ("compileMsMax", \.compileMsMax),
      ("compileWriteMsMax", \.compileWriteMsMax), ("busyTimeoutMs", \.busyTimeoutMs),
    ]
    for (name, limit) in table {
      var limits = Limits()
      limits[keyPath: limit] /= 2
      #expect(ConnectionSetup(limits: limits) != ConnectionSetup(), "\(name)")
    }
  }
}
