import CSQLite

/// What `like` and `glob` do with their arguments.
extension BuiltinCall {
  /// `like(pattern, text)` and `like(pattern, text, escape)`.
  mutating func like() throws(WorkStopped) {
    guard canCompare() else { return }
    var escape: UInt32 = 0
    if count == 3 {
      guard let characters = text(2) else { return sqlite3_result_null(context) }
      var reader = CharacterReader(characters.toFirstZero)
      if !reader.isAtEnd { escape = reader.next() }
      guard escape != 0, reader.isAtEnd else {
        return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1)
      }
    }
    // A wildcard that is the escape character is no wildcard. SQLite's interface for comparisons does not know that.
    let isWildcard = escape == 0x25 || escape == 0x5F
    try compare(.like(escape: escape), isDirect: !isWildcard) { sqlite3_strlike($0, $1, escape) == 0 }
  }

  /// `glob(pattern, text)`.
  mutating func glob() throws(WorkStopped) {
    guard canCompare() else { return }
    try compare(.glob, isDirect: true) { sqlite3_strglob($0, $1) == 0 }
  }

  /// False if the result does not depend on the content of the arguments; it is set already then.
  private func canCompare() -> Bool {
    if !SQLiteLibrary.likeMatchesBlobs, type(0) == SQLITE_BLOB || type(1) == SQLITE_BLOB {
      sqlite3_result_int(context, 0)
      return false
    }
    let patternMax = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1)
    guard sqlite3_value_bytes(self[0]) <= patternMax else {
      sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1)
      return false
    }
    return true
  }

  private mutating func compare(
    _ kind: WildcardPattern.Kind, isDirect: Bool,
    _ library: (_ pattern: UnsafePointer<CChar>, _ text: UnsafePointer<CChar>) -> Bool
  ) throws(WorkStopped) {
    guard let pattern = text(0), let text = text(1), let patternStart = pattern.baseAddress,
      let textStart = text.baseAddress
    else { return sqlite3_result_null(context) }
    if isDirect, text.count <= SQLiteLimits.directPatternProductMax,
      pattern.count * text.count <= SQLiteLimits.directPatternProductMax
    {
      if text.count > SQLiteLimits.countedTextBytesMin { try meter.spend(text.count) }
      // Bytes may be read as characters of C because both are one byte, and SQLite ends its texts with a zero.
      let fits = library(
        patternStart.assumingMemoryBound(to: CChar.self), textStart.assumingMemoryBound(to: CChar.self))
      return sqlite3_result_int(context, fits ? 1 : 0)
    }
    let fits = try compiled(pattern, kind).fits(text.toFirstZero, meter: &meter)
    sqlite3_result_int(context, fits ? 1 : 0)
  }

  /// SQLite keeps what was compiled for as long as the pattern is the same constant.
  private func compiled(_ pattern: UnsafeRawBufferPointer, _ kind: WildcardPattern.Kind) -> WildcardPattern {
    if let kept = sqlite3_get_auxdata(context, 0) {
      // Unretained because SQLite holds what it was given; nothing else is kept for these functions.
      let known = Unmanaged<WildcardPattern>.fromOpaque(kept).takeUnretainedValue()
      if known.kind == kind { return known }
    }
    let made = WildcardPattern(pattern.toFirstZero, kind)
    // Retained because SQLite holds it from here on, and lets go of it by the function that it is given.
    sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(made).toOpaque()) { kept in
      // Taken over because it was retained for SQLite, which calls this once.
      if let kept { Unmanaged<WildcardPattern>.fromOpaque(kept).release() }
    }
    return made
  }
}
