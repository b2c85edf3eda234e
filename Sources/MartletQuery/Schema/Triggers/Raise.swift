import MartletAST
import MartletValues

/// As a statement of a trigger's body: `SELECT RAISE(ABORT, 'no')`: for every row, or if a condition holds.
///
/// Always true: the message is a text of the schema, which every client may see.
public struct Raise: Statement, Sendable {
  public typealias QueryValue = Never

  var parts: SelectParts

  public var statementFragment: StatementFragment { StatementFragment(parts) }

  private init(_ fragment: QueryFragment) {
    parts = SelectParts()
    parts.columns = [fragment]
  }

  /// The statement fails, and nothing of it stays. The transaction goes on.
  public static func abort(_ message: String) -> Raise { Raise(fragment(.abort, message)) }
  /// The statement fails; what it had changed before stays.
  public static func fail(_ message: String) -> Raise { Raise(fragment(.fail, message)) }
  /// The statement fails, and the whole transaction is rolled back.
  public static func rollback(_ message: String) -> Raise { Raise(fragment(.rollback, message)) }
  /// This row's change, the rest of this trigger and later triggers for the row do not happen; nothing fails.
  public static func ignore() -> Raise { Raise(fragment(.ignore)) }

  /// Only if all of the conditions hold: `Raise.abort("…").where { new.price < old.price }`.
  public func `where`(@PredicateBuilder _ predicate: () -> [QueryFragment]) -> Raise {
    var result = self
    result.parts.predicates += predicate()
    return result
  }

  // MARK: As an expression

  /// In the place of a value of the type, such as a branch of a `Case`.
  public static func abort<Value>(_ message: String, as type: Value.Type) -> SQLQueryExpression<Value> {
    SQLQueryExpression(fragment(.abort, message))
  }

  /// `RAISE(FAIL, message)` in the place of a value.
  public static func fail<Value>(_ message: String, as type: Value.Type) -> SQLQueryExpression<Value> {
    SQLQueryExpression(fragment(.fail, message))
  }

  /// `RAISE(ROLLBACK, message)` in the place of a value.
  public static func rollback<Value>(_ message: String, as type: Value.Type) -> SQLQueryExpression<Value> {
    SQLQueryExpression(fragment(.rollback, message))
  }

  /// `RAISE(IGNORE)` in the place of a value.
  public static func ignore<Value>(as type: Value.Type) -> SQLQueryExpression<Value> {
    SQLQueryExpression(fragment(.ignore))
  }

  private static func fragment(_ action: ASTRaise.Action, _ message: String = "") -> QueryFragment {
    var raise = ASTRaise()
    raise.action = action
    raise.message = message
    return QueryFragment(.raise(raise))
  }
}
