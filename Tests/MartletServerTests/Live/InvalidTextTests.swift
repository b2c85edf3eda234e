/// Bytes that are not UTF-8, in both directions of a connection: refused with a reason, and the connection goes on.
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@Suite(.serialized) struct InvalidTextTests {
  private let live: LiveServer

  init() throws { live = try LiveServer() }

  @Test func `no way out sends a text that is not UTF-8`() throws {
    let client = try live.connect()
    try client.execute(2, "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
    try client.execute(3, "INSERT INTO t VALUES (1, cast(x'ff41' AS text)), (2, 'sound' || char(0) || '👍')")
    client.send(4, .begin(.read, deadlineMs: 0))
    _ = try client.answer(4)
    client.send(5, .begin(.write, deadlineMs: 0))
    _ = try client.answer(5)
    let statements: [(String, UInt32)] = [
      ("SELECT b FROM t WHERE a = 1", 0), ("SELECT b FROM t", 4), ("SELECT b FROM t", 5),
      ("SELECT 'é', group_concat(b) AS b FROM t", 0), ("UPDATE t SET a = a RETURNING b", 5),
      ("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT b FROM n, t", 0),
    ]
    for (index, (sql, transaction)) in statements.enumerated() {
      let answer = try client.execute(UInt32(10 + index), sql, transaction: transaction)
      #expect(answer.error?.reason == .notUTF8 && answer.error?.column == "b", "\(sql)")
    }
    client.send(6, .finish(transaction: 5, commit: true))
    #expect(try client.answer(6).error == nil)
    let rows = try client.execute(7, "SELECT b FROM t WHERE a = 2").rows
    #expect(rows == [["sound\u{0}👍"]])
    // A column without a name is called by its text, which is whatever the client wrote.
    let nameless = try client.execute(8, "SELECT 1, cast(x'c3' AS text)").error
    #expect(nameless?.column == "cast(x'c3' AS text)" && nameless?.message.contains("Column 2 ") == true)
    let long = try client.execute(9, "SELECT cast(x'c3' || zeroblob(\(String(repeating: "0", count: 200))) AS text)")
    #expect(long.error?.message.contains("…") == true && (long.error?.message.utf8.count ?? 999) < 300)
  }

  @Test func `what SQLite says of bytes that are not UTF-8 arrives as UTF-8`() throws {
    let client = try live.connect()
    let statements = [
      "SELECT json_extract('{}', cast(x'ff41' AS text))", "SELECT json(cast(x'ff' AS text))",
      "SELECT 1 FROM no\u{FFFD}where", "SELECT 'a' LIKE 'b' ESCAPE cast(x'ffff' AS text)",
      "SELECT strftime(cast(x'ff' AS text), 'now'), printf(cast(x'ff25' AS text))",
    ]
    for (index, sql) in statements.enumerated() {
      let answer = try client.execute(UInt32(2 + index), sql)
      #expect(answer.error != nil, "\(sql)")
    }
    #expect(try client.execute(50, "SELECT 1").rows == [[1]])
  }

  /// Parameters are written as text, and then made what no text is, in the bytes of the frame.
  @Test func `a parameter, a list and names that are not UTF-8 are refused, and NUL is not`() throws {
    let client = try live.connect()
    let mark = "\u{1}\u{2}\u{3}\u{4}"
    func spoil(_ bytes: [UInt8], with wrong: [UInt8] = [0x41, 0xC3, 0x28, 0x41]) -> [UInt8] {
      var bytes = bytes
      for start in bytes.indices where bytes[start...].starts(with: mark.utf8) {
        bytes.replaceSubrange(start..<start + 4, with: wrong)
      }
      return bytes
    }
    let parameters: [[Value]] = [
      [.text(mark)], [.text("é" + mark + "a longer text that is looked at in words")], [.list(["fine", .text(mark)])],
      [.list([1, .text(mark), nil])],
    ]
    for (index, values) in parameters.enumerated() {
      let id = UInt32(2 + index)
      client.send(spoil(client.bytes(id, .raw("SELECT ?1", values))))
      #expect(try client.answer(id).error?.reason == .malformed, "\(values)")
      // What is cut by the end of a value is no text either, even if the next value would complete it.
      client.send(spoil(client.bytes(id, .raw("SELECT ?1", values)), with: [0x41, 0x41, 0x41, 0xC3]))
      #expect(try client.answer(id).error?.reason == .malformed, "\(values)")
    }
    let split = Value.list([.text(mark), .text("\u{5}\u{6}\u{7}")])
    var bytes = spoil(
      client.bytes(40, .raw("SELECT count(*) FROM martlet_list(?1)", [split])), with: [65, 65, 65, 0xC3])
    if let start = bytes.indices.first(where: { bytes[$0...].starts(with: [5, 6, 7]) }) { bytes[start] = 0xA9 }
    client.send(bytes)
    #expect(try client.answer(40).error?.reason == .malformed)
    client.send(30, .raw("SELECT ?1, length(cast(?1 AS blob))", ["a\u{0}b"]))
    #expect(try client.answer(30).rows == [["a\u{0}b", 3]])
    client.send(spoil(client.bytes(31, .raw("SELECT '\(mark)'"))))
    #expect(try client.answer(31).error != nil, "the text of a statement is checked with its tree")
    let stranger = try RawClient(live.tcp)
    stranger.send(spoil(stranger.bytes(1, .hello(.init(database: mark, client: "x", create: true)))))
    let messages = try stranger.receiveUntilClosed()
    guard case .error(let error)? = messages.first?.parts.first else { throw RawClient.Failure(message: "no error") }
    #expect(error.reason == .malformed)
  }
}
