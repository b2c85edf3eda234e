import CSQLite

/// `highlight`, `snippet` and `bm25` of FTS5 in place of its own, which take minutes for a document of a megabyte.
///
/// Always true: the results are those of FTS5's own functions; a connection without FTS5 has none.
enum FullTextFunctions {
  static let names = ["highlight", "snippet", "bm25"]

  static func register(on handle: OpaquePointer, limiter: ExecutionLimiter) throws(SQLiteError) {
    guard let api = api(of: handle), let create = api.pointee.xCreateFunction else { return }
    // Unretained because the connection owns the limiter and closes its handle, and the functions with it, first.
    let opaqueLimiter = Unmanaged.passUnretained(limiter).toOpaque()
    let results = [
      create(
        api, "highlight", opaqueLimiter,
        { api, fts, context, count, values in FullTextCall(api, fts, context, count, values)?.highlight() }, nil),
      create(
        api, "snippet", opaqueLimiter,
        { api, fts, context, count, values in FullTextCall(api, fts, context, count, values)?.snippet() }, nil),
      create(
        api, "bm25", opaqueLimiter,
        { api, fts, context, count, values in FullTextCall(api, fts, context, count, values)?.bm25() }, nil),
    ]
    for result in results where result != SQLITE_OK { throw SQLiteError(result, on: handle) }
  }

  /// FTS5 hands out its interface for registering functions through a SQL function.
  static func api(of handle: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, FixedSQL.fullTextInterface, -1, &statement, nil) == SQLITE_OK else { return nil }
    var api: UnsafeMutablePointer<fts5_api>?
    // A static string's address is constant because it lies in the program's own data: SQLite keeps the address and
    // reads the name in the step.
    let name = UnsafeRawPointer(pointerName.utf8Start).assumingMemoryBound(to: CChar.self)
    withUnsafeMutablePointer(to: &api) { place in
      // The pointer is used by the one step below, while `api` is there.
      sqlite3_bind_pointer(statement, 1, place, name, nil)
      _ = sqlite3_step(statement)
    }
    return api
  }

  private static let pointerName: StaticString = "fts5_api_ptr"
}

/// One call of a function of FTS5, with the row that it is about.
struct FullTextCall {
  let api: Fts5ExtensionApi
  private let interface: UnsafePointer<Fts5ExtensionApi>
  let fts: OpaquePointer
  let context: OpaquePointer?
  let count: Int
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  let limiter: ExecutionLimiter

  init?(
    _ api: UnsafePointer<Fts5ExtensionApi>?, _ fts: OpaquePointer?, _ context: OpaquePointer?, _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let api, let fts, let limiter = api.pointee.xUserData?(fts) else { return nil }
    self.api = api.pointee
    interface = api
    self.fts = fts
    self.context = context
    self.count = Int(count)
    self.values = values
    // Unretained because the connection whose statement calls owns the limiter.
    self.limiter = Unmanaged<ExecutionLimiter>.fromOpaque(limiter).takeUnretainedValue()
  }

  var bytesMax: Int { Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1)) }

  func real(_ index: Int32) -> Double { sqlite3_value_double(values?[Int(index)]) }

  func integer(_ index: Int) -> Int32 { sqlite3_value_int(values?[index]) }

  /// The argument up to its first zero; nil for NULL.
  func text(_ index: Int) -> UnsafeRawBufferPointer? {
    BuiltinCall.text(values?[index]).map { $0.toFirstZero }
  }

  func phraseSize(_ phrase: Int32) -> Int32 { api.xPhraseSize?(fts, phrase) ?? 0 }

  func columnText(_ column: Int32, _ text: inout UnsafeRawBufferPointer?) -> Int32 {
    var start: UnsafePointer<CChar>?
    var size: Int32 = 0
    let result = api.xColumnText?(fts, column, &start, &size) ?? SQLITE_ERROR
    text = start.map { UnsafeRawBufferPointer(start: $0, count: Int(size)) }
    return result
  }

  func columnSize(_ column: Int32, _ size: inout Int32) -> Int32 {
    api.xColumnSize?(fts, column, &size) ?? SQLITE_ERROR
  }

  /// Calls `reader` for each token of the text.
  func tokenize(_ text: UnsafeRawBufferPointer, _ reader: TokenReader) -> Int32 {
    // Bytes may be read as characters of C because a character of C is one byte too.
    let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    // Unretained because the reader outlives the call that is given it.
    let place = Unmanaged.passUnretained(reader).toOpaque()
    return api.xTokenize?(
      fts, start, Int32(clamping: text.count), place,
      { place, flags, _, size, start, end in
        guard let place else { return SQLITE_ERROR }
        // Unretained because whoever asked for the tokens holds the reader.
        let reader = Unmanaged<TokenReader>.fromOpaque(place).takeUnretainedValue()
        if flags & FTS5_TOKEN_COLOCATED != 0 { return SQLITE_OK }
        return reader.read(size: size, start: start, end: end)
      }) ?? SQLITE_ERROR
  }
}

/// Where a phrase of the query stands in the row.
struct FullTextInstance {
  var phrase: Int32 = 0
  var column: Int32 = 0
  var offset: Int32 = 0
}

/// Is told of the tokens of a text. It returns a code of SQLite's; any code but OK ends the reading.
class TokenReader {
  private var meter: WorkMeter

  init(_ limiter: ExecutionLimiter) { meter = WorkMeter(limiter) }

  final func read(size: Int32, start: Int32, end: Int32) -> Int32 {
    let result = token(start: Int(start), end: Int(end))
    return result == SQLITE_OK ? spend(64 + Int(size)) : result
  }

  /// A token: from one byte of the text up to another, which is not part of it.
  func token(start: Int, end: Int) -> Int32 { SQLITE_OK }

  final func spend(_ bytes: Int) -> Int32 {
    do {
      try meter.spend(bytes)
      return SQLITE_OK
    } catch {
      return SQLITE_INTERRUPT
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The part of a text that SQLite's functions on strings of C see.
  var toFirstZero: UnsafeRawBufferPointer {
    guard let end = firstIndex(of: 0) else { return self }
    return UnsafeRawBufferPointer(rebasing: self[..<end])
  }
}
