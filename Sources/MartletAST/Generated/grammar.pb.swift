// swift-format-ignore-file
// Made from grammar.proto by scripts/generate. Do not edit it.

/// The grammar: one statement as a typed tree.
///
/// The values that a program binds are not in the tree. The tree has numbered parameters, and the values are sent beside
/// it. So the same query with other values is the same tree: its *shape*, which its serialized bytes identify. Literals
/// are for values that are part of the shape, because SQLite takes no parameter there or because the value never
/// changes: a JSON path, a column's default, a constant in a trigger's body.
///
/// AND, OR, ||, + and * take any number of operands, so a long chain of them makes a tree wide and not deep.
internal import MartletProtobuf
internal import MartletValues

public enum ASTConflictResolution: Hashable, Sendable, CaseIterable, RawRepresentable {
  case unspecified
  case abort
  case fail
  case ignore
  case replace
  case rollback
  case UNRECOGNIZED(Int)

  /// The known values.
  public static let allCases: [Self] = [.unspecified, .abort, .fail, .ignore, .replace, .rollback]

  public init(rawValue: Int) {
    self = switch rawValue {
    case 0: .unspecified
    case 1: .abort
    case 2: .fail
    case 3: .ignore
    case 4: .replace
    case 5: .rollback
    default: .UNRECOGNIZED(rawValue)
    }
  }

  public var rawValue: Int {
    switch self {
    case .unspecified: 0
    case .abort: 1
    case .fail: 2
    case .ignore: 3
    case .replace: 4
    case .rollback: 5
    case .UNRECOGNIZED(let number): number
    }
  }
}

public enum ASTOperator: Hashable, Sendable, CaseIterable, RawRepresentable {
  case unspecified
  /// Any number of operands, two or more.
  case and
  case or
  case concatenate
  case add
  case multiply
  /// Two operands.
  case subtract
  case divide
  case modulo
  case bitAnd
  case bitOr
  case shiftLeft
  case shiftRight
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
  case `is`
  case isNot
  case glob
  case notGlob
  case match
  case notMatch
  case regexp
  case notRegexp
  /// ->
  case jsonExtract
  /// ->>
  case jsonExtractValue
  /// A value and a list, a subquery or a list parameter.
  case `in`
  case notIn
  /// A value and a pattern, and an escape character if there is one.
  case like
  case notLike
  /// A value and two bounds.
  case between
  case notBetween
  /// One operand.
  case not
  case negate
  case plus
  case bitNot
  case UNRECOGNIZED(Int)

  /// The known values.
  public static let allCases: [Self] = [.unspecified, .and, .or, .concatenate, .add, .multiply, .subtract, .divide, .modulo, .bitAnd, .bitOr, .shiftLeft, .shiftRight, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .`is`, .isNot, .glob, .notGlob, .match, .notMatch, .regexp, .notRegexp, .jsonExtract, .jsonExtractValue, .`in`, .notIn, .like, .notLike, .between, .notBetween, .not, .negate, .plus, .bitNot]

  public init(rawValue: Int) {
    self = switch rawValue {
    case 0: .unspecified
    case 1: .and
    case 2: .or
    case 3: .concatenate
    case 4: .add
    case 5: .multiply
    case 6: .subtract
    case 7: .divide
    case 8: .modulo
    case 9: .bitAnd
    case 10: .bitOr
    case 11: .shiftLeft
    case 12: .shiftRight
    case 13: .equal
    case 14: .notEqual
    case 15: .less
    case 16: .lessOrEqual
    case 17: .greater
    case 18: .greaterOrEqual
    case 19: .`is`
    case 20: .isNot
    case 21: .glob
    case 22: .notGlob
    case 23: .match
    case 24: .notMatch
    case 25: .regexp
    case 26: .notRegexp
    case 27: .jsonExtract
    case 28: .jsonExtractValue
    case 29: .`in`
    case 30: .notIn
    case 31: .like
    case 32: .notLike
    case 33: .between
    case 34: .notBetween
    case 35: .not
    case 36: .negate
    case 37: .plus
    case 38: .bitNot
    default: .UNRECOGNIZED(rawValue)
    }
  }

  public var rawValue: Int {
    switch self {
    case .unspecified: 0
    case .and: 1
    case .or: 2
    case .concatenate: 3
    case .add: 4
    case .multiply: 5
    case .subtract: 6
    case .divide: 7
    case .modulo: 8
    case .bitAnd: 9
    case .bitOr: 10
    case .shiftLeft: 11
    case .shiftRight: 12
    case .equal: 13
    case .notEqual: 14
    case .less: 15
    case .lessOrEqual: 16
    case .greater: 17
    case .greaterOrEqual: 18
    case .`is`: 19
    case .isNot: 20
    case .glob: 21
    case .notGlob: 22
    case .match: 23
    case .notMatch: 24
    case .regexp: 25
    case .notRegexp: 26
    case .jsonExtract: 27
    case .jsonExtractValue: 28
    case .`in`: 29
    case .notIn: 30
    case .like: 31
    case .notLike: 32
    case .between: 33
    case .notBetween: 34
    case .not: 35
    case .negate: 36
    case .plus: 37
    case .bitNot: 38
    case .UNRECOGNIZED(let number): number
    }
  }
}

public struct ASTStatement: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var select: ASTSelect {
    get { if case .select(let part)? = kind { part } else { ASTSelect() } }
    set { kind = .select(newValue) }
  }

  public var compound: ASTCompound {
    get { if case .compound(let part)? = kind { part } else { ASTCompound() } }
    set { kind = .compound(newValue) }
  }

  public var values: ASTValues {
    get { if case .values(let part)? = kind { part } else { ASTValues() } }
    set { kind = .values(newValue) }
  }

  public var with: ASTWith {
    get { if case .with(let part)? = kind { part } else { ASTWith() } }
    set { kind = .with(newValue) }
  }

  public var insert: ASTInsert {
    get { if case .insert(let part)? = kind { part } else { ASTInsert() } }
    set { kind = .insert(newValue) }
  }

  public var update: ASTUpdate {
    get { if case .update(let part)? = kind { part } else { ASTUpdate() } }
    set { kind = .update(newValue) }
  }

  public var delete: ASTDelete {
    get { if case .delete(let part)? = kind { part } else { ASTDelete() } }
    set { kind = .delete(newValue) }
  }

  public var createTable: ASTCreateTable {
    get { if case .createTable(let part)? = kind { part } else { ASTCreateTable() } }
    set { kind = .createTable(newValue) }
  }

  public var alterTable: ASTAlterTable {
    get { if case .alterTable(let part)? = kind { part } else { ASTAlterTable() } }
    set { kind = .alterTable(newValue) }
  }

  public var createIndex: ASTCreateIndex {
    get { if case .createIndex(let part)? = kind { part } else { ASTCreateIndex() } }
    set { kind = .createIndex(newValue) }
  }

  public var createView: ASTCreateView {
    get { if case .createView(let part)? = kind { part } else { ASTCreateView() } }
    set { kind = .createView(newValue) }
  }

  public var createTrigger: ASTCreateTrigger {
    get { if case .createTrigger(let part)? = kind { part } else { ASTCreateTrigger() } }
    set { kind = .createTrigger(newValue) }
  }

  public var createVirtualTable: ASTCreateVirtualTable {
    get { if case .createVirtualTable(let part)? = kind { part } else { ASTCreateVirtualTable() } }
    set { kind = .createVirtualTable(newValue) }
  }

  public var drop: ASTDrop {
    get { if case .drop(let part)? = kind { part } else { ASTDrop() } }
    set { kind = .drop(newValue) }
  }

  public var raw: ASTRaw {
    get { if case .raw(let part)? = kind { part } else { ASTRaw() } }
    set { kind = .raw(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case select(ASTSelect)
    case compound(ASTCompound)
    case values(ASTValues)
    case with(ASTWith)
    case insert(ASTInsert)
    case update(ASTUpdate)
    case delete(ASTDelete)
    case createTable(ASTCreateTable)
    case alterTable(ASTAlterTable)
    case createIndex(ASTCreateIndex)
    case createView(ASTCreateView)
    case createTrigger(ASTCreateTrigger)
    case createVirtualTable(ASTCreateVirtualTable)
    case drop(ASTDrop)
    case raw(ASTRaw)
  }
}

public struct ASTSelect: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var distinct: Bool = false
    var columns: [ASTResultColumn] = []
    var from: ASTTableSource?
    var joins: [ASTJoin] = []
    var `where`: ASTExpression?
    var groupBy: [ASTExpression] = []
    var having: ASTExpression?
    var windows: [ASTNamedWindow] = []
    var orderBy: [ASTOrderingTerm] = []
    var limit: ASTExpression?
    var offset: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var distinct: Bool {
    get { box.fields.distinct }
    _modify { TreeBox.own(&box); yield &box.fields.distinct }
  }

  /// none: `*`, every column of every source
  public var columns: [ASTResultColumn] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  /// absent: no FROM
  public var from: ASTTableSource {
    get { box.fields.from ?? ASTTableSource() }
    set { TreeBox.own(&box); box.fields.from = newValue }
  }

  /// Whether `from` is there.
  public var hasFrom: Bool { box.fields.from != nil }

  /// left to right
  public var joins: [ASTJoin] {
    get { box.fields.joins }
    _modify { TreeBox.own(&box); yield &box.fields.joins }
  }

  public var `where`: ASTExpression {
    get { box.fields.`where` ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.`where` = newValue }
  }

  /// Whether `where` is there.
  public var hasWhere: Bool { box.fields.`where` != nil }

  public var groupBy: [ASTExpression] {
    get { box.fields.groupBy }
    _modify { TreeBox.own(&box); yield &box.fields.groupBy }
  }

  public var having: ASTExpression {
    get { box.fields.having ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.having = newValue }
  }

  /// Whether `having` is there.
  public var hasHaving: Bool { box.fields.having != nil }

  public var windows: [ASTNamedWindow] {
    get { box.fields.windows }
    _modify { TreeBox.own(&box); yield &box.fields.windows }
  }

  public var orderBy: [ASTOrderingTerm] {
    get { box.fields.orderBy }
    _modify { TreeBox.own(&box); yield &box.fields.orderBy }
  }

  public var limit: ASTExpression {
    get { box.fields.limit ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.limit = newValue }
  }

  /// Whether `limit` is there.
  public var hasLimit: Bool { box.fields.limit != nil }

  /// without a limit: LIMIT -1 OFFSET n
  public var offset: ASTExpression {
    get { box.fields.offset ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.offset = newValue }
  }

  /// Whether `offset` is there.
  public var hasOffset: Bool { box.fields.offset != nil }
}

public struct ASTResultColumn: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var alias: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var expression: ASTExpression {
    get { if case .expression(let part)? = kind { part } else { ASTExpression() } }
    set { kind = .expression(newValue) }
  }

  public var all: ASTAllColumns {
    get { if case .all(let part)? = kind { part } else { ASTAllColumns() } }
    set { kind = .all(newValue) }
  }

  /// only with an expression
  public var alias: String {
    get { box.fields.alias }
    _modify { TreeBox.own(&box); yield &box.fields.alias }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case expression(ASTExpression)
    case all(ASTAllColumns)
  }
}

/// `*`, or `"table".*`.
public struct ASTAllColumns: Equatable, Sendable {
  public var table: String = ""
  var unknownFields = UnknownFields()

  public init() {}
}

public struct ASTTableSource: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var alias: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var table: ASTTable {
    get { if case .table(let part)? = kind { part } else { ASTTable() } }
    set { kind = .table(newValue) }
  }

  public var subquery: ASTStatement {
    get { if case .subquery(let part)? = kind { part } else { ASTStatement() } }
    set { kind = .subquery(newValue) }
  }

  public var function: ASTTableFunction {
    get { if case .function(let part)? = kind { part } else { ASTTableFunction() } }
    set { kind = .function(newValue) }
  }

  /// parenthesised joins
  public var joined: ASTJoinedTables {
    get { if case .joined(let part)? = kind { part } else { ASTJoinedTables() } }
    set { kind = .joined(newValue) }
  }

  /// a list parameter as a table with columns c0, c1, ...
  public var rows: ASTParameter {
    get { if case .rows(let part)? = kind { part } else { ASTParameter() } }
    set { kind = .rows(newValue) }
  }

  public var raw: ASTRaw {
    get { if case .raw(let part)? = kind { part } else { ASTRaw() } }
    set { kind = .raw(newValue) }
  }

  public var alias: String {
    get { box.fields.alias }
    _modify { TreeBox.own(&box); yield &box.fields.alias }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case table(ASTTable)
    case subquery(ASTStatement)
    case function(ASTTableFunction)
    /// parenthesised joins
    case joined(ASTJoinedTables)
    /// a list parameter as a table with columns c0, c1, ...
    case rows(ASTParameter)
    case raw(ASTRaw)
  }
}

public struct ASTTable: Equatable, Sendable {
  public var hint: OneOf_Hint?
  public var schema: String = ""
  public var name: String = ""
  var unknownFields = UnknownFields()

  public init() {}

  public var indexedBy: String {
    get { if case .indexedBy(let part)? = hint { part } else { "" } }
    set { hint = .indexedBy(newValue) }
  }

  public var notIndexed: Bool {
    get { if case .notIndexed(let part)? = hint { part } else { false } }
    set { hint = .notIndexed(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Hint: Equatable, Sendable {
    case indexedBy(String)
    case notIndexed(Bool)
  }
}

/// A table-valued function, such as json_each.
public struct ASTTableFunction: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var schema: String = ""
    var name: String = ""
    var arguments: [ASTExpression] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var arguments: [ASTExpression] {
    get { box.fields.arguments }
    _modify { TreeBox.own(&box); yield &box.fields.arguments }
  }
}

public struct ASTJoinedTables: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var from: ASTTableSource?
    var joins: [ASTJoin] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var from: ASTTableSource {
    get { box.fields.from ?? ASTTableSource() }
    set { TreeBox.own(&box); box.fields.from = newValue }
  }

  /// Whether `from` is there.
  public var hasFrom: Bool { box.fields.from != nil }

  public var joins: [ASTJoin] {
    get { box.fields.joins }
    _modify { TreeBox.own(&box); yield &box.fields.joins }
  }
}

public struct ASTJoin: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: ASTJoin.Kind = .unspecified
    var natural: Bool = false
    var source: ASTTableSource?
    var on: ASTExpression?
    var using: [String] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var kind: ASTJoin.Kind {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  public var natural: Bool {
    get { box.fields.natural }
    _modify { TreeBox.own(&box); yield &box.fields.natural }
  }

  public var source: ASTTableSource {
    get { box.fields.source ?? ASTTableSource() }
    set { TreeBox.own(&box); box.fields.source = newValue }
  }

  /// Whether `source` is there.
  public var hasSource: Bool { box.fields.source != nil }

  public var on: ASTExpression {
    get { box.fields.on ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.on = newValue }
  }

  /// Whether `on` is there.
  public var hasOn: Bool { box.fields.on != nil }

  /// not together with `on`
  public var using: [String] {
    get { box.fields.using }
    _modify { TreeBox.own(&box); yield &box.fields.using }
  }

  public enum Kind: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case inner
    case left
    case right
    case full
    case cross
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .inner, .left, .right, .full, .cross]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .inner
      case 2: .left
      case 3: .right
      case 4: .full
      case 5: .cross
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .inner: 1
      case .left: 2
      case .right: 3
      case .full: 4
      case .cross: 5
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

public struct ASTNamedWindow: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var name: String = ""
    var window: ASTWindow?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var window: ASTWindow {
    get { box.fields.window ?? ASTWindow() }
    set { TreeBox.own(&box); box.fields.window = newValue }
  }

  /// Whether `window` is there.
  public var hasWindow: Bool { box.fields.window != nil }
}

public struct ASTOrderingTerm: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var expression: ASTExpression?
    var direction: ASTOrderingTerm.Direction = .unspecified
    var nulls: ASTOrderingTerm.Nulls = .unspecified
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var expression: ASTExpression {
    get { box.fields.expression ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.expression = newValue }
  }

  /// Whether `expression` is there.
  public var hasExpression: Bool { box.fields.expression != nil }

  public var direction: ASTOrderingTerm.Direction {
    get { box.fields.direction }
    _modify { TreeBox.own(&box); yield &box.fields.direction }
  }

  public var nulls: ASTOrderingTerm.Nulls {
    get { box.fields.nulls }
    _modify { TreeBox.own(&box); yield &box.fields.nulls }
  }

  public enum Direction: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case ascending
    case descending
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .ascending, .descending]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .ascending
      case 2: .descending
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .ascending: 1
      case .descending: 2
      case .UNRECOGNIZED(let number): number
      }
    }
  }

  public enum Nulls: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case first
    case last
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .first, .last]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .first
      case 2: .last
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .first: 1
      case .last: 2
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

/// `first`, then each term after its operator. ORDER BY and LIMIT are of the whole compound.
public struct ASTCompound: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var first: ASTStatement?
    var terms: [ASTCompound.Term] = []
    var orderBy: [ASTOrderingTerm] = []
    var limit: ASTExpression?
    var offset: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var first: ASTStatement {
    get { box.fields.first ?? ASTStatement() }
    set { TreeBox.own(&box); box.fields.first = newValue }
  }

  /// Whether `first` is there.
  public var hasFirst: Bool { box.fields.first != nil }

  public var terms: [ASTCompound.Term] {
    get { box.fields.terms }
    _modify { TreeBox.own(&box); yield &box.fields.terms }
  }

  public var orderBy: [ASTOrderingTerm] {
    get { box.fields.orderBy }
    _modify { TreeBox.own(&box); yield &box.fields.orderBy }
  }

  public var limit: ASTExpression {
    get { box.fields.limit ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.limit = newValue }
  }

  /// Whether `limit` is there.
  public var hasLimit: Bool { box.fields.limit != nil }

  public var offset: ASTExpression {
    get { box.fields.offset ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.offset = newValue }
  }

  /// Whether `offset` is there.
  public var hasOffset: Bool { box.fields.offset != nil }

  public enum Operator: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case union
    case unionAll
    case intersect
    case except
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .union, .unionAll, .intersect, .except]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .union
      case 2: .unionAll
      case 3: .intersect
      case 4: .except
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .union: 1
      case .unionAll: 2
      case .intersect: 3
      case .except: 4
      case .UNRECOGNIZED(let number): number
      }
    }
  }

  public struct Term: Equatable, Sendable {
    fileprivate struct Fields: TreeFields {
      static let empty = TreeBox(Fields())
      var `operator`: ASTCompound.Operator = .unspecified
      var query: ASTStatement?
      var unknownFields = UnknownFields()
    }

    fileprivate var box = Fields.empty

    var unknownFields: UnknownFields {
      get { box.fields.unknownFields }
      _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
    }

    public init() {}

    public var `operator`: ASTCompound.Operator {
      get { box.fields.`operator` }
      _modify { TreeBox.own(&box); yield &box.fields.`operator` }
    }

    public var query: ASTStatement {
      get { box.fields.query ?? ASTStatement() }
      set { TreeBox.own(&box); box.fields.query = newValue }
    }

    /// Whether `query` is there.
    public var hasQuery: Bool { box.fields.query != nil }
  }
}

public struct ASTValues: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var rows: [ASTTuple] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var rows: [ASTTuple] {
    get { box.fields.rows }
    _modify { TreeBox.own(&box); yield &box.fields.rows }
  }
}

public struct ASTWith: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var tables: [ASTCommonTable] = []
    var recursive: Bool = false
    var body: ASTStatement?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var tables: [ASTCommonTable] {
    get { box.fields.tables }
    _modify { TreeBox.own(&box); yield &box.fields.tables }
  }

  public var recursive: Bool {
    get { box.fields.recursive }
    _modify { TreeBox.own(&box); yield &box.fields.recursive }
  }

  public var body: ASTStatement {
    get { box.fields.body ?? ASTStatement() }
    set { TreeBox.own(&box); box.fields.body = newValue }
  }

  /// Whether `body` is there.
  public var hasBody: Bool { box.fields.body != nil }
}

public struct ASTCommonTable: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var name: String = ""
    var columns: [String] = []
    var materialization: ASTCommonTable.Materialization = .unspecified
    var query: ASTStatement?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var columns: [String] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var materialization: ASTCommonTable.Materialization {
    get { box.fields.materialization }
    _modify { TreeBox.own(&box); yield &box.fields.materialization }
  }

  public var query: ASTStatement {
    get { box.fields.query ?? ASTStatement() }
    set { TreeBox.own(&box); box.fields.query = newValue }
  }

  /// Whether `query` is there.
  public var hasQuery: Bool { box.fields.query != nil }

  public enum Materialization: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case materialized
    case notMaterialized
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .materialized, .notMaterialized]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .materialized
      case 2: .notMaterialized
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .materialized: 1
      case .notMaterialized: 2
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

public struct ASTInsert: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var source: OneOf_Source?
    var or: ASTConflictResolution = .unspecified
    var into: ASTTable?
    var alias: String = ""
    var columns: [String] = []
    var upserts: [ASTUpsert] = []
    var returning: [ASTResultColumn] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var source: OneOf_Source? {
    get { box.fields.source }
    _modify { TreeBox.own(&box); yield &box.fields.source }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var or: ASTConflictResolution {
    get { box.fields.or }
    _modify { TreeBox.own(&box); yield &box.fields.or }
  }

  /// without a hint
  public var into: ASTTable {
    get { box.fields.into ?? ASTTable() }
    set { TreeBox.own(&box); box.fields.into = newValue }
  }

  /// Whether `into` is there.
  public var hasInto: Bool { box.fields.into != nil }

  public var alias: String {
    get { box.fields.alias }
    _modify { TreeBox.own(&box); yield &box.fields.alias }
  }

  public var columns: [String] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var values: ASTValues {
    get { if case .values(let part)? = source { part } else { ASTValues() } }
    set { source = .values(newValue) }
  }

  public var query: ASTStatement {
    get { if case .query(let part)? = source { part } else { ASTStatement() } }
    set { source = .query(newValue) }
  }

  /// bulk rows: one list parameter with a column for each name in `columns`
  public var rows: ASTParameter {
    get { if case .rows(let part)? = source { part } else { ASTParameter() } }
    set { source = .rows(newValue) }
  }

  public var defaultValues: Bool {
    get { if case .defaultValues(let part)? = source { part } else { false } }
    set { source = .defaultValues(newValue) }
  }

  public var upserts: [ASTUpsert] {
    get { box.fields.upserts }
    _modify { TreeBox.own(&box); yield &box.fields.upserts }
  }

  public var returning: [ASTResultColumn] {
    get { box.fields.returning }
    _modify { TreeBox.own(&box); yield &box.fields.returning }
  }

  /// One of its parts, or none.
  public enum OneOf_Source: Equatable, Sendable {
    case values(ASTValues)
    case query(ASTStatement)
    /// bulk rows: one list parameter with a column for each name in `columns`
    case rows(ASTParameter)
    case defaultValues(Bool)
  }
}

public struct ASTUpsert: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var target: [ASTIndexedColumn] = []
    var targetWhere: ASTExpression?
    var assignments: [ASTAssignment] = []
    var `where`: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  /// none: any conflict
  public var target: [ASTIndexedColumn] {
    get { box.fields.target }
    _modify { TreeBox.own(&box); yield &box.fields.target }
  }

  public var targetWhere: ASTExpression {
    get { box.fields.targetWhere ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.targetWhere = newValue }
  }

  /// Whether `targetWhere` is there.
  public var hasTargetWhere: Bool { box.fields.targetWhere != nil }

  /// none: DO NOTHING
  public var assignments: [ASTAssignment] {
    get { box.fields.assignments }
    _modify { TreeBox.own(&box); yield &box.fields.assignments }
  }

  public var `where`: ASTExpression {
    get { box.fields.`where` ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.`where` = newValue }
  }

  /// Whether `where` is there.
  public var hasWhere: Bool { box.fields.`where` != nil }
}

public struct ASTIndexedColumn: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var expression: ASTExpression?
    var collation: String = ""
    var direction: ASTOrderingTerm.Direction = .unspecified
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var expression: ASTExpression {
    get { box.fields.expression ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.expression = newValue }
  }

  /// Whether `expression` is there.
  public var hasExpression: Bool { box.fields.expression != nil }

  public var collation: String {
    get { box.fields.collation }
    _modify { TreeBox.own(&box); yield &box.fields.collation }
  }

  public var direction: ASTOrderingTerm.Direction {
    get { box.fields.direction }
    _modify { TreeBox.own(&box); yield &box.fields.direction }
  }
}

/// `column = value`, or `(a, b) = value` if there are several columns.
public struct ASTAssignment: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var columns: [String] = []
    var value: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var columns: [String] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var value: ASTExpression {
    get { box.fields.value ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.value = newValue }
  }

  /// Whether `value` is there.
  public var hasValue: Bool { box.fields.value != nil }
}

public struct ASTUpdate: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var or: ASTConflictResolution = .unspecified
    var table: ASTTable?
    var alias: String = ""
    var assignments: [ASTAssignment] = []
    var from: ASTTableSource?
    var joins: [ASTJoin] = []
    var `where`: ASTExpression?
    var returning: [ASTResultColumn] = []
    var orderBy: [ASTOrderingTerm] = []
    var limit: ASTExpression?
    var offset: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var or: ASTConflictResolution {
    get { box.fields.or }
    _modify { TreeBox.own(&box); yield &box.fields.or }
  }

  public var table: ASTTable {
    get { box.fields.table ?? ASTTable() }
    set { TreeBox.own(&box); box.fields.table = newValue }
  }

  /// Whether `table` is there.
  public var hasTable: Bool { box.fields.table != nil }

  public var alias: String {
    get { box.fields.alias }
    _modify { TreeBox.own(&box); yield &box.fields.alias }
  }

  public var assignments: [ASTAssignment] {
    get { box.fields.assignments }
    _modify { TreeBox.own(&box); yield &box.fields.assignments }
  }

  public var from: ASTTableSource {
    get { box.fields.from ?? ASTTableSource() }
    set { TreeBox.own(&box); box.fields.from = newValue }
  }

  /// Whether `from` is there.
  public var hasFrom: Bool { box.fields.from != nil }

  public var joins: [ASTJoin] {
    get { box.fields.joins }
    _modify { TreeBox.own(&box); yield &box.fields.joins }
  }

  public var `where`: ASTExpression {
    get { box.fields.`where` ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.`where` = newValue }
  }

  /// Whether `where` is there.
  public var hasWhere: Bool { box.fields.`where` != nil }

  public var returning: [ASTResultColumn] {
    get { box.fields.returning }
    _modify { TreeBox.own(&box); yield &box.fields.returning }
  }

  public var orderBy: [ASTOrderingTerm] {
    get { box.fields.orderBy }
    _modify { TreeBox.own(&box); yield &box.fields.orderBy }
  }

  public var limit: ASTExpression {
    get { box.fields.limit ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.limit = newValue }
  }

  /// Whether `limit` is there.
  public var hasLimit: Bool { box.fields.limit != nil }

  public var offset: ASTExpression {
    get { box.fields.offset ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.offset = newValue }
  }

  /// Whether `offset` is there.
  public var hasOffset: Bool { box.fields.offset != nil }
}

public struct ASTDelete: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var from: ASTTable?
    var alias: String = ""
    var `where`: ASTExpression?
    var returning: [ASTResultColumn] = []
    var orderBy: [ASTOrderingTerm] = []
    var limit: ASTExpression?
    var offset: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var from: ASTTable {
    get { box.fields.from ?? ASTTable() }
    set { TreeBox.own(&box); box.fields.from = newValue }
  }

  /// Whether `from` is there.
  public var hasFrom: Bool { box.fields.from != nil }

  public var alias: String {
    get { box.fields.alias }
    _modify { TreeBox.own(&box); yield &box.fields.alias }
  }

  public var `where`: ASTExpression {
    get { box.fields.`where` ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.`where` = newValue }
  }

  /// Whether `where` is there.
  public var hasWhere: Bool { box.fields.`where` != nil }

  public var returning: [ASTResultColumn] {
    get { box.fields.returning }
    _modify { TreeBox.own(&box); yield &box.fields.returning }
  }

  public var orderBy: [ASTOrderingTerm] {
    get { box.fields.orderBy }
    _modify { TreeBox.own(&box); yield &box.fields.orderBy }
  }

  public var limit: ASTExpression {
    get { box.fields.limit ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.limit = newValue }
  }

  /// Whether `limit` is there.
  public var hasLimit: Bool { box.fields.limit != nil }

  public var offset: ASTExpression {
    get { box.fields.offset ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.offset = newValue }
  }

  /// Whether `offset` is there.
  public var hasOffset: Bool { box.fields.offset != nil }
}

public struct ASTExpression: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var column: ASTColumn {
    get { if case .column(let part)? = kind { part } else { ASTColumn() } }
    set { kind = .column(newValue) }
  }

  public var parameter: ASTParameter {
    get { if case .parameter(let part)? = kind { part } else { ASTParameter() } }
    set { kind = .parameter(newValue) }
  }

  public var literal: ASTLiteral {
    get { if case .literal(let part)? = kind { part } else { ASTLiteral() } }
    set { kind = .literal(newValue) }
  }

  public var call: ASTCall {
    get { if case .call(let part)? = kind { part } else { ASTCall() } }
    set { kind = .call(newValue) }
  }

  public var `case`: ASTCase {
    get { if case .`case`(let part)? = kind { part } else { ASTCase() } }
    set { kind = .`case`(newValue) }
  }

  public var cast: ASTCast {
    get { if case .cast(let part)? = kind { part } else { ASTCast() } }
    set { kind = .cast(newValue) }
  }

  public var collate: ASTCollate {
    get { if case .collate(let part)? = kind { part } else { ASTCollate() } }
    set { kind = .collate(newValue) }
  }

  public var tuple: ASTTuple {
    get { if case .tuple(let part)? = kind { part } else { ASTTuple() } }
    set { kind = .tuple(newValue) }
  }

  public var list: ASTList {
    get { if case .list(let part)? = kind { part } else { ASTList() } }
    set { kind = .list(newValue) }
  }

  public var subquery: ASTStatement {
    get { if case .subquery(let part)? = kind { part } else { ASTStatement() } }
    set { kind = .subquery(newValue) }
  }

  public var exists: ASTStatement {
    get { if case .exists(let part)? = kind { part } else { ASTStatement() } }
    set { kind = .exists(newValue) }
  }

  public var raise: ASTRaise {
    get { if case .raise(let part)? = kind { part } else { ASTRaise() } }
    set { kind = .raise(newValue) }
  }

  public var raw: ASTRaw {
    get { if case .raw(let part)? = kind { part } else { ASTRaw() } }
    set { kind = .raw(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case column(ASTColumn)
    case parameter(ASTParameter)
    case literal(ASTLiteral)
    case call(ASTCall)
    case `case`(ASTCase)
    case cast(ASTCast)
    case collate(ASTCollate)
    case tuple(ASTTuple)
    case list(ASTList)
    case subquery(ASTStatement)
    case exists(ASTStatement)
    case raise(ASTRaise)
    case raw(ASTRaw)
  }
}

/// `"name"`, `"table"."name"` or `"schema"."table"."name"`; `excluded`, `old` and `new` are tables here.
public struct ASTColumn: Equatable, Sendable {
  public var schema: String = ""
  public var table: String = ""
  public var name: String = ""
  var unknownFields = UnknownFields()

  public init() {}
}

/// A bound value. Parameters are counted from 1, and a list is one parameter, however long it is. `columns` is how many
/// columns the rows of a list have (0 and 1: a plain list). A list may stand at the right of IN, as the rows of an
/// INSERT, or as a source in FROM.
public struct ASTParameter: Equatable, Sendable {
  public var index: UInt32 = 0
  public var list: Bool = false
  public var columns: UInt32 = 0
  var unknownFields = UnknownFields()

  public init() {}
}

public struct ASTLiteral: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var keyword: ASTLiteral.Keyword {
    get { if case .keyword(let part)? = kind { part } else { .unspecified } }
    set { kind = .keyword(newValue) }
  }

  public var integer: Int64 {
    get { if case .integer(let part)? = kind { part } else { 0 } }
    set { kind = .integer(newValue) }
  }

  public var real: Double {
    get { if case .real(let part)? = kind { part } else { 0 } }
    set { kind = .real(newValue) }
  }

  public var text: String {
    get { if case .text(let part)? = kind { part } else { "" } }
    set { kind = .text(newValue) }
  }

  public var blob: [UInt8] {
    get { if case .blob(let part)? = kind { part } else { [] } }
    set { kind = .blob(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case keyword(ASTLiteral.Keyword)
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  public enum Keyword: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case null
    case `true`
    case `false`
    case currentDate
    case currentTime
    case currentTimestamp
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .null, .`true`, .`false`, .currentDate, .currentTime, .currentTimestamp]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .null
      case 2: .`true`
      case 3: .`false`
      case 4: .currentDate
      case 5: .currentTime
      case 6: .currentTimestamp
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .null: 1
      case .`true`: 2
      case .`false`: 3
      case .currentDate: 4
      case .currentTime: 5
      case .currentTimestamp: 6
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

/// An operator or a function. The last four fields belong to functions.
public struct ASTCall: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var callee: OneOf_Callee?
    var arguments: [ASTExpression] = []
    var star: Bool = false
    var distinct: Bool = false
    var orderBy: [ASTOrderingTerm] = []
    var filter: ASTExpression?
    var over: ASTOver?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var callee: OneOf_Callee? {
    get { box.fields.callee }
    _modify { TreeBox.own(&box); yield &box.fields.callee }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var `operator`: ASTOperator {
    get { if case .`operator`(let part)? = callee { part } else { .unspecified } }
    set { callee = .`operator`(newValue) }
  }

  public var function: String {
    get { if case .function(let part)? = callee { part } else { "" } }
    set { callee = .function(newValue) }
  }

  public var arguments: [ASTExpression] {
    get { box.fields.arguments }
    _modify { TreeBox.own(&box); yield &box.fields.arguments }
  }

  /// count(*); not together with arguments
  public var star: Bool {
    get { box.fields.star }
    _modify { TreeBox.own(&box); yield &box.fields.star }
  }

  public var distinct: Bool {
    get { box.fields.distinct }
    _modify { TreeBox.own(&box); yield &box.fields.distinct }
  }

  /// inside an aggregate; needs SQLite 3.44 or the engine's own aggregate
  public var orderBy: [ASTOrderingTerm] {
    get { box.fields.orderBy }
    _modify { TreeBox.own(&box); yield &box.fields.orderBy }
  }

  public var filter: ASTExpression {
    get { box.fields.filter ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.filter = newValue }
  }

  /// Whether `filter` is there.
  public var hasFilter: Bool { box.fields.filter != nil }

  public var over: ASTOver {
    get { box.fields.over ?? ASTOver() }
    set { TreeBox.own(&box); box.fields.over = newValue }
  }

  /// Whether `over` is there.
  public var hasOver: Bool { box.fields.over != nil }

  /// One of its parts, or none.
  public enum OneOf_Callee: Equatable, Sendable {
    case `operator`(ASTOperator)
    case function(String)
  }
}

public struct ASTOver: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  /// OVER "name"
  public var name: String {
    get { if case .name(let part)? = kind { part } else { "" } }
    set { kind = .name(newValue) }
  }

  /// OVER (...)
  public var window: ASTWindow {
    get { if case .window(let part)? = kind { part } else { ASTWindow() } }
    set { kind = .window(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    /// OVER "name"
    case name(String)
    /// OVER (...)
    case window(ASTWindow)
  }
}

public struct ASTWindow: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var base: String = ""
    var partitionBy: [ASTExpression] = []
    var orderBy: [ASTOrderingTerm] = []
    var frame: ASTFrame?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  /// the name of the window that this one extends
  public var base: String {
    get { box.fields.base }
    _modify { TreeBox.own(&box); yield &box.fields.base }
  }

  public var partitionBy: [ASTExpression] {
    get { box.fields.partitionBy }
    _modify { TreeBox.own(&box); yield &box.fields.partitionBy }
  }

  public var orderBy: [ASTOrderingTerm] {
    get { box.fields.orderBy }
    _modify { TreeBox.own(&box); yield &box.fields.orderBy }
  }

  public var frame: ASTFrame {
    get { box.fields.frame ?? ASTFrame() }
    set { TreeBox.own(&box); box.fields.frame = newValue }
  }

  /// Whether `frame` is there.
  public var hasFrame: Bool { box.fields.frame != nil }
}

public struct ASTFrame: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var unit: ASTFrame.Unit = .unspecified
    var start: ASTFrameBound?
    var end: ASTFrameBound?
    var exclusion: ASTFrame.Exclusion = .unspecified
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var unit: ASTFrame.Unit {
    get { box.fields.unit }
    _modify { TreeBox.own(&box); yield &box.fields.unit }
  }

  public var start: ASTFrameBound {
    get { box.fields.start ?? ASTFrameBound() }
    set { TreeBox.own(&box); box.fields.start = newValue }
  }

  /// Whether `start` is there.
  public var hasStart: Bool { box.fields.start != nil }

  /// absent: the current row
  public var end: ASTFrameBound {
    get { box.fields.end ?? ASTFrameBound() }
    set { TreeBox.own(&box); box.fields.end = newValue }
  }

  /// Whether `end` is there.
  public var hasEnd: Bool { box.fields.end != nil }

  public var exclusion: ASTFrame.Exclusion {
    get { box.fields.exclusion }
    _modify { TreeBox.own(&box); yield &box.fields.exclusion }
  }

  public enum Unit: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case rows
    case range
    case groups
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .rows, .range, .groups]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .rows
      case 2: .range
      case 3: .groups
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .rows: 1
      case .range: 2
      case .groups: 3
      case .UNRECOGNIZED(let number): number
      }
    }
  }

  public enum Exclusion: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case noOthers
    case currentRow
    case group
    case ties
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .noOthers, .currentRow, .group, .ties]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .noOthers
      case 2: .currentRow
      case 3: .group
      case 4: .ties
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .noOthers: 1
      case .currentRow: 2
      case .group: 3
      case .ties: 4
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

public struct ASTFrameBound: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: ASTFrameBound.Kind = .unspecified
    var offset: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var kind: ASTFrameBound.Kind {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  /// with PRECEDING and FOLLOWING
  public var offset: ASTExpression {
    get { box.fields.offset ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.offset = newValue }
  }

  /// Whether `offset` is there.
  public var hasOffset: Bool { box.fields.offset != nil }

  public enum Kind: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case unboundedPreceding
    case preceding
    case currentRow
    case following
    case unboundedFollowing
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .unboundedPreceding, .preceding, .currentRow, .following, .unboundedFollowing]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .unboundedPreceding
      case 2: .preceding
      case 3: .currentRow
      case 4: .following
      case 5: .unboundedFollowing
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .unboundedPreceding: 1
      case .preceding: 2
      case .currentRow: 3
      case .following: 4
      case .unboundedFollowing: 5
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

public struct ASTCase: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var base: ASTExpression?
    var branches: [ASTCase.Branch] = []
    var `else`: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var base: ASTExpression {
    get { box.fields.base ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.base = newValue }
  }

  /// Whether `base` is there.
  public var hasBase: Bool { box.fields.base != nil }

  public var branches: [ASTCase.Branch] {
    get { box.fields.branches }
    _modify { TreeBox.own(&box); yield &box.fields.branches }
  }

  public var `else`: ASTExpression {
    get { box.fields.`else` ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.`else` = newValue }
  }

  /// Whether `else` is there.
  public var hasElse: Bool { box.fields.`else` != nil }

  public struct Branch: Equatable, Sendable {
    fileprivate struct Fields: TreeFields {
      static let empty = TreeBox(Fields())
      var when: ASTExpression?
      var then: ASTExpression?
      var unknownFields = UnknownFields()
    }

    fileprivate var box = Fields.empty

    var unknownFields: UnknownFields {
      get { box.fields.unknownFields }
      _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
    }

    public init() {}

    public var when: ASTExpression {
      get { box.fields.when ?? ASTExpression() }
      set { TreeBox.own(&box); box.fields.when = newValue }
    }

    /// Whether `when` is there.
    public var hasWhen: Bool { box.fields.when != nil }

    public var then: ASTExpression {
      get { box.fields.then ?? ASTExpression() }
      set { TreeBox.own(&box); box.fields.then = newValue }
    }

    /// Whether `then` is there.
    public var hasThen: Bool { box.fields.then != nil }
  }
}

public struct ASTCast: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var operand: ASTExpression?
    var type: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var operand: ASTExpression {
    get { box.fields.operand ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.operand = newValue }
  }

  /// Whether `operand` is there.
  public var hasOperand: Bool { box.fields.operand != nil }

  public var type: String {
    get { box.fields.type }
    _modify { TreeBox.own(&box); yield &box.fields.type }
  }
}

public struct ASTCollate: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var operand: ASTExpression?
    var collation: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var operand: ASTExpression {
    get { box.fields.operand ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.operand = newValue }
  }

  /// Whether `operand` is there.
  public var hasOperand: Bool { box.fields.operand != nil }

  public var collation: String {
    get { box.fields.collation }
    _modify { TreeBox.own(&box); yield &box.fields.collation }
  }
}

/// A row value.
public struct ASTTuple: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var elements: [ASTExpression] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var elements: [ASTExpression] {
    get { box.fields.elements }
    _modify { TreeBox.own(&box); yield &box.fields.elements }
  }
}

/// The right side of IN.
public struct ASTList: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var elements: [ASTExpression] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var elements: [ASTExpression] {
    get { box.fields.elements }
    _modify { TreeBox.own(&box); yield &box.fields.elements }
  }
}

/// RAISE, in a trigger's body only.
public struct ASTRaise: Equatable, Sendable {
  public var action: ASTRaise.Action = .unspecified
  public var message: String = ""
  var unknownFields = UnknownFields()

  public init() {}

  public enum Action: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case ignore
    case rollback
    case abort
    case fail
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .ignore, .rollback, .abort, .fail]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .ignore
      case 2: .rollback
      case 3: .abort
      case 4: .fail
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .ignore: 1
      case .rollback: 2
      case .abort: 3
      case .fail: 4
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

/// SQL text, with nodes between its parts. Needs the permission `raw`. Inside of another node the text holds no
/// placeholder (`?`, `?1`, `:x`, `@x`, `$x`): a parameter is a node between two parts. A raw statement as a whole may.
public struct ASTRaw: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var parts: [ASTRaw.Part] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var parts: [ASTRaw.Part] {
    get { box.fields.parts }
    _modify { TreeBox.own(&box); yield &box.fields.parts }
  }

  public struct Part: Equatable, Sendable {
    fileprivate struct Fields: TreeFields {
      static let empty = TreeBox(Fields())
      var kind: OneOf_Kind?
      var unknownFields = UnknownFields()
    }

    fileprivate var box = Fields.empty

    public var kind: OneOf_Kind? {
      get { box.fields.kind }
      _modify { TreeBox.own(&box); yield &box.fields.kind }
    }

    var unknownFields: UnknownFields {
      get { box.fields.unknownFields }
      _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
    }

    public init() {}

    public var sql: String {
      get { if case .sql(let part)? = kind { part } else { "" } }
      set { kind = .sql(newValue) }
    }

    public var expression: ASTExpression {
      get { if case .expression(let part)? = kind { part } else { ASTExpression() } }
      set { kind = .expression(newValue) }
    }

    public var statement: ASTStatement {
      get { if case .statement(let part)? = kind { part } else { ASTStatement() } }
      set { kind = .statement(newValue) }
    }

    /// quoted by the renderer
    public var identifier: String {
      get { if case .identifier(let part)? = kind { part } else { "" } }
      set { kind = .identifier(newValue) }
    }

    /// One of its parts, or none.
    public enum OneOf_Kind: Equatable, Sendable {
      case sql(String)
      case expression(ASTExpression)
      case statement(ASTStatement)
      /// quoted by the renderer
      case identifier(String)
    }
  }
}

public struct ASTCreateTable: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var temporary: Bool = false
    var ifNotExists: Bool = false
    var schema: String = ""
    var name: String = ""
    var columns: [ASTColumnDefinition] = []
    var constraints: [ASTTableConstraint] = []
    var withoutRowid: Bool = false
    var strict: Bool = false
    var `as`: ASTStatement?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var temporary: Bool {
    get { box.fields.temporary }
    _modify { TreeBox.own(&box); yield &box.fields.temporary }
  }

  public var ifNotExists: Bool {
    get { box.fields.ifNotExists }
    _modify { TreeBox.own(&box); yield &box.fields.ifNotExists }
  }

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var columns: [ASTColumnDefinition] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var constraints: [ASTTableConstraint] {
    get { box.fields.constraints }
    _modify { TreeBox.own(&box); yield &box.fields.constraints }
  }

  public var withoutRowid: Bool {
    get { box.fields.withoutRowid }
    _modify { TreeBox.own(&box); yield &box.fields.withoutRowid }
  }

  public var strict: Bool {
    get { box.fields.strict }
    _modify { TreeBox.own(&box); yield &box.fields.strict }
  }

  /// not together with columns
  public var `as`: ASTStatement {
    get { box.fields.`as` ?? ASTStatement() }
    set { TreeBox.own(&box); box.fields.`as` = newValue }
  }

  /// Whether `as` is there.
  public var hasAs: Bool { box.fields.`as` != nil }
}

public struct ASTColumnDefinition: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var name: String = ""
    var type: String = ""
    var constraints: [ASTColumnConstraint] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var type: String {
    get { box.fields.type }
    _modify { TreeBox.own(&box); yield &box.fields.type }
  }

  public var constraints: [ASTColumnConstraint] {
    get { box.fields.constraints }
    _modify { TreeBox.own(&box); yield &box.fields.constraints }
  }
}

public struct ASTColumnConstraint: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var name: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var primaryKey: ASTColumnConstraint.PrimaryKey {
    get { if case .primaryKey(let part)? = kind { part } else { ASTColumnConstraint.PrimaryKey() } }
    set { kind = .primaryKey(newValue) }
  }

  public var notNull: ASTColumnConstraint.NotNull {
    get { if case .notNull(let part)? = kind { part } else { ASTColumnConstraint.NotNull() } }
    set { kind = .notNull(newValue) }
  }

  public var unique: ASTColumnConstraint.Unique {
    get { if case .unique(let part)? = kind { part } else { ASTColumnConstraint.Unique() } }
    set { kind = .unique(newValue) }
  }

  public var check: ASTExpression {
    get { if case .check(let part)? = kind { part } else { ASTExpression() } }
    set { kind = .check(newValue) }
  }

  public var `default`: ASTExpression {
    get { if case .`default`(let part)? = kind { part } else { ASTExpression() } }
    set { kind = .`default`(newValue) }
  }

  public var collation: String {
    get { if case .collation(let part)? = kind { part } else { "" } }
    set { kind = .collation(newValue) }
  }

  public var references: ASTForeignKey {
    get { if case .references(let part)? = kind { part } else { ASTForeignKey() } }
    set { kind = .references(newValue) }
  }

  public var generated: ASTColumnConstraint.Generated {
    get { if case .generated(let part)? = kind { part } else { ASTColumnConstraint.Generated() } }
    set { kind = .generated(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case primaryKey(ASTColumnConstraint.PrimaryKey)
    case notNull(ASTColumnConstraint.NotNull)
    case unique(ASTColumnConstraint.Unique)
    case check(ASTExpression)
    case `default`(ASTExpression)
    case collation(String)
    case references(ASTForeignKey)
    case generated(ASTColumnConstraint.Generated)
  }

  public struct PrimaryKey: Equatable, Sendable {
    public var direction: ASTOrderingTerm.Direction = .unspecified
    public var onConflict: ASTConflictResolution = .unspecified
    public var autoincrement: Bool = false
    var unknownFields = UnknownFields()

    public init() {}
  }

  public struct NotNull: Equatable, Sendable {
    public var onConflict: ASTConflictResolution = .unspecified
    var unknownFields = UnknownFields()

    public init() {}
  }

  public struct Unique: Equatable, Sendable {
    public var onConflict: ASTConflictResolution = .unspecified
    var unknownFields = UnknownFields()

    public init() {}
  }

  public struct Generated: Equatable, Sendable {
    fileprivate struct Fields: TreeFields {
      static let empty = TreeBox(Fields())
      var expression: ASTExpression?
      var stored: Bool = false
      var unknownFields = UnknownFields()
    }

    fileprivate var box = Fields.empty

    var unknownFields: UnknownFields {
      get { box.fields.unknownFields }
      _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
    }

    public init() {}

    public var expression: ASTExpression {
      get { box.fields.expression ?? ASTExpression() }
      set { TreeBox.own(&box); box.fields.expression = newValue }
    }

    /// Whether `expression` is there.
    public var hasExpression: Bool { box.fields.expression != nil }

    public var stored: Bool {
      get { box.fields.stored }
      _modify { TreeBox.own(&box); yield &box.fields.stored }
    }
  }
}

public struct ASTTableConstraint: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var name: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var primaryKey: ASTTableConstraint.Key {
    get { if case .primaryKey(let part)? = kind { part } else { ASTTableConstraint.Key() } }
    set { kind = .primaryKey(newValue) }
  }

  public var unique: ASTTableConstraint.Key {
    get { if case .unique(let part)? = kind { part } else { ASTTableConstraint.Key() } }
    set { kind = .unique(newValue) }
  }

  public var check: ASTExpression {
    get { if case .check(let part)? = kind { part } else { ASTExpression() } }
    set { kind = .check(newValue) }
  }

  public var foreignKey: ASTTableConstraint.Foreign {
    get { if case .foreignKey(let part)? = kind { part } else { ASTTableConstraint.Foreign() } }
    set { kind = .foreignKey(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case primaryKey(ASTTableConstraint.Key)
    case unique(ASTTableConstraint.Key)
    case check(ASTExpression)
    case foreignKey(ASTTableConstraint.Foreign)
  }

  public struct Key: Equatable, Sendable {
    fileprivate struct Fields: TreeFields {
      static let empty = TreeBox(Fields())
      var columns: [ASTIndexedColumn] = []
      var onConflict: ASTConflictResolution = .unspecified
      var unknownFields = UnknownFields()
    }

    fileprivate var box = Fields.empty

    var unknownFields: UnknownFields {
      get { box.fields.unknownFields }
      _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
    }

    public init() {}

    public var columns: [ASTIndexedColumn] {
      get { box.fields.columns }
      _modify { TreeBox.own(&box); yield &box.fields.columns }
    }

    public var onConflict: ASTConflictResolution {
      get { box.fields.onConflict }
      _modify { TreeBox.own(&box); yield &box.fields.onConflict }
    }
  }

  public struct Foreign: Equatable, Sendable {
    fileprivate struct Fields: TreeFields {
      static let empty = TreeBox(Fields())
      var columns: [String] = []
      var references: ASTForeignKey?
      var unknownFields = UnknownFields()
    }

    fileprivate var box = Fields.empty

    var unknownFields: UnknownFields {
      get { box.fields.unknownFields }
      _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
    }

    public init() {}

    public var columns: [String] {
      get { box.fields.columns }
      _modify { TreeBox.own(&box); yield &box.fields.columns }
    }

    public var references: ASTForeignKey {
      get { box.fields.references ?? ASTForeignKey() }
      set { TreeBox.own(&box); box.fields.references = newValue }
    }

    /// Whether `references` is there.
    public var hasReferences: Bool { box.fields.references != nil }
  }
}

public struct ASTForeignKey: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var table: String = ""
    var columns: [String] = []
    var onDelete: ASTForeignKey.Action = .unspecified
    var onUpdate: ASTForeignKey.Action = .unspecified
    var deferral: ASTForeignKey.Deferral = .unspecified
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var table: String {
    get { box.fields.table }
    _modify { TreeBox.own(&box); yield &box.fields.table }
  }

  public var columns: [String] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var onDelete: ASTForeignKey.Action {
    get { box.fields.onDelete }
    _modify { TreeBox.own(&box); yield &box.fields.onDelete }
  }

  public var onUpdate: ASTForeignKey.Action {
    get { box.fields.onUpdate }
    _modify { TreeBox.own(&box); yield &box.fields.onUpdate }
  }

  public var deferral: ASTForeignKey.Deferral {
    get { box.fields.deferral }
    _modify { TreeBox.own(&box); yield &box.fields.deferral }
  }

  public enum Action: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case noAction
    case restrict
    case setNull
    case setDefault
    case cascade
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .noAction, .restrict, .setNull, .setDefault, .cascade]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .noAction
      case 2: .restrict
      case 3: .setNull
      case 4: .setDefault
      case 5: .cascade
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .noAction: 1
      case .restrict: 2
      case .setNull: 3
      case .setDefault: 4
      case .cascade: 5
      case .UNRECOGNIZED(let number): number
      }
    }
  }

  public enum Deferral: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case initiallyDeferred
    case initiallyImmediate
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .initiallyDeferred, .initiallyImmediate]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .initiallyDeferred
      case 2: .initiallyImmediate
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .initiallyDeferred: 1
      case .initiallyImmediate: 2
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

public struct ASTAlterTable: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var change: OneOf_Change?
    var schema: String = ""
    var name: String = ""
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var change: OneOf_Change? {
    get { box.fields.change }
    _modify { TreeBox.own(&box); yield &box.fields.change }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var renameTo: String {
    get { if case .renameTo(let part)? = change { part } else { "" } }
    set { change = .renameTo(newValue) }
  }

  public var renameColumn: ASTAlterTable.RenameColumn {
    get { if case .renameColumn(let part)? = change { part } else { ASTAlterTable.RenameColumn() } }
    set { change = .renameColumn(newValue) }
  }

  public var addColumn: ASTColumnDefinition {
    get { if case .addColumn(let part)? = change { part } else { ASTColumnDefinition() } }
    set { change = .addColumn(newValue) }
  }

  public var dropColumn: String {
    get { if case .dropColumn(let part)? = change { part } else { "" } }
    set { change = .dropColumn(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Change: Equatable, Sendable {
    case renameTo(String)
    case renameColumn(ASTAlterTable.RenameColumn)
    case addColumn(ASTColumnDefinition)
    case dropColumn(String)
  }

  public struct RenameColumn: Equatable, Sendable {
    public var from: String = ""
    public var to: String = ""
    var unknownFields = UnknownFields()

    public init() {}
  }
}

public struct ASTCreateIndex: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var unique: Bool = false
    var ifNotExists: Bool = false
    var schema: String = ""
    var name: String = ""
    var table: String = ""
    var columns: [ASTIndexedColumn] = []
    var `where`: ASTExpression?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var unique: Bool {
    get { box.fields.unique }
    _modify { TreeBox.own(&box); yield &box.fields.unique }
  }

  public var ifNotExists: Bool {
    get { box.fields.ifNotExists }
    _modify { TreeBox.own(&box); yield &box.fields.ifNotExists }
  }

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var table: String {
    get { box.fields.table }
    _modify { TreeBox.own(&box); yield &box.fields.table }
  }

  public var columns: [ASTIndexedColumn] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var `where`: ASTExpression {
    get { box.fields.`where` ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.`where` = newValue }
  }

  /// Whether `where` is there.
  public var hasWhere: Bool { box.fields.`where` != nil }
}

public struct ASTCreateView: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var temporary: Bool = false
    var ifNotExists: Bool = false
    var schema: String = ""
    var name: String = ""
    var columns: [String] = []
    var query: ASTStatement?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var temporary: Bool {
    get { box.fields.temporary }
    _modify { TreeBox.own(&box); yield &box.fields.temporary }
  }

  public var ifNotExists: Bool {
    get { box.fields.ifNotExists }
    _modify { TreeBox.own(&box); yield &box.fields.ifNotExists }
  }

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var columns: [String] {
    get { box.fields.columns }
    _modify { TreeBox.own(&box); yield &box.fields.columns }
  }

  public var query: ASTStatement {
    get { box.fields.query ?? ASTStatement() }
    set { TreeBox.own(&box); box.fields.query = newValue }
  }

  /// Whether `query` is there.
  public var hasQuery: Bool { box.fields.query != nil }
}

public struct ASTCreateTrigger: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var temporary: Bool = false
    var ifNotExists: Bool = false
    var schema: String = ""
    var name: String = ""
    var timing: ASTCreateTrigger.Timing = .unspecified
    var event: ASTCreateTrigger.Event = .unspecified
    var updateColumns: [String] = []
    var table: String = ""
    var when: ASTExpression?
    var body: [ASTStatement] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var temporary: Bool {
    get { box.fields.temporary }
    _modify { TreeBox.own(&box); yield &box.fields.temporary }
  }

  public var ifNotExists: Bool {
    get { box.fields.ifNotExists }
    _modify { TreeBox.own(&box); yield &box.fields.ifNotExists }
  }

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var timing: ASTCreateTrigger.Timing {
    get { box.fields.timing }
    _modify { TreeBox.own(&box); yield &box.fields.timing }
  }

  public var event: ASTCreateTrigger.Event {
    get { box.fields.event }
    _modify { TreeBox.own(&box); yield &box.fields.event }
  }

  public var updateColumns: [String] {
    get { box.fields.updateColumns }
    _modify { TreeBox.own(&box); yield &box.fields.updateColumns }
  }

  public var table: String {
    get { box.fields.table }
    _modify { TreeBox.own(&box); yield &box.fields.table }
  }

  public var when: ASTExpression {
    get { box.fields.when ?? ASTExpression() }
    set { TreeBox.own(&box); box.fields.when = newValue }
  }

  /// Whether `when` is there.
  public var hasWhen: Bool { box.fields.when != nil }

  public var body: [ASTStatement] {
    get { box.fields.body }
    _modify { TreeBox.own(&box); yield &box.fields.body }
  }

  public enum Timing: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case before
    case after
    case insteadOf
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .before, .after, .insteadOf]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .before
      case 2: .after
      case 3: .insteadOf
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .before: 1
      case .after: 2
      case .insteadOf: 3
      case .UNRECOGNIZED(let number): number
      }
    }
  }

  public enum Event: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case insert
    case update
    case delete
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .insert, .update, .delete]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .insert
      case 2: .update
      case 3: .delete
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .insert: 1
      case .update: 2
      case .delete: 3
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

public struct ASTCreateVirtualTable: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var ifNotExists: Bool = false
    var schema: String = ""
    var name: String = ""
    var module: String = ""
    var arguments: [ASTModuleArgument] = []
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var ifNotExists: Bool {
    get { box.fields.ifNotExists }
    _modify { TreeBox.own(&box); yield &box.fields.ifNotExists }
  }

  public var schema: String {
    get { box.fields.schema }
    _modify { TreeBox.own(&box); yield &box.fields.schema }
  }

  public var name: String {
    get { box.fields.name }
    _modify { TreeBox.own(&box); yield &box.fields.name }
  }

  public var module: String {
    get { box.fields.module }
    _modify { TreeBox.own(&box); yield &box.fields.module }
  }

  public var arguments: [ASTModuleArgument] {
    get { box.fields.arguments }
    _modify { TreeBox.own(&box); yield &box.fields.arguments }
  }
}

/// `"column" UNINDEXED`, or `option = 'value'`.
public struct ASTModuleArgument: Equatable, Sendable {
  fileprivate struct Fields: TreeFields {
    static let empty = TreeBox(Fields())
    var kind: OneOf_Kind?
    var unknownFields = UnknownFields()
  }

  fileprivate var box = Fields.empty

  public var kind: OneOf_Kind? {
    get { box.fields.kind }
    _modify { TreeBox.own(&box); yield &box.fields.kind }
  }

  var unknownFields: UnknownFields {
    get { box.fields.unknownFields }
    _modify { TreeBox.own(&box); yield &box.fields.unknownFields }
  }

  public init() {}

  public var column: ASTModuleArgument.Column {
    get { if case .column(let part)? = kind { part } else { ASTModuleArgument.Column() } }
    set { kind = .column(newValue) }
  }

  public var option: ASTModuleArgument.Option {
    get { if case .option(let part)? = kind { part } else { ASTModuleArgument.Option() } }
    set { kind = .option(newValue) }
  }

  /// One of its parts, or none.
  public enum OneOf_Kind: Equatable, Sendable {
    case column(ASTModuleArgument.Column)
    case option(ASTModuleArgument.Option)
  }

  public struct Column: Equatable, Sendable {
    public var name: String = ""
    /// bare words, such as UNINDEXED
    public var attributes: [String] = []
    var unknownFields = UnknownFields()

    public init() {}
  }

  public struct Option: Equatable, Sendable {
    public var name: String = ""
    public var value: String = ""
    /// in double quotes after the value, for tokenizers of FTS4
    public var arguments: [String] = []
    var unknownFields = UnknownFields()

    public init() {}
  }
}

public struct ASTDrop: Equatable, Sendable {
  public var kind: ASTDrop.Kind = .unspecified
  public var ifExists: Bool = false
  public var schema: String = ""
  public var name: String = ""
  var unknownFields = UnknownFields()

  public init() {}

  public enum Kind: Hashable, Sendable, CaseIterable, RawRepresentable {
    case unspecified
    case table
    case index
    case view
    case trigger
    case UNRECOGNIZED(Int)

    /// The known values.
    public static let allCases: [Self] = [.unspecified, .table, .index, .view, .trigger]

    public init(rawValue: Int) {
      self = switch rawValue {
      case 0: .unspecified
      case 1: .table
      case 2: .index
      case 3: .view
      case 4: .trigger
      default: .UNRECOGNIZED(rawValue)
      }
    }

    public var rawValue: Int {
      switch self {
      case .unspecified: 0
      case .table: 1
      case .index: 2
      case .view: 3
      case .trigger: 4
      case .UNRECOGNIZED(let number): number
      }
    }
  }
}

extension ASTStatement: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTSelect) in box.fields.kind = .select(part) }
    case (2, .delimited): try decoder.only(field) { (part: ASTCompound) in box.fields.kind = .compound(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTValues) in box.fields.kind = .values(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTWith) in box.fields.kind = .with(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTInsert) in box.fields.kind = .insert(part) }
    case (6, .delimited): try decoder.only(field) { (part: ASTUpdate) in box.fields.kind = .update(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTDelete) in box.fields.kind = .delete(part) }
    case (8, .delimited): try decoder.only(field) { (part: ASTCreateTable) in box.fields.kind = .createTable(part) }
    case (9, .delimited): try decoder.only(field) { (part: ASTAlterTable) in box.fields.kind = .alterTable(part) }
    case (10, .delimited): try decoder.only(field) { (part: ASTCreateIndex) in box.fields.kind = .createIndex(part) }
    case (11, .delimited): try decoder.only(field) { (part: ASTCreateView) in box.fields.kind = .createView(part) }
    case (12, .delimited): try decoder.only(field) { (part: ASTCreateTrigger) in box.fields.kind = .createTrigger(part) }
    case (13, .delimited): try decoder.only(field) { (part: ASTCreateVirtualTable) in box.fields.kind = .createVirtualTable(part) }
    case (14, .delimited): try decoder.only(field) { (part: ASTDrop) in box.fields.kind = .drop(part) }
    case (15, .delimited): try decoder.only(field) { (part: ASTRaw) in box.fields.kind = .raw(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .select(let part): encoder.message(1, part)
    case .compound(let part): encoder.message(2, part)
    case .values(let part): encoder.message(3, part)
    case .with(let part): encoder.message(4, part)
    case .insert(let part): encoder.message(5, part)
    case .update(let part): encoder.message(6, part)
    case .delete(let part): encoder.message(7, part)
    case .createTable(let part): encoder.message(8, part)
    case .alterTable(let part): encoder.message(9, part)
    case .createIndex(let part): encoder.message(10, part)
    case .createView(let part): encoder.message(11, part)
    case .createTrigger(let part): encoder.message(12, part)
    case .createVirtualTable(let part): encoder.message(13, part)
    case .drop(let part): encoder.message(14, part)
    case .raw(let part): encoder.message(15, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .select(let part): visitor.visit(part)
    case .compound(let part): visitor.visit(part)
    case .values(let part): visitor.visit(part)
    case .with(let part): visitor.visit(part)
    case .insert(let part): visitor.visit(part)
    case .update(let part): visitor.visit(part)
    case .delete(let part): visitor.visit(part)
    case .createTable(let part): visitor.visit(part)
    case .alterTable(let part): visitor.visit(part)
    case .createIndex(let part): visitor.visit(part)
    case .createView(let part): visitor.visit(part)
    case .createTrigger(let part): visitor.visit(part)
    case .createVirtualTable(let part): visitor.visit(part)
    case .drop(let part): visitor.visit(part)
    case .raw(let part): visitor.visit(part)
    case nil: break
    }
  }
}

extension ASTSelect: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.distinct = field.value != 0
    case (2, .delimited): try decoder.message(field) { (part: ASTResultColumn) in box.fields.columns.append(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTTableSource) in box.fields.from = part }
    case (4, .delimited): try decoder.message(field) { (part: ASTJoin) in box.fields.joins.append(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.`where` = part }
    case (6, .delimited): try decoder.message(field) { (part: ASTExpression) in box.fields.groupBy.append(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.having = part }
    case (8, .delimited): try decoder.message(field) { (part: ASTNamedWindow) in box.fields.windows.append(part) }
    case (9, .delimited): try decoder.message(field) { (part: ASTOrderingTerm) in box.fields.orderBy.append(part) }
    case (10, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.limit = part }
    case (11, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.offset = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.flag(1, box.fields.distinct)
    encoder.messages(2, box.fields.columns)
    if let part = box.fields.from { encoder.message(3, part) }
    encoder.messages(4, box.fields.joins)
    if let part = box.fields.`where` { encoder.message(5, part) }
    encoder.messages(6, box.fields.groupBy)
    if let part = box.fields.having { encoder.message(7, part) }
    encoder.messages(8, box.fields.windows)
    encoder.messages(9, box.fields.orderBy)
    if let part = box.fields.limit { encoder.message(10, part) }
    if let part = box.fields.offset { encoder.message(11, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.columns { visitor.visit(part) }
    if let part = box.fields.from { visitor.visit(part) }
    for part in box.fields.joins { visitor.visit(part) }
    if let part = box.fields.`where` { visitor.visit(part) }
    for part in box.fields.groupBy { visitor.visit(part) }
    if let part = box.fields.having { visitor.visit(part) }
    for part in box.fields.windows { visitor.visit(part) }
    for part in box.fields.orderBy { visitor.visit(part) }
    if let part = box.fields.limit { visitor.visit(part) }
    if let part = box.fields.offset { visitor.visit(part) }
  }
}

extension ASTResultColumn: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.kind = .expression(part) }
    case (2, .delimited): try decoder.only(field) { (part: ASTAllColumns) in box.fields.kind = .all(part) }
    case (3, .delimited): box.fields.alias = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .expression(let part): encoder.message(1, part)
    case .all(let part): encoder.message(2, part)
    case nil: break
    }
    encoder.text(3, box.fields.alias)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .expression(let part): visitor.visit(part)
    case .all(let part): visitor.visit(part)
    case nil: break
    }
  }
}

extension ASTAllColumns: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .delimited): table = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, table)
    encoder.unknown(unknownFields)
  }
}

extension ASTTableSource: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTTable) in box.fields.kind = .table(part) }
    case (2, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.kind = .subquery(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTTableFunction) in box.fields.kind = .function(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTJoinedTables) in box.fields.kind = .joined(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTParameter) in box.fields.kind = .rows(part) }
    case (6, .delimited): try decoder.only(field) { (part: ASTRaw) in box.fields.kind = .raw(part) }
    case (7, .delimited): box.fields.alias = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .table(let part): encoder.message(1, part)
    case .subquery(let part): encoder.message(2, part)
    case .function(let part): encoder.message(3, part)
    case .joined(let part): encoder.message(4, part)
    case .rows(let part): encoder.message(5, part)
    case .raw(let part): encoder.message(6, part)
    case nil: break
    }
    encoder.text(7, box.fields.alias)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .table(let part): visitor.visit(part)
    case .subquery(let part): visitor.visit(part)
    case .function(let part): visitor.visit(part)
    case .joined(let part): visitor.visit(part)
    case .rows(let part): visitor.visit(part)
    case .raw(let part): visitor.visit(part)
    case nil: break
    }
  }
}

extension ASTTable: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .delimited): schema = try decoder.text(field)
    case (2, .delimited): name = try decoder.text(field)
    case (3, .delimited): hint = .indexedBy(try decoder.text(field))
    case (4, .varint): hint = .notIndexed(field.value != 0)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, schema)
    encoder.text(2, name)
    switch hint {
    case .indexedBy(let part): encoder.presentText(3, part)
    case .notIndexed(let part): encoder.present(4, part ? 1 : 0)
    case nil: break
    }
    encoder.unknown(unknownFields)
  }
}

extension ASTTableFunction: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.schema = try decoder.text(field)
    case (2, .delimited): box.fields.name = try decoder.text(field)
    case (3, .delimited): try decoder.message(field) { (part: ASTExpression) in box.fields.arguments.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.schema)
    encoder.text(2, box.fields.name)
    encoder.messages(3, box.fields.arguments)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.arguments { visitor.visit(part) }
  }
}

extension ASTJoinedTables: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTTableSource) in box.fields.from = part }
    case (2, .delimited): try decoder.message(field) { (part: ASTJoin) in box.fields.joins.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.from { encoder.message(1, part) }
    encoder.messages(2, box.fields.joins)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.from { visitor.visit(part) }
    for part in box.fields.joins { visitor.visit(part) }
  }
}

extension ASTJoin: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.kind = ASTJoin.Kind(rawValue: decoder.number(field))
    case (2, .varint): box.fields.natural = field.value != 0
    case (3, .delimited): try decoder.only(field) { (part: ASTTableSource) in box.fields.source = part }
    case (4, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.on = part }
    case (5, .delimited): box.fields.using.append(try decoder.text(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(box.fields.kind.rawValue)))
    encoder.flag(2, box.fields.natural)
    if let part = box.fields.source { encoder.message(3, part) }
    if let part = box.fields.on { encoder.message(4, part) }
    encoder.texts(5, box.fields.using)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.source { visitor.visit(part) }
    if let part = box.fields.on { visitor.visit(part) }
  }
}

extension ASTNamedWindow: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.name = try decoder.text(field)
    case (2, .delimited): try decoder.only(field) { (part: ASTWindow) in box.fields.window = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.name)
    if let part = box.fields.window { encoder.message(2, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.window { visitor.visit(part) }
  }
}

extension ASTOrderingTerm: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.expression = part }
    case (2, .varint): box.fields.direction = ASTOrderingTerm.Direction(rawValue: decoder.number(field))
    case (3, .varint): box.fields.nulls = ASTOrderingTerm.Nulls(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.expression { encoder.message(1, part) }
    encoder.number(2, UInt64(bitPattern: Int64(box.fields.direction.rawValue)))
    encoder.number(3, UInt64(bitPattern: Int64(box.fields.nulls.rawValue)))
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.expression { visitor.visit(part) }
  }
}

extension ASTCompound: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.first = part }
    case (2, .delimited): try decoder.message(field) { (part: ASTCompound.Term) in box.fields.terms.append(part) }
    case (3, .delimited): try decoder.message(field) { (part: ASTOrderingTerm) in box.fields.orderBy.append(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.limit = part }
    case (5, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.offset = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.first { encoder.message(1, part) }
    encoder.messages(2, box.fields.terms)
    encoder.messages(3, box.fields.orderBy)
    if let part = box.fields.limit { encoder.message(4, part) }
    if let part = box.fields.offset { encoder.message(5, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.first { visitor.visit(part) }
    for part in box.fields.terms { visitor.visit(part) }
    for part in box.fields.orderBy { visitor.visit(part) }
    if let part = box.fields.limit { visitor.visit(part) }
    if let part = box.fields.offset { visitor.visit(part) }
  }
}

extension ASTCompound.Term: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.`operator` = ASTCompound.Operator(rawValue: decoder.number(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.query = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(box.fields.`operator`.rawValue)))
    if let part = box.fields.query { encoder.message(2, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.query { visitor.visit(part) }
  }
}

extension ASTValues: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTTuple) in box.fields.rows.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.rows)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.rows { visitor.visit(part) }
  }
}

extension ASTWith: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTCommonTable) in box.fields.tables.append(part) }
    case (2, .varint): box.fields.recursive = field.value != 0
    case (3, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.body = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.tables)
    encoder.flag(2, box.fields.recursive)
    if let part = box.fields.body { encoder.message(3, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.tables { visitor.visit(part) }
    if let part = box.fields.body { visitor.visit(part) }
  }
}

extension ASTCommonTable: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.name = try decoder.text(field)
    case (2, .delimited): box.fields.columns.append(try decoder.text(field))
    case (3, .varint): box.fields.materialization = ASTCommonTable.Materialization(rawValue: decoder.number(field))
    case (4, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.query = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.name)
    encoder.texts(2, box.fields.columns)
    encoder.number(3, UInt64(bitPattern: Int64(box.fields.materialization.rawValue)))
    if let part = box.fields.query { encoder.message(4, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.query { visitor.visit(part) }
  }
}

extension ASTInsert: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.or = ASTConflictResolution(rawValue: decoder.number(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTTable) in box.fields.into = part }
    case (3, .delimited): box.fields.alias = try decoder.text(field)
    case (4, .delimited): box.fields.columns.append(try decoder.text(field))
    case (5, .delimited): try decoder.only(field) { (part: ASTValues) in box.fields.source = .values(part) }
    case (6, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.source = .query(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTParameter) in box.fields.source = .rows(part) }
    case (8, .varint): box.fields.source = .defaultValues(field.value != 0)
    case (9, .delimited): try decoder.message(field) { (part: ASTUpsert) in box.fields.upserts.append(part) }
    case (10, .delimited): try decoder.message(field) { (part: ASTResultColumn) in box.fields.returning.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(box.fields.or.rawValue)))
    if let part = box.fields.into { encoder.message(2, part) }
    encoder.text(3, box.fields.alias)
    encoder.texts(4, box.fields.columns)
    switch box.fields.source {
    case .values(let part): encoder.message(5, part)
    case .query(let part): encoder.message(6, part)
    case .rows(let part): encoder.message(7, part)
    case .defaultValues(let part): encoder.present(8, part ? 1 : 0)
    case nil: break
    }
    encoder.messages(9, box.fields.upserts)
    encoder.messages(10, box.fields.returning)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.into { visitor.visit(part) }
    switch box.fields.source {
    case .values(let part): visitor.visit(part)
    case .query(let part): visitor.visit(part)
    case .rows(let part): visitor.visit(part)
    default: break
    }
    for part in box.fields.upserts { visitor.visit(part) }
    for part in box.fields.returning { visitor.visit(part) }
  }
}

extension ASTUpsert: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTIndexedColumn) in box.fields.target.append(part) }
    case (2, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.targetWhere = part }
    case (3, .delimited): try decoder.message(field) { (part: ASTAssignment) in box.fields.assignments.append(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.`where` = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.target)
    if let part = box.fields.targetWhere { encoder.message(2, part) }
    encoder.messages(3, box.fields.assignments)
    if let part = box.fields.`where` { encoder.message(4, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.target { visitor.visit(part) }
    if let part = box.fields.targetWhere { visitor.visit(part) }
    for part in box.fields.assignments { visitor.visit(part) }
    if let part = box.fields.`where` { visitor.visit(part) }
  }
}

extension ASTIndexedColumn: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.expression = part }
    case (2, .delimited): box.fields.collation = try decoder.text(field)
    case (3, .varint): box.fields.direction = ASTOrderingTerm.Direction(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.expression { encoder.message(1, part) }
    encoder.text(2, box.fields.collation)
    encoder.number(3, UInt64(bitPattern: Int64(box.fields.direction.rawValue)))
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.expression { visitor.visit(part) }
  }
}

extension ASTAssignment: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.columns.append(try decoder.text(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.value = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.texts(1, box.fields.columns)
    if let part = box.fields.value { encoder.message(2, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.value { visitor.visit(part) }
  }
}

extension ASTUpdate: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.or = ASTConflictResolution(rawValue: decoder.number(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTTable) in box.fields.table = part }
    case (3, .delimited): box.fields.alias = try decoder.text(field)
    case (4, .delimited): try decoder.message(field) { (part: ASTAssignment) in box.fields.assignments.append(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTTableSource) in box.fields.from = part }
    case (6, .delimited): try decoder.message(field) { (part: ASTJoin) in box.fields.joins.append(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.`where` = part }
    case (8, .delimited): try decoder.message(field) { (part: ASTResultColumn) in box.fields.returning.append(part) }
    case (9, .delimited): try decoder.message(field) { (part: ASTOrderingTerm) in box.fields.orderBy.append(part) }
    case (10, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.limit = part }
    case (11, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.offset = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(box.fields.or.rawValue)))
    if let part = box.fields.table { encoder.message(2, part) }
    encoder.text(3, box.fields.alias)
    encoder.messages(4, box.fields.assignments)
    if let part = box.fields.from { encoder.message(5, part) }
    encoder.messages(6, box.fields.joins)
    if let part = box.fields.`where` { encoder.message(7, part) }
    encoder.messages(8, box.fields.returning)
    encoder.messages(9, box.fields.orderBy)
    if let part = box.fields.limit { encoder.message(10, part) }
    if let part = box.fields.offset { encoder.message(11, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.table { visitor.visit(part) }
    for part in box.fields.assignments { visitor.visit(part) }
    if let part = box.fields.from { visitor.visit(part) }
    for part in box.fields.joins { visitor.visit(part) }
    if let part = box.fields.`where` { visitor.visit(part) }
    for part in box.fields.returning { visitor.visit(part) }
    for part in box.fields.orderBy { visitor.visit(part) }
    if let part = box.fields.limit { visitor.visit(part) }
    if let part = box.fields.offset { visitor.visit(part) }
  }
}

extension ASTDelete: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTTable) in box.fields.from = part }
    case (2, .delimited): box.fields.alias = try decoder.text(field)
    case (3, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.`where` = part }
    case (4, .delimited): try decoder.message(field) { (part: ASTResultColumn) in box.fields.returning.append(part) }
    case (5, .delimited): try decoder.message(field) { (part: ASTOrderingTerm) in box.fields.orderBy.append(part) }
    case (6, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.limit = part }
    case (7, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.offset = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.from { encoder.message(1, part) }
    encoder.text(2, box.fields.alias)
    if let part = box.fields.`where` { encoder.message(3, part) }
    encoder.messages(4, box.fields.returning)
    encoder.messages(5, box.fields.orderBy)
    if let part = box.fields.limit { encoder.message(6, part) }
    if let part = box.fields.offset { encoder.message(7, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.from { visitor.visit(part) }
    if let part = box.fields.`where` { visitor.visit(part) }
    for part in box.fields.returning { visitor.visit(part) }
    for part in box.fields.orderBy { visitor.visit(part) }
    if let part = box.fields.limit { visitor.visit(part) }
    if let part = box.fields.offset { visitor.visit(part) }
  }
}

extension ASTExpression: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTColumn) in box.fields.kind = .column(part) }
    case (2, .delimited): try decoder.only(field) { (part: ASTParameter) in box.fields.kind = .parameter(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTLiteral) in box.fields.kind = .literal(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTCall) in box.fields.kind = .call(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTCase) in box.fields.kind = .`case`(part) }
    case (6, .delimited): try decoder.only(field) { (part: ASTCast) in box.fields.kind = .cast(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTCollate) in box.fields.kind = .collate(part) }
    case (8, .delimited): try decoder.only(field) { (part: ASTTuple) in box.fields.kind = .tuple(part) }
    case (9, .delimited): try decoder.only(field) { (part: ASTList) in box.fields.kind = .list(part) }
    case (10, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.kind = .subquery(part) }
    case (11, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.kind = .exists(part) }
    case (12, .delimited): try decoder.only(field) { (part: ASTRaise) in box.fields.kind = .raise(part) }
    case (13, .delimited): try decoder.only(field) { (part: ASTRaw) in box.fields.kind = .raw(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .column(let part): encoder.message(1, part)
    case .parameter(let part): encoder.message(2, part)
    case .literal(let part): encoder.message(3, part)
    case .call(let part): encoder.message(4, part)
    case .`case`(let part): encoder.message(5, part)
    case .cast(let part): encoder.message(6, part)
    case .collate(let part): encoder.message(7, part)
    case .tuple(let part): encoder.message(8, part)
    case .list(let part): encoder.message(9, part)
    case .subquery(let part): encoder.message(10, part)
    case .exists(let part): encoder.message(11, part)
    case .raise(let part): encoder.message(12, part)
    case .raw(let part): encoder.message(13, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .column(let part): visitor.visit(part)
    case .parameter(let part): visitor.visit(part)
    case .literal(let part): visitor.visit(part)
    case .call(let part): visitor.visit(part)
    case .`case`(let part): visitor.visit(part)
    case .cast(let part): visitor.visit(part)
    case .collate(let part): visitor.visit(part)
    case .tuple(let part): visitor.visit(part)
    case .list(let part): visitor.visit(part)
    case .subquery(let part): visitor.visit(part)
    case .exists(let part): visitor.visit(part)
    case .raise(let part): visitor.visit(part)
    case .raw(let part): visitor.visit(part)
    case nil: break
    }
  }
}

extension ASTColumn: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .delimited): schema = try decoder.text(field)
    case (2, .delimited): table = try decoder.text(field)
    case (3, .delimited): name = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, schema)
    encoder.text(2, table)
    encoder.text(3, name)
    encoder.unknown(unknownFields)
  }
}

extension ASTParameter: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .varint): index = UInt32(truncatingIfNeeded: field.value)
    case (2, .varint): list = field.value != 0
    case (3, .varint): columns = UInt32(truncatingIfNeeded: field.value)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(index))
    encoder.flag(2, list)
    encoder.number(3, UInt64(columns))
    encoder.unknown(unknownFields)
  }
}

extension ASTLiteral: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.kind = .keyword(ASTLiteral.Keyword(rawValue: decoder.number(field)))
    case (2, .varint): box.fields.kind = .integer(field.signed)
    case (3, .fixed64): box.fields.kind = .real(Double(bitPattern: field.value))
    case (4, .delimited): box.fields.kind = .text(try decoder.text(field))
    case (5, .delimited): box.fields.kind = .blob(Array(field.bytes))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .keyword(let part): encoder.present(1, UInt64(bitPattern: Int64(part.rawValue)))
    case .integer(let part): encoder.presentSigned(2, part)
    case .real(let part): encoder.presentFixed64(3, part.bitPattern)
    case .text(let part): encoder.presentText(4, part)
    case .blob(let part): encoder.presentBytes(5, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }
}

extension ASTCall: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.callee = .`operator`(ASTOperator(rawValue: decoder.number(field)))
    case (2, .delimited): box.fields.callee = .function(try decoder.text(field))
    case (3, .delimited): try decoder.message(field) { (part: ASTExpression) in box.fields.arguments.append(part) }
    case (4, .varint): box.fields.star = field.value != 0
    case (5, .varint): box.fields.distinct = field.value != 0
    case (6, .delimited): try decoder.message(field) { (part: ASTOrderingTerm) in box.fields.orderBy.append(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.filter = part }
    case (8, .delimited): try decoder.only(field) { (part: ASTOver) in box.fields.over = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.callee {
    case .`operator`(let part): encoder.present(1, UInt64(bitPattern: Int64(part.rawValue)))
    case .function(let part): encoder.presentText(2, part)
    case nil: break
    }
    encoder.messages(3, box.fields.arguments)
    encoder.flag(4, box.fields.star)
    encoder.flag(5, box.fields.distinct)
    encoder.messages(6, box.fields.orderBy)
    if let part = box.fields.filter { encoder.message(7, part) }
    if let part = box.fields.over { encoder.message(8, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.arguments { visitor.visit(part) }
    for part in box.fields.orderBy { visitor.visit(part) }
    if let part = box.fields.filter { visitor.visit(part) }
    if let part = box.fields.over { visitor.visit(part) }
  }
}

extension ASTOver: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.kind = .name(try decoder.text(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTWindow) in box.fields.kind = .window(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .name(let part): encoder.presentText(1, part)
    case .window(let part): encoder.message(2, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .window(let part): visitor.visit(part)
    default: break
    }
  }
}

extension ASTWindow: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.base = try decoder.text(field)
    case (2, .delimited): try decoder.message(field) { (part: ASTExpression) in box.fields.partitionBy.append(part) }
    case (3, .delimited): try decoder.message(field) { (part: ASTOrderingTerm) in box.fields.orderBy.append(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTFrame) in box.fields.frame = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.base)
    encoder.messages(2, box.fields.partitionBy)
    encoder.messages(3, box.fields.orderBy)
    if let part = box.fields.frame { encoder.message(4, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.partitionBy { visitor.visit(part) }
    for part in box.fields.orderBy { visitor.visit(part) }
    if let part = box.fields.frame { visitor.visit(part) }
  }
}

extension ASTFrame: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.unit = ASTFrame.Unit(rawValue: decoder.number(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTFrameBound) in box.fields.start = part }
    case (3, .delimited): try decoder.only(field) { (part: ASTFrameBound) in box.fields.end = part }
    case (4, .varint): box.fields.exclusion = ASTFrame.Exclusion(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(box.fields.unit.rawValue)))
    if let part = box.fields.start { encoder.message(2, part) }
    if let part = box.fields.end { encoder.message(3, part) }
    encoder.number(4, UInt64(bitPattern: Int64(box.fields.exclusion.rawValue)))
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.start { visitor.visit(part) }
    if let part = box.fields.end { visitor.visit(part) }
  }
}

extension ASTFrameBound: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.kind = ASTFrameBound.Kind(rawValue: decoder.number(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.offset = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(box.fields.kind.rawValue)))
    if let part = box.fields.offset { encoder.message(2, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.offset { visitor.visit(part) }
  }
}

extension ASTCase: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.base = part }
    case (2, .delimited): try decoder.message(field) { (part: ASTCase.Branch) in box.fields.branches.append(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.`else` = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.base { encoder.message(1, part) }
    encoder.messages(2, box.fields.branches)
    if let part = box.fields.`else` { encoder.message(3, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.base { visitor.visit(part) }
    for part in box.fields.branches { visitor.visit(part) }
    if let part = box.fields.`else` { visitor.visit(part) }
  }
}

extension ASTCase.Branch: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.when = part }
    case (2, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.then = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.when { encoder.message(1, part) }
    if let part = box.fields.then { encoder.message(2, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.when { visitor.visit(part) }
    if let part = box.fields.then { visitor.visit(part) }
  }
}

extension ASTCast: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.operand = part }
    case (2, .delimited): box.fields.type = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.operand { encoder.message(1, part) }
    encoder.text(2, box.fields.type)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.operand { visitor.visit(part) }
  }
}

extension ASTCollate: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.operand = part }
    case (2, .delimited): box.fields.collation = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.operand { encoder.message(1, part) }
    encoder.text(2, box.fields.collation)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.operand { visitor.visit(part) }
  }
}

extension ASTTuple: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTExpression) in box.fields.elements.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.elements)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.elements { visitor.visit(part) }
  }
}

extension ASTList: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTExpression) in box.fields.elements.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.elements)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.elements { visitor.visit(part) }
  }
}

extension ASTRaise: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .varint): action = ASTRaise.Action(rawValue: decoder.number(field))
    case (2, .delimited): message = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(action.rawValue)))
    encoder.text(2, message)
    encoder.unknown(unknownFields)
  }
}

extension ASTRaw: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTRaw.Part) in box.fields.parts.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.parts)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.parts { visitor.visit(part) }
  }
}

extension ASTRaw.Part: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.kind = .sql(try decoder.text(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.kind = .expression(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.kind = .statement(part) }
    case (4, .delimited): box.fields.kind = .identifier(try decoder.text(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .sql(let part): encoder.presentText(1, part)
    case .expression(let part): encoder.message(2, part)
    case .statement(let part): encoder.message(3, part)
    case .identifier(let part): encoder.presentText(4, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .expression(let part): visitor.visit(part)
    case .statement(let part): visitor.visit(part)
    default: break
    }
  }
}

extension ASTCreateTable: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.temporary = field.value != 0
    case (2, .varint): box.fields.ifNotExists = field.value != 0
    case (3, .delimited): box.fields.schema = try decoder.text(field)
    case (4, .delimited): box.fields.name = try decoder.text(field)
    case (5, .delimited): try decoder.message(field) { (part: ASTColumnDefinition) in box.fields.columns.append(part) }
    case (6, .delimited): try decoder.message(field) { (part: ASTTableConstraint) in box.fields.constraints.append(part) }
    case (7, .varint): box.fields.withoutRowid = field.value != 0
    case (8, .varint): box.fields.strict = field.value != 0
    case (9, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.`as` = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.flag(1, box.fields.temporary)
    encoder.flag(2, box.fields.ifNotExists)
    encoder.text(3, box.fields.schema)
    encoder.text(4, box.fields.name)
    encoder.messages(5, box.fields.columns)
    encoder.messages(6, box.fields.constraints)
    encoder.flag(7, box.fields.withoutRowid)
    encoder.flag(8, box.fields.strict)
    if let part = box.fields.`as` { encoder.message(9, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.columns { visitor.visit(part) }
    for part in box.fields.constraints { visitor.visit(part) }
    if let part = box.fields.`as` { visitor.visit(part) }
  }
}

extension ASTColumnDefinition: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.name = try decoder.text(field)
    case (2, .delimited): box.fields.type = try decoder.text(field)
    case (3, .delimited): try decoder.message(field) { (part: ASTColumnConstraint) in box.fields.constraints.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.name)
    encoder.text(2, box.fields.type)
    encoder.messages(3, box.fields.constraints)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.constraints { visitor.visit(part) }
  }
}

extension ASTColumnConstraint: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.name = try decoder.text(field)
    case (2, .delimited): try decoder.only(field) { (part: ASTColumnConstraint.PrimaryKey) in box.fields.kind = .primaryKey(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTColumnConstraint.NotNull) in box.fields.kind = .notNull(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTColumnConstraint.Unique) in box.fields.kind = .unique(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.kind = .check(part) }
    case (6, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.kind = .`default`(part) }
    case (7, .delimited): box.fields.kind = .collation(try decoder.text(field))
    case (8, .delimited): try decoder.only(field) { (part: ASTForeignKey) in box.fields.kind = .references(part) }
    case (9, .delimited): try decoder.only(field) { (part: ASTColumnConstraint.Generated) in box.fields.kind = .generated(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.name)
    switch box.fields.kind {
    case .primaryKey(let part): encoder.message(2, part)
    case .notNull(let part): encoder.message(3, part)
    case .unique(let part): encoder.message(4, part)
    case .check(let part): encoder.message(5, part)
    case .`default`(let part): encoder.message(6, part)
    case .collation(let part): encoder.presentText(7, part)
    case .references(let part): encoder.message(8, part)
    case .generated(let part): encoder.message(9, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .primaryKey(let part): visitor.visit(part)
    case .notNull(let part): visitor.visit(part)
    case .unique(let part): visitor.visit(part)
    case .check(let part): visitor.visit(part)
    case .`default`(let part): visitor.visit(part)
    case .references(let part): visitor.visit(part)
    case .generated(let part): visitor.visit(part)
    default: break
    }
  }
}

extension ASTColumnConstraint.PrimaryKey: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .varint): direction = ASTOrderingTerm.Direction(rawValue: decoder.number(field))
    case (2, .varint): onConflict = ASTConflictResolution(rawValue: decoder.number(field))
    case (3, .varint): autoincrement = field.value != 0
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(direction.rawValue)))
    encoder.number(2, UInt64(bitPattern: Int64(onConflict.rawValue)))
    encoder.flag(3, autoincrement)
    encoder.unknown(unknownFields)
  }
}

extension ASTColumnConstraint.NotNull: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .varint): onConflict = ASTConflictResolution(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(onConflict.rawValue)))
    encoder.unknown(unknownFields)
  }
}

extension ASTColumnConstraint.Unique: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .varint): onConflict = ASTConflictResolution(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(onConflict.rawValue)))
    encoder.unknown(unknownFields)
  }
}

extension ASTColumnConstraint.Generated: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.expression = part }
    case (2, .varint): box.fields.stored = field.value != 0
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    if let part = box.fields.expression { encoder.message(1, part) }
    encoder.flag(2, box.fields.stored)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.expression { visitor.visit(part) }
  }
}

extension ASTTableConstraint: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.name = try decoder.text(field)
    case (2, .delimited): try decoder.only(field) { (part: ASTTableConstraint.Key) in box.fields.kind = .primaryKey(part) }
    case (3, .delimited): try decoder.only(field) { (part: ASTTableConstraint.Key) in box.fields.kind = .unique(part) }
    case (4, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.kind = .check(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTTableConstraint.Foreign) in box.fields.kind = .foreignKey(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.name)
    switch box.fields.kind {
    case .primaryKey(let part): encoder.message(2, part)
    case .unique(let part): encoder.message(3, part)
    case .check(let part): encoder.message(4, part)
    case .foreignKey(let part): encoder.message(5, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .primaryKey(let part): visitor.visit(part)
    case .unique(let part): visitor.visit(part)
    case .check(let part): visitor.visit(part)
    case .foreignKey(let part): visitor.visit(part)
    case nil: break
    }
  }
}

extension ASTTableConstraint.Key: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.message(field) { (part: ASTIndexedColumn) in box.fields.columns.append(part) }
    case (2, .varint): box.fields.onConflict = ASTConflictResolution(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.messages(1, box.fields.columns)
    encoder.number(2, UInt64(bitPattern: Int64(box.fields.onConflict.rawValue)))
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.columns { visitor.visit(part) }
  }
}

extension ASTTableConstraint.Foreign: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.columns.append(try decoder.text(field))
    case (2, .delimited): try decoder.only(field) { (part: ASTForeignKey) in box.fields.references = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.texts(1, box.fields.columns)
    if let part = box.fields.references { encoder.message(2, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.references { visitor.visit(part) }
  }
}

extension ASTForeignKey: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.table = try decoder.text(field)
    case (2, .delimited): box.fields.columns.append(try decoder.text(field))
    case (3, .varint): box.fields.onDelete = ASTForeignKey.Action(rawValue: decoder.number(field))
    case (4, .varint): box.fields.onUpdate = ASTForeignKey.Action(rawValue: decoder.number(field))
    case (5, .varint): box.fields.deferral = ASTForeignKey.Deferral(rawValue: decoder.number(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.table)
    encoder.texts(2, box.fields.columns)
    encoder.number(3, UInt64(bitPattern: Int64(box.fields.onDelete.rawValue)))
    encoder.number(4, UInt64(bitPattern: Int64(box.fields.onUpdate.rawValue)))
    encoder.number(5, UInt64(bitPattern: Int64(box.fields.deferral.rawValue)))
    encoder.unknown(box.fields.unknownFields)
  }
}

extension ASTAlterTable: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): box.fields.schema = try decoder.text(field)
    case (2, .delimited): box.fields.name = try decoder.text(field)
    case (3, .delimited): box.fields.change = .renameTo(try decoder.text(field))
    case (4, .delimited): try decoder.only(field) { (part: ASTAlterTable.RenameColumn) in box.fields.change = .renameColumn(part) }
    case (5, .delimited): try decoder.only(field) { (part: ASTColumnDefinition) in box.fields.change = .addColumn(part) }
    case (6, .delimited): box.fields.change = .dropColumn(try decoder.text(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, box.fields.schema)
    encoder.text(2, box.fields.name)
    switch box.fields.change {
    case .renameTo(let part): encoder.presentText(3, part)
    case .renameColumn(let part): encoder.message(4, part)
    case .addColumn(let part): encoder.message(5, part)
    case .dropColumn(let part): encoder.presentText(6, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.change {
    case .renameColumn(let part): visitor.visit(part)
    case .addColumn(let part): visitor.visit(part)
    default: break
    }
  }
}

extension ASTAlterTable.RenameColumn: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .delimited): from = try decoder.text(field)
    case (2, .delimited): to = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, from)
    encoder.text(2, to)
    encoder.unknown(unknownFields)
  }
}

extension ASTCreateIndex: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.unique = field.value != 0
    case (2, .varint): box.fields.ifNotExists = field.value != 0
    case (3, .delimited): box.fields.schema = try decoder.text(field)
    case (4, .delimited): box.fields.name = try decoder.text(field)
    case (5, .delimited): box.fields.table = try decoder.text(field)
    case (6, .delimited): try decoder.message(field) { (part: ASTIndexedColumn) in box.fields.columns.append(part) }
    case (7, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.`where` = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.flag(1, box.fields.unique)
    encoder.flag(2, box.fields.ifNotExists)
    encoder.text(3, box.fields.schema)
    encoder.text(4, box.fields.name)
    encoder.text(5, box.fields.table)
    encoder.messages(6, box.fields.columns)
    if let part = box.fields.`where` { encoder.message(7, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.columns { visitor.visit(part) }
    if let part = box.fields.`where` { visitor.visit(part) }
  }
}

extension ASTCreateView: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.temporary = field.value != 0
    case (2, .varint): box.fields.ifNotExists = field.value != 0
    case (3, .delimited): box.fields.schema = try decoder.text(field)
    case (4, .delimited): box.fields.name = try decoder.text(field)
    case (5, .delimited): box.fields.columns.append(try decoder.text(field))
    case (6, .delimited): try decoder.only(field) { (part: ASTStatement) in box.fields.query = part }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.flag(1, box.fields.temporary)
    encoder.flag(2, box.fields.ifNotExists)
    encoder.text(3, box.fields.schema)
    encoder.text(4, box.fields.name)
    encoder.texts(5, box.fields.columns)
    if let part = box.fields.query { encoder.message(6, part) }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.query { visitor.visit(part) }
  }
}

extension ASTCreateTrigger: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.temporary = field.value != 0
    case (2, .varint): box.fields.ifNotExists = field.value != 0
    case (3, .delimited): box.fields.schema = try decoder.text(field)
    case (4, .delimited): box.fields.name = try decoder.text(field)
    case (5, .varint): box.fields.timing = ASTCreateTrigger.Timing(rawValue: decoder.number(field))
    case (6, .varint): box.fields.event = ASTCreateTrigger.Event(rawValue: decoder.number(field))
    case (7, .delimited): box.fields.updateColumns.append(try decoder.text(field))
    case (8, .delimited): box.fields.table = try decoder.text(field)
    case (9, .delimited): try decoder.only(field) { (part: ASTExpression) in box.fields.when = part }
    case (10, .delimited): try decoder.message(field) { (part: ASTStatement) in box.fields.body.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.flag(1, box.fields.temporary)
    encoder.flag(2, box.fields.ifNotExists)
    encoder.text(3, box.fields.schema)
    encoder.text(4, box.fields.name)
    encoder.number(5, UInt64(bitPattern: Int64(box.fields.timing.rawValue)))
    encoder.number(6, UInt64(bitPattern: Int64(box.fields.event.rawValue)))
    encoder.texts(7, box.fields.updateColumns)
    encoder.text(8, box.fields.table)
    if let part = box.fields.when { encoder.message(9, part) }
    encoder.messages(10, box.fields.body)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    if let part = box.fields.when { visitor.visit(part) }
    for part in box.fields.body { visitor.visit(part) }
  }
}

extension ASTCreateVirtualTable: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .varint): box.fields.ifNotExists = field.value != 0
    case (2, .delimited): box.fields.schema = try decoder.text(field)
    case (3, .delimited): box.fields.name = try decoder.text(field)
    case (4, .delimited): box.fields.module = try decoder.text(field)
    case (5, .delimited): try decoder.message(field) { (part: ASTModuleArgument) in box.fields.arguments.append(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.flag(1, box.fields.ifNotExists)
    encoder.text(2, box.fields.schema)
    encoder.text(3, box.fields.name)
    encoder.text(4, box.fields.module)
    encoder.messages(5, box.fields.arguments)
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    for part in box.fields.arguments { visitor.visit(part) }
  }
}

extension ASTModuleArgument: TreeMessage {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    TreeBox.own(&box)
    switch (field.number, field.wireType) {
    case (1, .delimited): try decoder.only(field) { (part: ASTModuleArgument.Column) in box.fields.kind = .column(part) }
    case (2, .delimited): try decoder.only(field) { (part: ASTModuleArgument.Option) in box.fields.kind = .option(part) }
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    switch box.fields.kind {
    case .column(let part): encoder.message(1, part)
    case .option(let part): encoder.message(2, part)
    case nil: break
    }
    encoder.unknown(box.fields.unknownFields)
  }

  func visitParts(_ visitor: inout some TreeVisitor) {
    switch box.fields.kind {
    case .column(let part): visitor.visit(part)
    case .option(let part): visitor.visit(part)
    case nil: break
    }
  }
}

extension ASTModuleArgument.Column: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .delimited): name = try decoder.text(field)
    case (2, .delimited): attributes.append(try decoder.text(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, name)
    encoder.texts(2, attributes)
    encoder.unknown(unknownFields)
  }
}

extension ASTModuleArgument.Option: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .delimited): name = try decoder.text(field)
    case (2, .delimited): value = try decoder.text(field)
    case (3, .delimited): arguments.append(try decoder.text(field))
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.text(1, name)
    encoder.text(2, value)
    encoder.texts(3, arguments)
    encoder.unknown(unknownFields)
  }
}

extension ASTDrop: TreeMessage {
  mutating func read(_ field: WireReader.Field, _ decoder: inout TreeDecoder) throws(RequestError) -> Bool {
    switch (field.number, field.wireType) {
    case (1, .varint): kind = ASTDrop.Kind(rawValue: decoder.number(field))
    case (2, .varint): ifExists = field.value != 0
    case (3, .delimited): schema = try decoder.text(field)
    case (4, .delimited): name = try decoder.text(field)
    default: return false
    }
    return true
  }

  func write(to encoder: inout TreeEncoder) {
    encoder.number(1, UInt64(bitPattern: Int64(kind.rawValue)))
    encoder.flag(2, ifExists)
    encoder.text(3, schema)
    encoder.text(4, name)
    encoder.unknown(unknownFields)
  }
}
