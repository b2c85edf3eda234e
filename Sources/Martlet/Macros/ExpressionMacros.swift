public import MartletQuery

/// SQL as it is written, with values, columns, tables and statements between its texts.
///
/// `\(x)` binds a value, or stands for a column, a table or a query; only `\(raw:)` becomes SQL itself.
///
/// ```swift
/// Reminder.where { $0.id > 2 && #sql("length(\($0.title)) < \(limit)") }
/// ```
@freestanding(expression)
public macro sql<QueryValue>(
  _ queryFragment: QueryFragment, as type: QueryValue.Type = QueryValue.self
) -> SQLQueryExpression<QueryValue> = #externalMacro(module: "MartletMacros", type: "SQLMacro")

/// A statement that returns no rows, such as `CREATE TABLE`.
@freestanding(expression)
public macro sql(_ queryFragment: QueryFragment) -> SQLQueryExpression<Void> =
  #externalMacro(module: "MartletMacros", type: "SQLMacro")

/// A value as an expression: `Case($0.status).when(#bind(.open), then: #bind(.closed))`.
@freestanding(expression)
public macro bind<QueryValue: QueryBindable>(
  _ value: QueryValue.QueryOutput, as type: QueryValue.Type = QueryValue.self
) -> BindQueryExpression<QueryValue> = #externalMacro(module: "MartletMacros", type: "BindMacro")

/// Makes a Swift function one of SQL: `$name(…)` calls it in a query, once `db.add(function: $name)` has registered
/// it.
///
/// A parameter `some Sequence<T>` makes it an aggregate. A table as a parameter takes a whole row.
///
/// - Parameters:
///   - name: What SQL calls it; without it the function's name.
///   - isDeterministic: The same arguments always give the same value.
@attached(peer, names: prefixed(`$`), prefixed(_$))
public macro DatabaseFunction(_ name: String? = nil, isDeterministic: Bool = false) =
  #externalMacro(module: "MartletMacros", type: "DatabaseFunctionMacro")

/// The same with representations of the arguments and the result:
/// `as: (([String].JSONRepresentation) -> Bool).self`.
@attached(peer, names: prefixed(`$`), prefixed(_$))
public macro DatabaseFunction<each Argument, Result>(
  _ name: String? = nil, as type: ((repeat each Argument) -> Result).Type, isDeterministic: Bool = false
) = #externalMacro(module: "MartletMacros", type: "DatabaseFunctionMacro")
