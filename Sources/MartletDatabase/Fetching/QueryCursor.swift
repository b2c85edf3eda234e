/// The rows of a query one at a time, for results that should not be in memory as a whole.
///
/// Always true: it works inside of the closure that its `Database` was given to, and holds its statement until the last
/// row was read or it is released. Other statements may run meanwhile.
public final class QueryCursor<Element> {
  @usableFromInline var advance: (() throws -> Element?)?
  private let onEnd: () -> Void

  @usableFromInline
  init(onEnd: @escaping () -> Void, advance: @escaping () throws -> Element?) {
    self.onEnd = onEnd
    self.advance = advance
  }

  deinit { if advance != nil { onEnd() } }

  /// The next row, or nil after the last. Throws `RequestError` if SQLite fails at it, and `QueryDecodingError`
  /// if a column does not hold what the type asks for.
  @inlinable
  public func next() throws -> Element? {
    guard let advance else { return nil }
    let element = try advance()
    if element == nil { end() }
    return element
  }

  @usableFromInline
  func end() {
    advance = nil
    onEnd()
  }

  /// Calls `body` with each row that is left.
  @inlinable
  public func forEach(_ body: (Element) throws -> Void) throws {
    while let element = try next() { try body(element) }
  }

  /// What `transform` makes of each row that is left.
  @inlinable
  public func map<T>(_ transform: (Element) throws -> T) throws -> [T] {
    var results: [T] = []
    while let element = try next() { results.append(try transform(element)) }
    return results
  }

  /// Folds the rows that are left into one value.
  @inlinable
  public func reduce<T>(into initial: T, _ update: (inout T, Element) throws -> Void) throws -> T {
    var result = initial
    while let element = try next() { try update(&result, element) }
    return result
  }

  /// The rows that are left.
  @inlinable
  public func all() throws -> [Element] { try map { $0 } }
}

extension Array {
  /// The rows that a cursor has left.
  @inlinable
  public init(_ cursor: QueryCursor<Element>) throws { self = try cursor.all() }
}
