/// Tokens, their list and their file.
import Foundation
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

struct TokenTests {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  static func record(_ token: (id: String, text: String), role: String = "reader", expires: Date? = nil) -> TokenRecord
  {
    TokenRecord(
      id: token.id, role: role, name: "n", sha256: HexText.of(Token.digest(of: token.text)), created: now,
      expires: expires)
  }

  static func line(_ record: TokenRecord) throws -> String {
    String(decoding: try JSONEncoder().encode(record), as: UTF8.self) + "\n"
  }

  private static func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `a digest is that of the standard`() {
    #expect(
      HexText.of(SHA256.digest(of: Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      HexText.of(SHA256.digest(of: []))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let digest = SHA256.digest(of: [1])
    #expect(Token.digest(hex: HexText.of(digest)) == digest)
    for text in ["", "00", String(repeating: "G", count: 64), String(repeating: "A", count: 64)] {
      #expect(Token.digest(hex: text) == nil)
    }
  }

  @Test func `each token has its own text of 60 letters`() throws {
    var texts: Set<String> = []
    for _ in 0..<1_000 {
      let token = Token.make()
      #expect(token.text.wholeMatch(of: /mlt_[a-z0-9]{12}_[A-Za-z0-9_-]{43}/) != nil)
      #expect(Token.id(in: token.text) == token.id)
      // 43 letters of base64url that are 32 bytes, without bits to spare.
      let secret = token.text.suffix(43).replacing("-", with: "+").replacing("_", with: "/")
      #expect(try #require(Data(base64Encoded: secret + "=")).count == 32)
      texts.insert(token.text)
    }
    #expect(texts.count == 1_000)
  }

  @Test func `a record keeps what it says as JSON`() throws {
    let record = Self.record(Token.make(), expires: Self.now + 60)
    let line = try Self.line(record)
    #expect(
      line.contains("\"created\":\"2027-01-15T08:00:00Z\"") && line.contains("\"expires\":\"2027-01-15T08:01:00Z\""))
    #expect(try JSONDecoder().decode(TokenRecord.self, from: Data(line.utf8)) == record)
  }

  @Test func `a token is found until it expires`() throws {
    let (token, other) = (Token.make(), Token.make())
    let text =
      "# tokens\n\n" + (try Self.line(Self.record(token, expires: Self.now + 60))) + "  # more\r\n"
      + (try Self.line(Self.record(other, role: "writer")))
    let list = try TokenList(text, file: "tokens")
    #expect(list.records.map(\.role) == ["reader", "writer"])
    #expect(list.record(for: token.text, now: Self.now)?.id == token.id)
    #expect(list.record(for: token.text, now: Self.now + 59)?.id == token.id)
    #expect(list.record(for: token.text, now: Self.now + 60) == nil)
    #expect(list.record(for: other.text, now: Self.now + 1e9)?.role == "writer")
    #expect(TokenList().record(for: token.text, now: Self.now) == nil)
  }

  @Test func `what is no token of the list is refused`() throws {
    let (token, other) = (Token.make(), Token.make())
    let list = try TokenList(Self.line(Self.record(token)), file: "tokens")
    let secret = String(other.text.suffix(43))
    let wrong = [
      "", "mlt_", other.text, token.text + "a", String(token.text.dropLast()), " " + token.text, token.text + "\n",
      "mlt_\(token.id)_\(secret)", token.text.uppercased(), token.text.replacing("mlt_", with: "mlx_"),
      "mlt_\(token.id)-\(token.text.suffix(43))", String(repeating: "a", count: 129),
      String(repeating: "é", count: 30), "mlt_\(token.id)_" + String(repeating: "=", count: 43),
      String(repeating: "a", count: 10_000_000),
    ]
    for text in wrong { #expect(list.record(for: text, now: Self.now) == nil, "\(text.prefix(80))") }
  }

  @Test func `digests are compared as a whole`() {
    let digest = [UInt8](repeating: 7, count: 32)
    #expect(Token.areEqual(digest, digest))
    for index in 0..<32 {
      var other = digest
      other[index] ^= 1
      #expect(!Token.areEqual(digest, other))
    }
    #expect(!Token.areEqual(digest, Array(digest.dropLast())))
  }

  @Test func `a mistake of a list names file and line`() throws {
    let token = Token.make()
    var record = Self.record(token)
    let right = try Self.line(record)
    record.sha256 = "12"
    let short = try Self.line(record)
    record = Self.record(token, role: "a b")
    let badRole = try Self.line(record)
    record = Self.record((id: "UPPERCASE123", text: token.text))
    let badID = try Self.line(record)
    let mistakes: [(text: String, words: String)] = [
      ("#\n{}\n", "tokens:2: This is no token's record"), ("\n\nnonsense", "tokens:3: This is no token's record"),
      (right + right, "tokens:2: The id \(token.id) stands in an earlier line too"),
      (short, "tokens:1: A record has an id"), (badID, "tokens:1: A record has an id"),
      (badRole, "tokens:1: The role is no name of a role"),
      (right.replacing("2027-01-15T08:00:00Z", with: "yesterday"), "tokens:1: This is no token's record"),
    ]
    for (text, words) in mistakes {
      let message = Self.message { _ = try TokenList(text, file: "tokens") }
      #expect(message.hasPrefix(words), "\(message)")
    }
  }

  @Test func `a list has a bound`() throws {
    let digest = HexText.of(SHA256.digest(of: []))
    let letters = Array("abcdefghij".utf8)
    var text = ""
    for number in 0...TokenLimits.recordsMax {
      let id = String(decoding: String(1_000_000_000_00 + number).utf8.map { letters[Int($0 - 48)] }, as: UTF8.self)
      text += #"{"id":"\#(id)","role":"r","sha256":"\#(digest)","created":"2027-01-15T08:00:00Z"}"# + "\n"
    }
    let message = Self.message { _ = try TokenList(text, file: "tokens") }
    #expect(message.hasPrefix("tokens:\(TokenLimits.recordsMax + 1): A file has at most"), "\(message.prefix(100))")
  }
}
