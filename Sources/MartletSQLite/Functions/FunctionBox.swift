import CSQLite

/// What SQLite holds of a function.
class FunctionBox {
  // Unowned because the connection's handle owns the box, and no statement runs without its connection, which owns the
  // registry.
  unowned let registry: FunctionRegistry

  init(registry: FunctionRegistry) { self.registry = registry }

  static func release(_ box: UnsafeMutableRawPointer?) {
    // Taken over because it was retained for SQLite, which calls this once.
    if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() }
  }

  func fail(_ context: OpaquePointer?, _ error: any Error) {
    registry.failure = error
    if (error as? OrderedAggregateError) == .noMemory { return sqlite3_result_error_nomem(context) }
    sqlite3_result_error(context, String(describing: error), -1)
  }

  func give(_ context: OpaquePointer?, _ result: FunctionResult) {
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text): text.withUTF8 { Self.giveText(context, UnsafeRawBufferPointer($0)) }
    case .textBytes(let text): text.withUnsafeBytes { Self.giveText(context, $0) }
    case .json(let text):
      text.withUnsafeBytes { Self.giveText(context, $0) }
      sqlite3_result_subtype(context, 74)
    case .blob(let blob):
      blob.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
          martlet_sqlite_result_blob_copy(context, start, UInt64(bytes.count))
        } else {
          sqlite3_result_zeroblob(context, 0)
        }
      }
    }
  }

  private static func giveText(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return martlet_sqlite_result_text_copy(context, "", 0) }
    // Bytes may be read as characters of C because a character of C is one byte too.
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    martlet_sqlite_result_text_copy(context, start, UInt64(bytes.count))
  }
}

/// A function of one row's values.
final class ScalarBody: FunctionBox {
  private let body: (FunctionArguments) throws -> FunctionResult

  init(registry: FunctionRegistry, body: @escaping (FunctionArguments) throws -> FunctionResult) {
    self.body = body
    super.init(registry: registry)
  }

  static func of(_ context: OpaquePointer?) -> ScalarBody? {
    // Unretained because SQLite holds the box for as long as the function is registered.
    sqlite3_user_data(context).map { Unmanaged<ScalarBody>.fromOpaque($0).takeUnretainedValue() }
  }

  func call(_ context: OpaquePointer?, _ arguments: FunctionArguments) {
    do { give(context, try body(arguments)) } catch { fail(context, error) }
  }
}

/// A function of many rows' values, of which each group has a state.
final class AggregateBody: FunctionBox {
  private let make: () -> any AggregateState

  /// One group's state, and whether it has failed.
  private final class Group {
    let state: any AggregateState
    var hasFailed = false
    init(_ state: any AggregateState) { self.state = state }
  }

  init(registry: FunctionRegistry, make: @escaping () -> any AggregateState) {
    self.make = make
    super.init(registry: registry)
  }

  static func of(_ context: OpaquePointer?) -> AggregateBody? {
    // Unretained because SQLite holds the box for as long as the function is registered.
    sqlite3_user_data(context).map { Unmanaged<AggregateBody>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The pointer that SQLite keeps for a group; nil if it has none and `makes` is false.
  private func slot(_ context: OpaquePointer?, makes: Bool) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    let size = makes ? Int32(MemoryLayout<UnsafeMutableRawPointer?>.size) : 0
    // SQLite's memory is this type's because nobody else writes to it; it begins as zeroes, which is nil.
    return sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private func group(_ context: OpaquePointer?) -> Group? {
    guard let slot = slot(context, makes: true) else { return nil }
    // Unretained because the slot owns a reference until `finish`.
    if let known = slot.pointee { return Unmanaged<Group>.fromOpaque(known).takeUnretainedValue() }
    let group = Group(make())
    // Retained because the slot owns it; `finish` is called for each group, also of a statement that ends early.
    slot.pointee = Unmanaged.passRetained(group).toOpaque()
    return group
  }

  private func attempt(_ context: OpaquePointer?, _ group: Group, _ body: (any AggregateState) throws -> Void) {
    guard !group.hasFailed else { return }
    do {
      try body(group.state)
    } catch {
      group.hasFailed = true
      fail(context, error)
    }
  }

  func step(_ context: OpaquePointer?, _ arguments: FunctionArguments) {
    guard let group = group(context) else { return sqlite3_result_error_nomem(context) }
    attempt(context, group) { try $0.step(arguments) }
  }

  func removeFirst(_ context: OpaquePointer?) {
    guard let group = group(context) else { return sqlite3_result_error_nomem(context) }
    attempt(context, group) { try $0.removeFirst() }
  }

  func value(_ context: OpaquePointer?) {
    guard let group = group(context) else { return sqlite3_result_error_nomem(context) }
    attempt(context, group) { give(context, try $0.value()) }
  }

  func finish(_ context: OpaquePointer?) {
    guard let slot = slot(context, makes: false), let known = slot.pointee else {
      return attempt(context, Group(make())) { give(context, try $0.value()) }
    }
    slot.pointee = nil
    // Taken over because the slot's reference ends here.
    let group = Unmanaged<Group>.fromOpaque(known).takeRetainedValue()
    attempt(context, group) { give(context, try $0.value()) }
  }
}
