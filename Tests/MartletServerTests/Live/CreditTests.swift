/// Credit in every size, over a real connection: what a client gave is used, and nobody waits for what it was given.
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct CreditTests {
  private let live: LiveServer

  init() throws { live = try LiveServer() }

  /// Rows of about 1 KiB.
  private static func rows(_ count: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i, zeroblob(1000) FROM n"
  }

  @Test func `a client that gives all credit at once reads more than 64 MiB without giving any again`() throws {
    let client = try live.connect()
    client.send(2, .raw(Self.rows(90_000), deadlineMs: 60_000, credit: .max))
    let answer = try client.count(2)
    #expect(answer.error == nil && answer.rows == 90_000)
  }

  @Test func `many messages of the largest credit neither trap nor are lost`() throws {
    let client = try live.connect()
    client.send(2, .raw(Self.rows(90_000), deadlineMs: 60_000, credit: 1))
    for _ in 0..<300 {
      client.send(2, .credit(bytes: .max))
      client.send(2, .credit(bytes: 0))
    }
    // For a request that there is none of, too.
    client.send(77, .credit(bytes: .max))
    let answer = try client.count(2)
    #expect(answer.error == nil && answer.rows == 90_000)
    client.send(3, .raw(Self.rows(90_000), deadlineMs: 60_000, credit: 100 << 20))
    let second = try client.count(3)
    #expect(second.error == nil && second.rows == 90_000, "what was given to one request is not another's")
  }

  @Test func `rows of a write that nobody takes are dropped in time, and the session goes on`() throws {
    var limits = Limits()
    limits.outputStallMs = 100
    limits.sessionTickMs = 10
    let impatient = try LiveServer(limits: limits)
    let client = try impatient.connect()
    client.send(2, .raw("CREATE TABLE t(a)"))
    #expect(try client.count(2).error == nil)
    let insert = "INSERT INTO t SELECT zeroblob(1000) FROM (\(Self.rows(500))) RETURNING a"
    client.send(3, .raw(insert, deadlineMs: 2_000, credit: 1))
    let answer = try client.count(3)
    #expect(answer.rows < 500 && answer.error?.reason == .limit, "\(answer)")
    #expect(answer.error?.message.hasPrefix("What was asked is done") == true)
    client.send(4, .raw("SELECT a FROM t", credit: .max))
    #expect(try client.count(4).rows == 500)
  }

  @Test func `the hello says what credit is counted and what a credit of 0 means, and 0 is kept to`() throws {
    let client = try RawClient(live.tcp)
    client.send(1, .hello(.init(database: "db", create: true)))
    guard case .hello(let hello)? = try client.receive().parts.first else {
      throw RawClient.Failure(message: "no hello")
    }
    #expect(hello.creditBytesMax == UInt64(Limits().creditMaxBytes))
    #expect(hello.creditBytesDefault == UInt32(Limits().creditDefaultBytes))
    client.send(2, .raw(Self.rows(5_000)))
    // A ping that is sent now is answered among the rows; one that is sent after they stopped comes last.
    var bytes = 0
    client.send(3, .ping([1]))
    var hasPong = false
    while !hasPong || bytes < Int(hello.creditBytesDefault) {
      let message = try client.receive()
      for case .rows(let batch) in message.parts { bytes += batch.byteCount }
      if message.requestID == 3 { hasPong = true }
    }
    client.send(4, .ping([2]))
    #expect(try client.receive().requestID == 4)
    #expect(bytes < Int(hello.creditBytesDefault) + 2 * Limits().rowBatchBytes)
    client.send(2, .credit(bytes: .max))
    let rest = try client.count(2)
    #expect(rest.error == nil && rest.rows > 4_000)
  }
}

extension RawClient {
  /// How many rows come until the request ends.
  fileprivate func count(_ id: UInt32) throws -> (rows: Int, error: RequestError?) {
    var rows = 0
    while true {
      for part in try receive().parts {
        switch part {
        case .rows(let batch): rows += batch.rowCount
        case .completion: return (rows, nil)
        case .error(let error): return (rows, error)
        default: break
        }
      }
    }
  }
}
