import CSQLite

/// Tokenizers of the program, as FTS5 calls them.
///
/// Always true: a table has the tokenizer of its own connection.
enum FTS5Tokenizer {
  /// Does nothing if this SQLite has no FTS5.
  static func register(
    _ tokenizers: ConnectionTokenizers, on handle: OpaquePointer
  ) throws(SQLiteError) {
    guard let api = FullTextFunctions.api(of: handle), let create = api.pointee.xCreateTokenizer else { return }
    var tokenizer = fts5_tokenizer(
      xCreate: { FTS5Tokenizer.create($0, $1, $2, $3) },
      xDelete: { body in
        // Released because `create` retained it for the table.
        if let body { Unmanaged<ProgramTokenizer>.fromOpaque(UnsafeRawPointer(body)).release() }
      },
      xTokenize: { FTS5Tokenizer.tokenize($0, $1, $3, $4, $5) })
    // Unretained because the connection closes its handle, and the tables with it, before it lets go of them.
    let context = Unmanaged.passUnretained(tokenizers).toOpaque()
    let result = create(api, ProgramTokenizer.module, context, &tokenizer, nil)
    guard result == SQLITE_OK else { throw SQLiteError(result, on: handle) }
  }

  private static func create(
    _ context: UnsafeMutableRawPointer?, _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: Int32,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard let context, count > 0, let name = arguments?[0] else { return SQLITE_ERROR }
    // Unretained because the statement that calls is of the connection that owns them.
    let tokenizers = Unmanaged<ConnectionTokenizers>.fromOpaque(context).takeUnretainedValue()
    guard let body = tokenizers.named[String(cString: name)] else { return SQLITE_ERROR }
    // Retained because the table holds its tokenizer until it deletes it.
    result?.pointee = OpaquePointer(Unmanaged.passRetained(body).toOpaque())
    return SQLITE_OK
  }

  private typealias TakeToken =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
    ) -> Int32

  private static func tokenize(
    _ body: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int32,
    _ take: TakeToken?
  ) -> Int32 {
    guard let body, let take else { return SQLITE_ERROR }
    // Unretained because the table holds its tokenizer.
    let program = Unmanaged<ProgramTokenizer>.fromOpaque(UnsafeRawPointer(body)).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(max(0, count)))
    var scan = TokenScan(String(decoding: bytes, as: UTF8.self), program.next)
    // Bytes that are not UTF-8 may have been repaired, which makes the text longer.
    while let token = scan.nextToken(), token.place.upperBound <= bytes.count {
      var word = token.text
      let result = word.withUTF8 { word in
        word.withMemoryRebound(to: CChar.self) {
          take(
            context, 0, $0.baseAddress, Int32(clamping: $0.count), Int32(clamping: token.place.lowerBound),
            Int32(clamping: token.place.upperBound))
        }
      }
      if result != SQLITE_OK { return result }
    }
    return SQLITE_OK
  }
}
