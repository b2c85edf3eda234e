public import MartletAST
internal import MartletProtobuf
public import MartletValues

/// A statement as it crosses the wire: its tree serialized once, and the id of its shape.
///
/// Always true: the id is the hash of the bytes; a copy shares both, so a program makes a statement once and keeps it.
public struct RemoteStatement: Sendable {
  final class Storage: Sendable {
    let bytes: [UInt8]
    let shape: ShapeID
    let isRead: Bool
    let mayBeRead: Bool

    init(bytes: [UInt8], isRead: Bool, mayBeRead: Bool = false) {
      self.bytes = bytes
      self.isRead = isRead
      self.mayBeRead = isRead || mayBeRead
      shape = bytes.withUnsafeBytes { ShapeID(hashing: $0) }
    }
  }

  let storage: Storage

  /// Serializes `tree`. Throws `ClientError.Code.invalidStatement` if the tree is too deep to be serialized.
  public init(_ tree: ASTStatement) throws(ClientError) {
    do {
      let bytes: [UInt8] = try tree.serialize()
      storage = Storage(bytes: bytes, isRead: Self.isRead(tree))
    } catch {
      throw .unserializable
    }
  }

  /// A statement of SQL text, which the server must allow. Values are numbered parameters: `?1`, `?2`, ….
  ///
  /// A read that loses its connection is sent again; say `isRead` only of text that cannot write.
  public static func sql(_ text: String, isRead: Bool = false) -> RemoteStatement {
    var part = ASTRaw.Part()
    part.sql = text
    var raw = ASTRaw()
    raw.parts = [part]
    var tree = ASTStatement()
    tree.raw = raw
    return RemoteStatement(storage: Storage(bytes: tree.serialized, isRead: isRead, mayBeRead: looksLikeRead(text)))
  }

  /// Whether the statement is a query, or text that looks like one: it changes no rows, and has a read's deadline if
  /// none is stated.
  package var mayBeRead: Bool { storage.mayBeRead }

  /// The statement is a query, or text that can be nothing else. The whole text is read for it, so it is asked only
  /// when an answer is missing.
  package var surelyReads: Bool {
    if isRead { return true }
    guard mayBeRead, let tree = try? ASTStatement.read(bytes) else { return false }
    let text = Self.words(of: tree.raw)
    // A pragma may change the database.
    guard SQLTokens.firstWord(of: text) != "PRAGMA" else { return false }
    let semicolon = SQLTokens.Token.symbol(UInt8(ascii: ";"))
    // Something else may stand behind the end of a query.
    return SQLTokens(text).drop { $0 != semicolon }.allSatisfy { $0 == semicolon }
  }

  private static func looksLikeRead(_ text: String) -> Bool {
    switch SQLTokens.firstWord(of: text) {
    case "SELECT", "VALUES", "EXPLAIN", "PRAGMA": return true
    case "WITH":
      return !SQLTokens(text).contains { token in
        guard case .word(let word) = token else { return false }
        return ["INSERT", "UPDATE", "DELETE", "REPLACE"].contains(word.uppercased())
      }
    default: return false
    }
  }

  /// A statement that is serialized already.
  package init(bytes: [UInt8]) {
    let (isRead, mayBeRead) = Self.reading(bytes)
    self.init(storage: Storage(bytes: bytes, isRead: isRead, mayBeRead: mayBeRead))
  }

  /// Whether a serialized statement is a query, or text that looks like one.
  package static func mayBeRead(_ bytes: [UInt8]) -> Bool { reading(bytes).mayBeRead }

  private static func reading(_ bytes: [UInt8]) -> (isRead: Bool, mayBeRead: Bool) {
    // What the statement is stands first: the key of its field, which is one byte for each of these. WITH and text are
    // looked at closely, which few statements need.
    guard let first = bytes.first, WireKey.type(of: UInt64(first)) == .delimited else { return (false, false) }
    typealias Kind = GrammarFields.Statement
    switch WireKey.number(of: UInt64(first)) {
    case Kind.select, Kind.compound, Kind.values: return (true, true)
    case Kind.with, Kind.raw:
      guard let tree = try? ASTStatement.read(bytes) else { return (false, false) }
      let isRead = isRead(tree)
      return (isRead, isRead || looksLikeRead(words(of: tree.raw)))
    default: return (false, false)
    }
  }

  /// The text of a raw statement, with one word for a statement inside of it that writes.
  private static func words(of raw: ASTRaw) -> String {
    raw.parts.map { part in
      switch part.kind {
      case .sql(let text): text
      case .statement(let tree) where !isRead(tree): "INSERT"
      default: " "
      }
    }.joined(separator: " ")
  }

  private init(storage: Storage) { self.storage = storage }

  /// The serialized tree.
  public var bytes: [UInt8] { storage.bytes }

  /// The id under which a server remembers the statement.
  public var shape: ShapeID { storage.shape }

  /// The statement cannot change the database, so sending it twice does no harm.
  public var isRead: Bool { storage.isRead }

  /// Whether the outermost statement, under any `WITH`, is a query. Common tables cannot write in SQLite.
  private static func isRead(_ tree: ASTStatement) -> Bool {
    switch tree.kind {
    case .select, .compound, .values: true
    case .with(let with): isRead(with.body)
    default: false
    }
  }
}

extension RemoteStatement: Hashable {
  public static func == (left: RemoteStatement, right: RemoteStatement) -> Bool { left.shape == right.shape }
  public func hash(into hasher: inout Hasher) { hasher.combine(shape) }
}
