/// Expressions written by hand: each function makes one node.
///
/// Always true: nothing is checked here; validation says what is wrong with a tree, and where.
extension ASTExpression {
  /// `"name"`
  public static func column(_ name: String) -> ASTExpression {
    make { $0.column.name = name }
  }

  /// `"table"."name"`; `excluded`, `old` and `new` are tables too.
  public static func column(_ table: String, _ name: String, schema: String = "") -> ASTExpression {
    make {
      $0.column.schema = schema
      $0.column.table = table
      $0.column.name = name
    }
  }

  /// `?1`: a bound value, counted from 1.
  public static func parameter(_ index: UInt32) -> ASTExpression {
    make { $0.parameter.index = index }
  }

  /// `(SELECT +"value" FROM "martlet_list"(?1))` at the right of IN: one parameter, whatever the length of its list.
  ///
  /// - Parameter columns: the width of a row, for `("a", "b") IN …`.
  public static func listParameter(_ index: UInt32, columns: UInt32 = 1) -> ASTExpression {
    make { $0.parameter = .list(index, columns: columns) }
  }

  // MARK: Literals

  /// `NULL`
  public static var null: ASTExpression { keyword(.null) }

  /// `TRUE`, `CURRENT_TIMESTAMP` and the like.
  public static func keyword(_ keyword: ASTLiteral.Keyword) -> ASTExpression {
    make { $0.literal.keyword = keyword }
  }

  /// `42`
  public static func literal(_ integer: Int64) -> ASTExpression {
    make { $0.literal.integer = integer }
  }

  /// `1.5`
  public static func literal(_ real: Double) -> ASTExpression {
    make { $0.literal.real = real }
  }

  /// `'it''s'`
  public static func literal(_ text: String) -> ASTExpression {
    make { $0.literal.text = text }
  }

  /// `x'ff00'`
  public static func literal(_ blob: [UInt8]) -> ASTExpression {
    make { $0.literal.blob = blob }
  }

  // MARK: Operators and functions

  /// `("a") = ("b")`, `("a") AND ("b") AND ("c")`, `NOT ("a")`
  public static func call(_ symbol: ASTOperator, _ operands: ASTExpression...) -> ASTExpression {
    call(symbol, operands)
  }

  /// As above, with the operands in an array.
  public static func call(_ symbol: ASTOperator, _ operands: [ASTExpression]) -> ASTExpression {
    make {
      $0.call.operator = symbol
      $0.call.arguments = operands
    }
  }

  /// `lower("a")`, and in the closure `DISTINCT`, `FILTER (WHERE …)`, `OVER (…)`.
  public static func function(
    _ name: String, _ arguments: ASTExpression..., with change: (inout ASTCall) -> Void = { _ in }
  ) -> ASTExpression {
    make {
      $0.call.function = name
      $0.call.arguments = arguments
      change(&$0.call)
    }
  }

  /// `count(*)`
  public static var countAll: ASTExpression {
    make {
      $0.call.function = "count"
      $0.call.star = true
    }
  }

  /// `("a") IN ((1), (2))`
  public static func `in`(_ value: ASTExpression, _ elements: [ASTExpression]) -> ASTExpression {
    call(.in, value, list(elements))
  }

  /// `((1), (2))`: stands only at the right of IN.
  public static func list(_ elements: [ASTExpression]) -> ASTExpression {
    make { $0.list.elements = elements }
  }

  /// `("a", "b")`: a row value.
  public static func tuple(_ elements: ASTExpression...) -> ASTExpression {
    make { $0.tuple.elements = elements }
  }

  // MARK: The rest

  /// `CASE "a" WHEN 1 THEN 'one' ELSE 'many' END`
  public static func `case`(
    on base: ASTExpression? = nil, _ branches: [(when: ASTExpression, then: ASTExpression)],
    else otherwise: ASTExpression? = nil
  ) -> ASTExpression {
    make {
      if let base { $0.case.base = base }
      $0.case.branches = branches.map { when, then in
        var branch = ASTCase.Branch()
        branch.when = when
        branch.then = then
        return branch
      }
      if let otherwise { $0.case.else = otherwise }
    }
  }

  /// `CAST("a" AS TEXT)`
  public static func cast(_ operand: ASTExpression, as type: String) -> ASTExpression {
    make {
      $0.cast.operand = operand
      $0.cast.type = type
    }
  }

  /// `"a" COLLATE "NOCASE"`
  public static func collate(_ operand: ASTExpression, _ collation: String) -> ASTExpression {
    make {
      $0.collate.operand = operand
      $0.collate.collation = collation
    }
  }

  /// `(SELECT …)`
  public static func subquery(_ query: ASTStatement) -> ASTExpression {
    make { $0.subquery = query }
  }

  /// `EXISTS (SELECT …)`
  public static func exists(_ query: ASTStatement) -> ASTExpression {
    make { $0.exists = query }
  }

  /// `RAISE(ABORT, 'message')`, in a trigger's body only.
  public static func raise(_ action: ASTRaise.Action, _ message: String = "") -> ASTExpression {
    make {
      $0.raise.action = action
      $0.raise.message = message
    }
  }

  /// SQL as given, with nodes between its segments.
  public static func raw(_ parts: ASTRaw.Part...) -> ASTExpression {
    make { $0.raw.parts = parts }
  }

  /// The expression of which this is only another spelling, as `CAST` and `COLLATE` are; nil if it is a value of its
  /// own.
  var sameValue: ASTExpression? {
    switch kind {
    case .cast(let cast): cast.operand
    case .collate(let collate): collate.operand
    case .column, .parameter, .literal, .call, .case, .tuple, .list, .subquery, .exists, .raise, .raw, nil: nil
    }
  }

  private static func make(_ change: (inout ASTExpression) -> Void) -> ASTExpression {
    var node = ASTExpression()
    change(&node)
    return node
  }
}

extension ASTParameter {
  /// A list: its rows have as many values as `columns` says.
  public static func list(_ index: UInt32, columns: UInt32 = 1) -> ASTParameter {
    var node = ASTParameter()
    node.index = index
    node.list = true
    node.columns = columns
    return node
  }
}

extension ASTRaw.Part: ExpressibleByStringLiteral {
  /// SQL as given.
  public init(stringLiteral sql: String) {
    self.init()
    self.sql = sql
  }

  /// A node between two segments.
  public static func expression(_ expression: ASTExpression) -> ASTRaw.Part {
    var part = ASTRaw.Part()
    part.expression = expression
    return part
  }

  /// A statement, as it stands.
  public static func statement(_ statement: ASTStatement) -> ASTRaw.Part {
    var part = ASTRaw.Part()
    part.statement = statement
    return part
  }

  /// A name, which the renderer quotes.
  public static func identifier(_ name: String) -> ASTRaw.Part {
    var part = ASTRaw.Part()
    part.identifier = name
    return part
  }
}
