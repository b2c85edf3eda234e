public import Foundation
internal import MartletValues

/// The file in which `martlet token` keeps tokens, and which servers read.
///
/// Always true: whoever changes it has its lock; a reader sees it before or after a change, and nobody but its owner
/// and group may read it.
public struct TokenFile: Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  /// What a server asks for tokens. Throws if the file cannot be read, others have rights to it, or a line is wrong.
  public func load() throws(ServerError) -> TokenList {
    let file = try LockedFile(reading: path, .tokens)
    return try TokenList(try file.text(atMost: TokenLimits.fileBytesMax), file: path)
  }

  /// The tokens in the order of the file.
  public func list() throws(ServerError) -> [TokenRecord] { try load().records }

  /// Makes a token and appends its record; the file is made with mode 0600 if there is none. The text is nowhere else.
  public func create(
    role: String, name: String = "", claims: [String: String] = [:], expires: Date? = nil, now: Date = Date()
  ) throws(ServerError) -> (record: TokenRecord, text: String) {
    guard SimpleName.isValid(role) else { throw .invalidName("A role's name") }
    try TokenRecord.check(claims)
    let file = try LockedFile(changing: path, .tokens, makesFile: true)
    let former = try file.text(atMost: TokenLimits.fileBytesMax)
    let list = try TokenList(former, file: path)
    guard list.records.count < TokenLimits.recordsMax else {
      throw .tokenFileFull(path, count: list.records.count)
    }
    let ids = Set(list.records.map(\.id))
    var token = Token.make()
    while ids.contains(token.id) { token = Token.make() }
    let record = TokenRecord(
      id: token.id, role: role, name: name, sha256: HexText.of(Token.digest(of: token.text)), created: now,
      expires: expires, claims: claims)
    let separator = former.isEmpty || former.utf8.last == 10 ? "" : "\n"
    try file.append(separator + Self.line(record))
    return (record, token.text)
  }

  /// Removes a token's record; comments and the other lines stay as they are.
  public func revoke(_ id: String) throws(ServerError) {
    let file = try LockedFile(changing: path, .tokens, makesFile: false)
    let text = try file.text(atMost: TokenLimits.fileBytesMax)
    guard try TokenList(text, file: path).records.contains(where: { $0.id == id }) else {
      throw .noToken(id, in: path)
    }
    var kept: [UInt8] = []
    var rest = Substring(text).utf8
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 10 }
      let end = rest.index(line.endIndex, offsetBy: 1, limitedBy: rest.endIndex) ?? rest.endIndex
      let isRevoked = TokenList.isRecord(line) && Self.id(line) == id
      if !isRevoked { kept.append(contentsOf: rest[..<end]) }
      rest = rest[end...]
    }
    try file.replace(with: kept)
  }

  private static func id(_ line: Substring.UTF8View) -> String? {
    (try? JSONDecoder().decode(TokenRecord.self, from: Data(line)))?.id
  }

  private static func line(_ record: TokenRecord) throws(ServerError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(record), as: UTF8.self) + "\n"
    } catch {
      throw .tokenNotWritable
    }
  }
}
