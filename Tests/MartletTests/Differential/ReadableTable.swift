/// A table whose columns the generator can find, by key paths, so that it reads them as programs do: of the table, of
/// an alias of it, and of an optional side of a join.
///
/// Always true: a key path leads through the builder's own subscripts; no column is named as text.
import Martlet

protocol ReadableTable: Table where QueryOptional: ReadableTable {
  static var paths: ColumnPaths<Self> { get }
}

struct ColumnPaths<T: Table> {
  typealias Path<Value: QueryRepresentable> = KeyPath<T.TableColumns, TableColumn<T, Value>>

  var integers: [Path<Int>] = []
  var texts: [Path<String>] = []
  var reals: [Path<Double>] = []
  var flags: [Path<Bool>] = []
  var optionalIntegers: [Path<Int?>] = []
  var optionalTexts: [Path<String?>] = []
  var optionalReals: [Path<Double?>] = []
  var optionalFlags: [Path<Bool?>] = []
  var optionalBytes: [Path<[UInt8]?>] = []
}

extension Odd: ReadableTable {
  static var paths: ColumnPaths<Odd> {
    ColumnPaths(
      integers: [\.id], flags: [\.flag], optionalIntegers: [\.size], optionalTexts: [\.name, \.mixed],
      optionalReals: [\.ratio], optionalBytes: [\.bytes])
  }
}

extension Keyed: ReadableTable {
  static var paths: ColumnPaths<Keyed> {
    ColumnPaths(
      integers: [\.id.left, \.rank], texts: [\.id.right], reals: [\.weight], optionalTexts: [\.label])
  }
}

extension Empty: ReadableTable {
  static var paths: ColumnPaths<Empty> {
    ColumnPaths(integers: [\.id], texts: [\.text], optionalReals: [\.real], optionalFlags: [\.flag])
  }
}

extension PlainTable: ReadableTable {
  static var paths: ColumnPaths<PlainTable> {
    ColumnPaths(
      integers: [\.id, \.low, \.rowid], texts: [\.title], optionalIntegers: [\.oddID, \.high],
      optionalBytes: [\.bytes])
  }
}

extension Triple: ReadableTable {
  static var paths: ColumnPaths<Triple> {
    ColumnPaths(optionalIntegers: [\.number], optionalTexts: [\.text], optionalReals: [\.real])
  }
}

extension Step: ReadableTable {
  static var paths: ColumnPaths<Step> {
    ColumnPaths(optionalIntegers: [\.depth], optionalTexts: [\.path])
  }
}

extension AliasedTable: ReadableTable where Base: ReadableTable {
  static var paths: ColumnPaths<AliasedTable> {
    let base = Base.paths
    var paths = ColumnPaths<AliasedTable>()
    paths.integers = base.integers.map { \.[dynamicMember: $0] }
    paths.texts = base.texts.map { \.[dynamicMember: $0] }
    paths.reals = base.reals.map { \.[dynamicMember: $0] }
    paths.flags = base.flags.map { \.[dynamicMember: $0] }
    paths.optionalIntegers = base.optionalIntegers.map { \.[dynamicMember: $0] }
    paths.optionalTexts = base.optionalTexts.map { \.[dynamicMember: $0] }
    paths.optionalReals = base.optionalReals.map { \.[dynamicMember: $0] }
    paths.optionalFlags = base.optionalFlags.map { \.[dynamicMember: $0] }
    paths.optionalBytes = base.optionalBytes.map { \.[dynamicMember: $0] }
    return paths
  }
}

extension Optional: ReadableTable where Wrapped: ReadableTable {
  static var paths: ColumnPaths<Wrapped?> {
    let base = Wrapped.paths
    var paths = ColumnPaths<Wrapped?>()
    paths.optionalIntegers = base.integers.map { \.[dynamicMember: $0] }
    paths.optionalTexts = base.texts.map { \.[dynamicMember: $0] }
    paths.optionalReals = base.reals.map { \.[dynamicMember: $0] }
    paths.optionalFlags = base.flags.map { \.[dynamicMember: $0] }
    paths.optionalIntegers += base.optionalIntegers.map { \.[dynamicMember: $0] }
    paths.optionalTexts += base.optionalTexts.map { \.[dynamicMember: $0] }
    paths.optionalReals += base.optionalReals.map { \.[dynamicMember: $0] }
    paths.optionalFlags += base.optionalFlags.map { \.[dynamicMember: $0] }
    paths.optionalBytes = base.optionalBytes.map { \.[dynamicMember: $0] }
    return paths
  }
}

// MARK: - What an expression may read

typealias IntegerExpression = SQLQueryExpression<Int?>
typealias TextExpression = SQLQueryExpression<String?>
typealias RealExpression = SQLQueryExpression<Double?>
typealias BytesExpression = SQLQueryExpression<[UInt8]?>
typealias Condition = SQLQueryExpression<Bool>

/// The columns in sight, and what else an expression may use where it stands.
struct Scope {
  var integers: [IntegerExpression] = []
  var texts: [TextExpression] = []
  var reals: [RealExpression] = []
  var flags: [Condition] = []
  var bytes: [BytesExpression] = []
  var mayAggregate = false
  var windows: [String] = []
  var mayUseWindows = false
  /// How many queries enclose this one.
  var level = 0

  mutating func add<T: ReadableTable>(_ table: T.Type) {
    let columns = T.columns
    let paths = T.paths
    integers += paths.integers.map { orNull(columns[keyPath: $0]) }
    integers += paths.optionalIntegers.map { SQLQueryExpression(columns[keyPath: $0]) }
    texts += paths.texts.map { orNull(columns[keyPath: $0]) }
    texts += paths.optionalTexts.map { SQLQueryExpression(columns[keyPath: $0]) }
    reals += paths.reals.map { orNull(columns[keyPath: $0]) }
    reals += paths.optionalReals.map { SQLQueryExpression(columns[keyPath: $0]) }
    flags += paths.flags.map { SQLQueryExpression(columns[keyPath: $0]) }
    flags += paths.optionalFlags.map { SQLQueryExpression(columns[keyPath: $0].queryFragment) }
    bytes += paths.optionalBytes.map { SQLQueryExpression(columns[keyPath: $0]) }
  }

  /// The same columns where neither aggregates nor windows may stand.
  var plain: Scope {
    var scope = self
    scope.mayAggregate = false
    scope.mayUseWindows = false
    return scope
  }

  static func + (outer: Scope, inner: Scope) -> Scope {
    var scope = inner
    scope.integers += outer.integers
    scope.texts += outer.texts
    scope.reals += outer.reals
    scope.flags += outer.flags
    scope.bytes += outer.bytes
    return scope
  }
}

/// An expression whose type allows NULL: the generator keeps one type for each storage class.
func orNull<Value: QueryRepresentable>(_ expression: some QueryExpression<Value>) -> SQLQueryExpression<Value?> {
  SQLQueryExpression(expression.queryFragment)
}
