import CSQLite

/// Functions of SQLite that are replaced under their own name, because theirs can take minutes in one step.
///
/// Always true: the results are those of SQLite's own, for every value of every type, so a schema that uses them means
/// the same in any SQLite. They end with `SQLITE_INTERRUPT` if the connection's limiter says so. `docs/FUNCTIONS.md`
/// lists them with what was measured.
package enum BuiltinFunctions {
  typealias Body = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  private static let bodies: [(name: String, width: Int32, body: Body)] = [
    ("instr", 2, { context, count, values in BuiltinCall(context, count, values).run { try $0.instr() } }),
    ("replace", 3, { context, count, values in BuiltinCall(context, count, values).run { try $0.replace() } }),
    ("trim", 1, { context, count, values in BuiltinCall(context, count, values).run { try $0.trim(.both) } }),
    ("trim", 2, { context, count, values in BuiltinCall(context, count, values).run { try $0.trim(.both) } }),
    ("ltrim", 1, { context, count, values in BuiltinCall(context, count, values).run { try $0.trim(.left) } }),
    ("ltrim", 2, { context, count, values in BuiltinCall(context, count, values).run { try $0.trim(.left) } }),
    ("rtrim", 1, { context, count, values in BuiltinCall(context, count, values).run { try $0.trim(.right) } }),
    ("rtrim", 2, { context, count, values in BuiltinCall(context, count, values).run { try $0.trim(.right) } }),
    ("printf", -1, { context, count, values in BuiltinCall(context, count, values).run { try $0.format() } }),
    ("format", -1, { context, count, values in BuiltinCall(context, count, values).run { try $0.format() } }),
    ("json_set", -1, { context, count, values in BuiltinCall(context, count, values).run { try $0.jsonEdit(.set) } }),
    (
      "json_insert", -1,
      { context, count, values in BuiltinCall(context, count, values).run { try $0.jsonEdit(.insert) } }
    ),
    ("json_patch", 2, { context, count, values in BuiltinCall(context, count, values).run { try $0.jsonPatch() } }),
  ]

  /// From SQLite 3.45 on these read binary documents, too, which ours do not, so there they stay SQLite's.
  private static let areManyPathsReplaced = SQLiteLibrary.version < 3_045_000

  /// For few paths SQLite's own functions stay: they are faster, and keep a text that they have read for the next call.
  /// A function for any number of arguments would replace those too, so there is one for each number.
  private static let ofManyPaths: [(name: String, step: Int, body: Body)] = [
    ("json_extract", 1, { context, count, values in BuiltinCall(context, count, values).run { try $0.jsonExtract() } }),
    ("json_remove", 1, { context, count, values in BuiltinCall(context, count, values).run { try $0.jsonRemove() } }),
    (
      "json_replace", 2,
      { context, count, values in BuiltinCall(context, count, values).run { try $0.jsonEdit(.replace) } }
    ),
  ]

  /// The functions that replace SQLite's own, in every connection.
  package static let replaced: Set<String> =
    Set(bodies.map(\.name))
    .union(areManyPathsReplaced ? ofManyPaths.map(\.name) : [])
    .union(FullTextFunctions.names)
    .union(LikeFunction.isReplaced ? ["like"] : [])
    .union(GlobFunction.isReplaced ? ["glob"] : [])

  /// Those of them that replace SQLite's whatever they are called with: they look at the limiter while they read a
  /// value, so they end in time.
  static let endable = Set(bodies.map(\.name))
    .union(FullTextFunctions.names)
    .union(LikeFunction.isReplaced ? ["like"] : [])
    .union(GlobFunction.isReplaced ? ["glob"] : [])

  static func register(on handle: OpaquePointer, limiter: ExecutionLimiter) throws(SQLiteError) {
    // Unretained because the connection owns the limiter and closes its handle, and the functions with it, first.
    let opaqueLimiter = Unmanaged.passUnretained(limiter).toOpaque()
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let most = sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
    let many = (areManyPathsReplaced ? ofManyPaths : []).flatMap { function in
      stride(from: SQLiteLimits.manyPathsMin, through: most, by: function.step).map {
        (function.name, $0, function.body)
      }
    }
    for function in bodies + many {
      let result = sqlite3_create_function_v2(
        handle, function.name, function.width, flags, opaqueLimiter, function.body, nil, nil, nil)
      if result != SQLITE_OK { throw SQLiteError(result, on: handle) }
    }
    try FullTextFunctions.register(on: handle, limiter: limiter)
    if LikeFunction.isReplaced { try LikeFunction.register(on: handle, limiter: limiter) }
    if GlobFunction.isReplaced { try GlobFunction.register(on: handle, limiter: limiter) }
  }
}

/// One call of a replaced function: its arguments as SQLite has them, and where its result goes.
struct BuiltinCall {
  let context: OpaquePointer?
  let count: Int
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  var meter: WorkMeter

  /// The limiter comes with the call.
  init(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    // Unretained because the connection whose statement calls owns the limiter; a function of this type always has one.
    let limiter = Unmanaged<ExecutionLimiter>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
    self.init(context, count, values, limiter)
  }

  init(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ limiter: ExecutionLimiter
  ) {
    self.context = context
    self.count = Int(count)
    self.values = values
    meter = WorkMeter(limiter)
  }

  /// Runs the body; an end that the limiter asked for becomes SQLite's, since no Swift error may pass through C.
  @inline(__always)
  consuming func run(_ body: (inout BuiltinCall) throws -> Void) {
    do {
      try body(&self)
      meter.finish()
    } catch {
      sqlite3_result_error_code(context, SQLITE_INTERRUPT)
    }
  }

  subscript(index: Int) -> OpaquePointer? { values?[index] }

  func type(_ index: Int) -> Int32 { sqlite3_value_type(self[index]) }

  /// The longest value that the connection takes.
  var bytesMax: Int { Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1)) }

  /// The argument as text, with a zero after its end; nil for NULL (and if memory is short).
  func text(_ index: Int) -> UnsafeRawBufferPointer? { Self.text(self[index]) }

  static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
    guard let start = sqlite3_value_text(value) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// The argument as SQLite's C functions read it: up to the first zero.
  func characters(_ index: Int) -> UnsafePointer<UInt8>? { sqlite3_value_text(self[index]) }

  /// Makes a text the result; SQLite copies it.
  func giveCopy(_ text: UnsafeRawBufferPointer) {
    guard text.count > 0 else { return martlet_sqlite_result_text_copy(context, "", 0) }
    // Bytes may be read as characters of C because a character of C is one byte too.
    let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    martlet_sqlite_result_text_copy(context, start, UInt64(text.count))
  }

  /// Makes a text the result; SQLite takes its memory over.
  func give(_ text: consuming OutputText) {
    guard let (start, count) = text.take() else { return sqlite3_result_error_nomem(context) }
    martlet_sqlite_result_text_owned(context, start, UInt64(count))
  }
}
