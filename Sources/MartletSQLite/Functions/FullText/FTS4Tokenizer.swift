import CSQLite

/// Tokenizers of the program, as FTS4 calls them.
///
/// Always true: the memory of a word that FTS4 gets is valid until FTS4 asks for the next one.
enum FTS4Tokenizer {
  /// The one module of this process: its address is what SQLite is given.
  // Unsafe because it is never changed, and lives as long as the process.
  nonisolated(unsafe) static let module: UnsafeMutablePointer<martlet_sqlite_tokenizer_module> = {
    let module = UnsafeMutablePointer<martlet_sqlite_tokenizer_module>.allocate(capacity: 1)
    // Initialized because SQLite reads every field.
    module.initialize(
      to: martlet_sqlite_tokenizer_module(
        version: 0, create: { create($0, $1, $2) }, destroy: { destroy($0) }, open: { open($0, $1, $2, $3) },
        close: { close($0) }, next: { next($0, $1, $2, $3, $4, $5) }, language: nil))
    return module
  }()

  private static func create(
    _ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<martlet_sqlite_tokenizer>?>?
  ) -> Int32 {
    guard count > 0, let name = arguments?[0], let body = ProgramTokenizer.named(String(cString: name)) else {
      return SQLITE_ERROR
    }
    let tokenizer = UnsafeMutablePointer<martlet_sqlite_tokenizer>.allocate(capacity: 1)
    // Retained because the table holds its tokenizer until it destroys it.
    let retained = Unmanaged.passRetained(body).toOpaque()
    tokenizer.initialize(to: martlet_sqlite_tokenizer(module: nil, body: retained))
    result?.pointee = tokenizer
    return SQLITE_OK
  }

  private static func destroy(_ tokenizer: UnsafeMutablePointer<martlet_sqlite_tokenizer>?) -> Int32 {
    guard let tokenizer, let body = tokenizer.pointee.body else { return SQLITE_OK }
    // Released because `create` retained it for the table.
    Unmanaged<ProgramTokenizer>.fromOpaque(body).release()
    tokenizer.deallocate()
    return SQLITE_OK
  }

  private static func open(
    _ tokenizer: UnsafeMutablePointer<martlet_sqlite_tokenizer>?, _ text: UnsafePointer<CChar>?, _ count: Int32,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<martlet_sqlite_tokenizer_cursor>?>?
  ) -> Int32 {
    guard let body = tokenizer?.pointee.body else { return SQLITE_ERROR }
    // Unretained because the table holds its tokenizer.
    let program = Unmanaged<ProgramTokenizer>.fromOpaque(body).takeUnretainedValue()
    let bytes = UnsafeRawBufferPointer(start: text, count: Self.length(text, count))
    let cursor = UnsafeMutablePointer<martlet_sqlite_tokenizer_cursor>.allocate(capacity: 1)
    // Retained because the cursor holds its scan until it is closed.
    let scan = Unmanaged.passRetained(FTS4Scan(bytes, program.next)).toOpaque()
    cursor.initialize(to: martlet_sqlite_tokenizer_cursor(tokenizer: nil, scan: scan))
    result?.pointee = cursor
    return SQLITE_OK
  }

  /// A negative count stands for a text that ends with a zero.
  private static func length(_ text: UnsafePointer<CChar>?, _ count: Int32) -> Int {
    guard let text else { return 0 }
    if count >= 0 { return Int(count) }
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }

  private static func close(_ cursor: UnsafeMutablePointer<martlet_sqlite_tokenizer_cursor>?) -> Int32 {
    guard let cursor, let scan = cursor.pointee.scan else { return SQLITE_OK }
    // Released because `open` retained it for the cursor.
    Unmanaged<FTS4Scan>.fromOpaque(scan).release()
    cursor.deallocate()
    return SQLITE_OK
  }

  private static func next(
    _ cursor: UnsafeMutablePointer<martlet_sqlite_tokenizer_cursor>?,
    _ token: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: UnsafeMutablePointer<Int32>?,
    _ start: UnsafeMutablePointer<Int32>?, _ end: UnsafeMutablePointer<Int32>?,
    _ position: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let opaque = cursor?.pointee.scan else { return SQLITE_ERROR }
    // Unretained because the cursor holds its scan.
    let scan = Unmanaged<FTS4Scan>.fromOpaque(opaque).takeUnretainedValue()
    guard let place = scan.next() else { return SQLITE_DONE }
    token?.pointee = UnsafePointer(scan.word.baseAddress)
    count?.pointee = Int32(clamping: scan.wordBytes)
    start?.pointee = Int32(clamping: place.lowerBound)
    end?.pointee = Int32(clamping: place.upperBound)
    position?.pointee = scan.position
    scan.position += 1
    return SQLITE_OK
  }
}

/// The words of one text, for a cursor of FTS4.
private final class FTS4Scan {
  private var scan: TokenScan
  private let bytesMax: Int
  /// The bytes of the word that was found last. FTS4 may read them until it asks for the next one, because the memory
  /// is the scan's own and changes only then.
  private(set) var word = UnsafeMutableBufferPointer<CChar>(start: nil, count: 0)
  private(set) var wordBytes = 0
  var position: Int32 = 0

  init(_ bytes: UnsafeRawBufferPointer, _ next: @escaping NextToken) {
    scan = TokenScan(String(decoding: bytes, as: UTF8.self), next)
    bytesMax = bytes.count
  }

  deinit { word.deallocate() }

  /// Where the next word stands. Bytes that are not UTF-8 may have been repaired, which makes the text longer.
  func next() -> Range<Int>? {
    guard let token = scan.nextToken(), token.place.upperBound <= bytesMax else { return nil }
    wordBytes = token.text.utf8.count
    if word.count < max(1, wordBytes) {
      word.deallocate()
      word = .allocate(capacity: max(64, wordBytes * 2))
    }
    for (index, byte) in token.text.utf8.enumerated() { word[index] = CChar(bitPattern: byte) }
    return token.place
  }
}
