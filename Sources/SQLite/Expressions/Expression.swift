internal import MartletValues

/// A typed part of a statement: a column, a value, or what operators and functions make of them.
///
/// ```swift
/// let id = Expression<Int64>("id")
/// let name = Expression<String?>("name")
/// id == 1 && name != nil  // (("id" = 1) AND ("name" IS NOT NULL))
/// ```
///
/// Always true: it is a tree and no text; a value in it never becomes part of the SQL that runs.
public struct Expression<Datatype>: ExpressionType, Sendable {
  public typealias UnderlyingType = Datatype

  @usableFromInline let node: Node

  init(_ node: Node) { self.node = node }

  /// SQL of the program's own, whose question marks stand for `bindings`. A user's text belongs in `bindings`.
  public init(_ template: String, _ bindings: [(any Binding)?]) {
    node = Node(.raw(template, bindings.map { SQLValue($0) }))
  }

  public var template: String { node.printed.text }
  public var bindings: [(any Binding)?] { node.printed.bindings.map(\.binding) }
  public var expression: Expression<Void> { Expression<Void>(node) }
}

/// What can stand in a statement: expressions, queries, values.
public protocol Expressible {
  /// The expression without its type.
  var expression: Expression<Void> { get }
}

extension Expressible {
  var node: Node { expression.node }

  /// The SQL with the values in their places, for people. What runs has the values beside it.
  public func asSQL() -> String { node.sql }
}

/// An expression, a query or a write: SQL with values beside it.
public protocol ExpressionType: Expressible, CustomStringConvertible {
  /// The type of the expression's value; `Void` for what has no value.
  associatedtype UnderlyingType = Void

  /// The SQL with question marks for `bindings`.
  var template: String { get }
  /// The values for the question marks of `template`, in their order.
  var bindings: [(any Binding)?] { get }

  /// SQL of the program's own, whose question marks stand for `bindings`.
  init(_ template: String, _ bindings: [(any Binding)?])
}

extension ExpressionType {
  /// SQL of the program's own, as it stands.
  public init(literal: String) { self.init(literal, []) }

  /// The column of this name, which is quoted.
  public init(_ identifier: String) {
    if let column = Expression<UnderlyingType>(Node.column(identifier)) as? Self {
      self = column
    } else {
      self.init(identifier.quoted(), [])
    }
  }

  /// The same expression, of another type.
  public init<Other: ExpressionType>(_ expression: Other) {
    if let same = Expression<UnderlyingType>(expression.node) as? Self {
      self = same
    } else {
      self.init(expression.template, expression.bindings)
    }
  }

  /// The SQL with the values in their places.
  public var description: String { asSQL() }
}

extension ExpressionType where UnderlyingType: Value {
  /// A value, which the statement binds.
  public init(value: UnderlyingType) {
    if let expression = Expression<UnderlyingType>(value.node) as? Self {
      self = expression
    } else {
      self.init("?", [value.datatypeValue])
    }
  }
}

extension ExpressionType where UnderlyingType: _OptionalType, UnderlyingType.WrappedType: Value {
  /// NULL.
  public static var null: Self { self.init(value: nil) }

  /// A value, or NULL, which the statement binds.
  public init(value: UnderlyingType.WrappedType?) {
    if let expression = Expression<UnderlyingType>(Node(.value(value?._stored.value ?? .null))) as? Self {
      self = expression
    } else {
      self.init("?", [value?.datatypeValue])
    }
  }
}

extension Expressible {
  /// `x ASC`, as a term of `order`.
  public var asc: any Expressible { Expression<Void>(Node(.ordered(node, isDescending: false))) }

  /// `x DESC`, as a term of `order`.
  public var desc: any Expressible { Expression<Void>(Node(.ordered(node, isDescending: true))) }
}

extension ExpressionType {
  /// `x AS "name"`, as a column of a result.
  public func alias(_ name: String) -> Expression<UnderlyingType> { Expression(Node(.alias(node, name: name))) }
}

/// `*`, as in `count(*)`, `users[*]` and `select(*)`.
public typealias Star = (Expression<any Binding>?, Expression<any Binding>?) -> Expression<Void>

/// `*` of two expressions that are not there: every column.
public func * (_: Expression<any Binding>?, _: Expression<any Binding>?) -> Expression<Void> { Expression(Node.star) }

/// The number of a row, if its table has one.
public let rowid = Expression<Int64>("ROWID")
