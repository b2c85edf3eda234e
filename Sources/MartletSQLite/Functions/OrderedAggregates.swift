import CSQLite

/// ORDER BY inside aggregates, for SQLite before 3.44: the aggregates that stand in for the ordered ones.
///
/// Always true: called as the renderer writes them: a text with `x` for DISTINCT and one letter pair for each term
/// (`a`scending or `d`escending, NULLs `f`irst or `l`ast), then for each term its value and the probe of its collation,
/// for DISTINCT the probe of the first argument's, and then the arguments.
package enum OrderedAggregates {
  /// Which function each of them stands in for.
  package static let names: [String: String] = [
    "group_concat": "martlet_group_concat", "string_agg": "martlet_group_concat",
    "json_group_array": "martlet_json_group_array", "json_group_object": "martlet_json_group_object",
  ]

  static func register(in functions: FunctionRegistry) throws(SQLiteError) {
    let bytesMax = Int(sqlite3_limit(functions.handle, SQLITE_LIMIT_LENGTH, -1))
    let builders: [(String, ([SortedRows.Row]) throws -> FunctionResult)] = [
      ("martlet_group_concat", SortedRows.concatenation), ("martlet_json_group_array", SortedRows.array),
      ("martlet_json_group_object", SortedRows.object),
    ]
    for (name, build) in builders {
      let signature = FunctionSignature(name, argumentCount: nil, isDeterministic: true, isInnocuous: true)
      try functions.registerAggregate(signature) { SortedRows(bytesMax: bytesMax, build: build) }
    }
  }
}

/// Why an ordered aggregate has no value.
struct OrderedAggregateError: Error, Equatable, CustomStringConvertible {
  var description: String

  static let malformed = OrderedAggregateError(description: "an ordered aggregate was called in an unknown way")
  static let tooBig = OrderedAggregateError(description: "string or blob too big")
  static let noMemory = OrderedAggregateError(description: "out of memory")
  static let blob = OrderedAggregateError(description: "JSON cannot hold BLOB values")
}

/// Collects the rows of one group, sorts them, and makes the aggregate's value of them.
final class SortedRows: AggregateState {
  struct Row {
    var keys: [StoredValue]
    var arguments: [StoredValue]
  }

  private let bytesMax: Int
  private let build: ([Row]) throws -> FunctionResult
  private var rows: [Row] = []
  private var bytes = 0
  /// The bytes that the process was told of.
  private var heldBytes = 0
  private var plan: SortPlan?
  private var seen: Set<StoredValue> = []

  init(bytesMax: Int, build: @escaping ([Row]) throws -> FunctionResult) {
    self.bytesMax = bytesMax
    self.build = build
  }

  deinit { if heldBytes > 0 { ProcessMemory.hold(-heldBytes) } }

  /// Tells the process of what the rows take, in steps. Throws if there is no room for more.
  private func count() throws {
    // A row of two arrays, and a cell for each value.
    let total = bytes + rows.count * SQLiteLimits.sortedRowBytes
    guard total > heldBytes + SQLiteLimits.sortedStepBytes else { return }
    guard ProcessMemory.totalBytes + SQLiteLimits.sortedStepBytes <= ProcessMemory.limitBytes else {
      throw OrderedAggregateError.noMemory
    }
    ProcessMemory.hold(total - heldBytes)
    heldBytes = total
  }

  func step(_ arguments: FunctionArguments) throws {
    guard arguments.count > 0 else { throw OrderedAggregateError.malformed }
    var plan = try self.plan ?? SortPlan(arguments[0].textBytes)
    guard arguments.count >= plan.width else { throw OrderedAggregateError.malformed }
    var row = Row(keys: [], arguments: [])
    for term in plan.terms.indices {
      row.keys.append(StoredValue(arguments[1 + 2 * term]))
      plan.terms[term].collation.learn(arguments[2 + 2 * term])
    }
    if plan.isDistinct { plan.distinctCollation.learn(arguments[plan.width - 1]) }
    for index in plan.width..<max(plan.width, arguments.count) { row.arguments.append(StoredValue(arguments[index])) }
    self.plan = plan
    if plan.isDistinct, let first = row.arguments.first,
      !seen.insert(first.folded(plan.distinctCollation)).inserted
    {
      return
    }
    bytes += row.keys.reduce(0) { $0 + $1.byteCount } + row.arguments.reduce(0) { $0 + $1.byteCount }
    // Each row may stand in the result and, again, in its keys.
    guard bytes / 4 <= bytesMax else { throw OrderedAggregateError.tooBig }
    rows.append(row)
    try count()
  }

  func value() throws -> FunctionResult {
    guard let plan else { return try build([]) }
    let order = rows.indices.sorted { left, right in
      switch plan.compare(rows[left].keys, rows[right].keys) {
      case ..<0: true
      case 0: left < right
      default: false
      }
    }
    return try build(order.map { rows[$0] })
  }
}

/// How the rows of a group are ordered, read from the first argument.
struct SortPlan {
  struct Term {
    var isDescending: Bool
    var nullsFirst: Bool
    var collation = Collation.binary
  }

  enum Collation {
    case binary, noCase, rightTrimmed

    /// The greatest of `a`, `a ` and `B` tells which collation compared them; NULL tells nothing.
    mutating func learn(_ probe: RowValue) {
      guard probe.type == .text else { return }
      switch String(decoding: probe.textBytes, as: UTF8.self) {
      case "B": self = .noCase
      case "a": self = .rightTrimmed
      default: self = .binary
      }
    }
  }

  var terms: [Term] = []
  var isDistinct = false
  var distinctCollation = Collation.binary

  init(_ text: UnsafeRawBufferPointer) throws {
    var letters = Array(text)[...]
    if letters.first == UInt8(ascii: "x") {
      isDistinct = true
      letters.removeFirst()
    }
    while let direction = letters.popFirst() {
      guard let nulls = letters.popFirst() else { throw OrderedAggregateError.malformed }
      terms.append(Term(isDescending: direction == UInt8(ascii: "d"), nullsFirst: nulls == UInt8(ascii: "f")))
    }
  }

  /// Arguments before the aggregate's own.
  var width: Int { 1 + 2 * terms.count + (isDistinct ? 1 : 0) }

  func compare(_ left: [StoredValue], _ right: [StoredValue]) -> Int {
    for (index, term) in terms.enumerated() {
      let order: Int
      switch (left[index].isNull, right[index].isNull) {
      case (true, true): continue
      case (true, false): return term.nullsFirst ? -1 : 1
      case (false, true): return term.nullsFirst ? 1 : -1
      case (false, false): order = left[index].compare(right[index], term.collation)
      }
      if order != 0 { return term.isDescending ? -order : order }
    }
    return 0
  }
}
