internal import MartletAST
internal import MartletValues

/// One part of a statement: what an expression is made of.
///
/// Always true: it never changes, so it may stand in any number of statements; values stand in it themselves, and get
/// their numbers when a statement is written. It prints in the spelling of SQLite.swift, and becomes a node of the
/// grammar where it runs.
@usableFromInline
final class Node: Sendable {
  enum Kind: Sendable {
    /// `"name"`, `"table"."name"`, `"schema"."table"."name"`.
    case column(schema: String, table: String, name: String)
    /// `*`, or `"table".*`.
    case star(table: Node?)
    /// A bound value.
    case value(SQLValue)
    /// `(left OP right)`; without parentheses if `isWrapped` is false.
    case infix(Infix, Node, Node, isWrapped: Bool)
    /// `(a AND b AND c)`, of an operator whose grammar takes any number of operands; at least one.
    case chain(Infix, [Node])
    /// `NOT (x)`, `-(x)`.
    case prefix(Prefix, Node)
    /// `x BETWEEN low AND high`.
    case between(Node, Node, Node)
    /// `(x LIKE pattern ESCAPE escape)`.
    case like(Node, Node, escape: Node)
    /// `(x IN (a, b))`.
    case contains(Node, [Node])
    /// `(x IN (SELECT …))`.
    case containsQuery(Node, any PrintedStatement)
    /// `name(a, b)`.
    case function(FunctionNode)
    /// `DISTINCT x`, as an aggregate's argument.
    case distinct(Node)
    /// `CAST (x AS TYPE)`.
    case cast(Node, type: String)
    /// `(x COLLATE NOCASE)`.
    case collate(Node, Collation)
    /// `x DESC`, as a term of ORDER BY.
    case ordered(Node, isDescending: Bool)
    /// `x AS "name"`, as a result column.
    case alias(Node, name: String)
    /// `(SELECT …)`.
    case subquery(any PrintedStatement)
    /// `EXISTS (SELECT …)`.
    case exists(any PrintedStatement)
    /// A whole statement.
    case statement(any PrintedStatement)
    /// SQL of the program, whose question marks are the values.
    case raw(String, [SQLValue])
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  static func column(_ name: String) -> Node { Node(.column(schema: "", table: "", name: name)) }

  static let null = Node(.value(.null))
  static let star = Node(.star(table: nil))

  /// `(left OP right)`.
  static func infix(_ symbol: Infix, _ left: Node, _ right: Node) -> Node {
    Node(.infix(symbol, left, right, isWrapped: true))
  }

  static func function(_ name: String, _ arguments: Node...) -> Node {
    Node(.function(FunctionNode(name: name, arguments: arguments)))
  }

  var columnName: String? { if case .column(_, _, let name) = kind { name } else { nil } }
}

/// An operator between two operands: how it is printed, and what it is in the grammar.
struct Infix: Sendable, Equatable {
  let text: String
  let symbol: ASTOperator
  /// The grammar takes any number of operands.
  var isChain = false
}

/// An operator before an operand.
struct Prefix: Sendable, Equatable {
  let text: String
  let symbol: ASTOperator

  static let not = Prefix(text: "NOT ", symbol: .not)
  static let negate = Prefix(text: "-", symbol: .negate)
  static let bitNot = Prefix(text: "~", symbol: .bitNot)
}

extension Infix {
  static let and = Infix(text: "AND", symbol: .and, isChain: true)
  static let or = Infix(text: "OR", symbol: .or, isChain: true)
  static let concatenate = Infix(text: "||", symbol: .concatenate, isChain: true)
  static let add = Infix(text: "+", symbol: .add, isChain: true)
  static let subtract = Infix(text: "-", symbol: .subtract)
  static let multiply = Infix(text: "*", symbol: .multiply, isChain: true)
  static let divide = Infix(text: "/", symbol: .divide)
  static let modulo = Infix(text: "%", symbol: .modulo)
  static let shiftLeft = Infix(text: "<<", symbol: .shiftLeft)
  static let shiftRight = Infix(text: ">>", symbol: .shiftRight)
  static let bitAnd = Infix(text: "&", symbol: .bitAnd)
  static let bitOr = Infix(text: "|", symbol: .bitOr)
  static let equal = Infix(text: "=", symbol: .equal)
  static let notEqual = Infix(text: "!=", symbol: .notEqual)
  static let `is` = Infix(text: "IS", symbol: .is)
  static let isNot = Infix(text: "IS NOT", symbol: .isNot)
  static let less = Infix(text: "<", symbol: .less)
  static let lessOrEqual = Infix(text: "<=", symbol: .lessOrEqual)
  static let greater = Infix(text: ">", symbol: .greater)
  static let greaterOrEqual = Infix(text: ">=", symbol: .greaterOrEqual)
  static let like = Infix(text: "LIKE", symbol: .like)
  static let glob = Infix(text: "GLOB", symbol: .glob)
  static let match = Infix(text: "MATCH", symbol: .match)
  static let regexp = Infix(text: "REGEXP", symbol: .regexp)
}

/// A call of a function, with what may stand behind its parentheses.
struct FunctionNode: Sendable {
  var name: String
  var arguments: [Node] = []
  /// The name stands in quotes, as that of a function of the program does.
  var isQuoted = false
  var isStar = false
  var filter: Node?
  var over: WindowNode?
}

/// What stands in the parentheses of OVER.
struct WindowNode: Sendable {
  var partition: [Node] = []
  var order: [Node] = []
  var frame: FrameNode?
}

/// Which rows of its partition a window function sees.
struct FrameNode: Sendable {
  var unit: ASTFrame.Unit
  var start: (kind: ASTFrameBound.Kind, offset: Int)
  var end: (kind: ASTFrameBound.Kind, offset: Int)
}

/// A statement that stands alone or inside of others.
protocol PrintedStatement: Sendable {
  func print(to printer: inout SQLPrinter)
  func tree(_ values: inout TreeValues) -> ASTStatement
}
