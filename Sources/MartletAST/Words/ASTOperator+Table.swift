/// What each operator is called in SQL, how many operands it takes, and of which kind.
///
/// Always true: every operator of the grammar is in each table, which the compiler checks for the words.
extension ASTOperator {
  enum Operands {
    case values
    /// Row values too, all of one width.
    case rows
    /// A value or a row, and what holds its like.
    case membership
  }

  var sql: StaticString? {
    switch self {
    case .and: "AND"
    case .or: "OR"
    case .concatenate: "||"
    case .add, .plus: "+"
    case .multiply: "*"
    case .subtract, .negate: "-"
    case .divide: "/"
    case .modulo: "%"
    case .bitAnd: "&"
    case .bitOr: "|"
    case .shiftLeft: "<<"
    case .shiftRight: ">>"
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .is: "IS"
    case .isNot: "IS NOT"
    case .glob: "GLOB"
    case .notGlob: "NOT GLOB"
    case .match: "MATCH"
    case .notMatch: "NOT MATCH"
    case .regexp: "REGEXP"
    case .notRegexp: "NOT REGEXP"
    case .jsonExtract: "->"
    case .jsonExtractValue: "->>"
    case .in: "IN"
    case .notIn: "NOT IN"
    case .like: "LIKE"
    case .notLike: "NOT LIKE"
    case .between: "BETWEEN"
    case .notBetween: "NOT BETWEEN"
    case .not: "NOT"
    case .bitNot: "~"
    case .unspecified, .UNRECOGNIZED: nil
    }
  }

  var arity: ClosedRange<Int> {
    switch self {
    case .and, .or, .concatenate, .add, .multiply: 2...Int.max
    case .like, .notLike: 2...3
    case .between, .notBetween: 3...3
    case .not, .negate, .plus, .bitNot: 1...1
    default: 2...2
    }
  }

  var operands: Operands {
    switch self {
    case .in, .notIn: .membership
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot, .between, .notBetween: .rows
    default: .values
    }
  }
}
