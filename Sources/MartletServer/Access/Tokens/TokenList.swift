public import Foundation
internal import MartletValues

/// The tokens of a file, as a server asks for them.
///
/// Always true: it is a value without the tokens themselves; a wrong token takes as long as an unknown one.
public struct TokenList: Sendable {
  /// The records in the order of the file.
  public let records: [TokenRecord]
  private let places: [String: Int]
  private let digests: [[UInt8]]

  /// What an unknown id is compared with.
  private static let dummy = [UInt8](repeating: 0, count: SHA256.digestBytes)

  /// No token is valid.
  public init() { (records, places, digests) = ([], [:], []) }

  /// Lines of JSON; blank ones and those that start with `#` do not count. The error names the file and the line.
  public init(_ text: String, file: String) throws(ServerError) {
    guard text.utf8.count <= TokenLimits.fileBytesMax else {
      throw .tokenFileTooLarge(file, bytesMax: TokenLimits.fileBytesMax)
    }
    var records: [TokenRecord] = []
    var places: [String: Int] = [:]
    var digests: [[UInt8]] = []
    let decoder = JSONDecoder()
    var number = 0
    var rest = Substring(text).utf8
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 10 }
      rest = rest.dropFirst(line.count + 1)
      number += 1
      guard Self.isRecord(line) else { continue }
      let place = "\(file):\(number)"
      let (record, digest) = try Self.record(line, decoder, place)
      guard places.updateValue(records.count, forKey: record.id) == nil else {
        throw .tokenIDTwice(record.id, place)
      }
      guard records.count < TokenLimits.recordsMax else {
        throw .tooManyTokens(place, recordsMax: TokenLimits.recordsMax)
      }
      records.append(record)
      digests.append(digest)
    }
    (self.records, self.places, self.digests) = (records, places, digests)
  }

  /// Nil for what is no token, is unknown, is wrong or has expired.
  public func record(for token: String, now: Date) -> TokenRecord? {
    guard token.utf8.count <= TokenLimits.textBytesMax, let id = Token.id(in: token) else { return nil }
    let place = places[id]
    // The same work for an id that nobody has, so that time does not tell which ids there are.
    let isRight = Token.areEqual(Token.digest(of: token), place.map { digests[$0] } ?? Self.dummy)
    guard isRight, let place, records[place].isValid(at: now) else { return nil }
    return records[place]
  }

  /// The token of that id, which was shown before; nil if it is unknown or has expired.
  func record(id: String, now: Date) -> TokenRecord? {
    guard let place = places[id], records[place].isValid(at: now) else { return nil }
    return records[place]
  }

  /// Whether a line of a file is neither blank nor a comment.
  static func isRecord(_ line: some Collection<UInt8>) -> Bool {
    guard let first = line.first(where: { $0 != 32 && $0 != 9 && $0 != 13 }) else { return false }
    return first != UInt8(ascii: "#")
  }

  private static func record(
    _ line: Substring.UTF8View, _ decoder: JSONDecoder, _ place: String
  ) throws(ServerError) -> (TokenRecord, digest: [UInt8]) {
    let record: TokenRecord
    do {
      record = try decoder.decode(TokenRecord.self, from: Data(line))
    } catch {
      throw .noTokenRecord(place)
    }
    guard Token.isID(record.id), let digest = Token.digest(hex: record.sha256) else {
      throw .invalidTokenID(place, length: Token.idLength)
    }
    guard SimpleName.isValid(record.role) else {
      throw .invalidTokenRole(place)
    }
    do throws(ServerError) { try TokenRecord.check(record.claims) } catch {
      throw .invalidTokenClaims(place, error)
    }
    return (record, digest)
  }
}
