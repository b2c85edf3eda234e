/// Examples of arithmetic, bits, functions of numbers, NULL and types.
import MartletQuery

extension MethodTopic {
  static var arithmetic: MethodTopic {
    MethodTopic("Arithmetic and bits") {
      expression("QueryExpression.+", makes: "Operator.OPERATOR_ADD") { $0.position + 1 }
      expression("QueryExpression.+", makes: "Operator.OPERATOR_PLUS") { +$0.position }
      expression("ComputedExpression.+", makes: "Operator.OPERATOR_ADD") { 1 + $0.position }
      expression("ComputedExpression.+", makes: "Operator.OPERATOR_CONCATENATE") { "!" + $0.title }
      expression("ComputedExpression.-", makes: "Operator.OPERATOR_SUBTRACT") { 1 - $0.position }
      expression("ComputedExpression.*", makes: "Operator.OPERATOR_MULTIPLY") { 2 * $0.position }
      expression("ComputedExpression./", makes: "Operator.OPERATOR_DIVIDE") { 100 / $0.position }
      expression("SQLQueryExpression.+", makes: "Operator.OPERATOR_ADD") { $0.position * 2 + $0.id * 3 }
      expression("SQLQueryExpression.-", makes: "Operator.OPERATOR_SUBTRACT") { $0.position * 2 - $0.id * 3 }
      expression("SQLQueryExpression.*", makes: "Operator.OPERATOR_MULTIPLY") { ($0.position + 1) * ($0.id + 1) }
      expression("QueryExpression.-", makes: "Operator.OPERATOR_SUBTRACT") { $0.position - $0.id }
      expression("QueryExpression.-", makes: "Operator.OPERATOR_NEGATE") { -$0.position }
      expression("QueryExpression.*", makes: "Operator.OPERATOR_MULTIPLY") { $0.position * 2 }
      expression("QueryExpression./", makes: "Operator.OPERATOR_DIVIDE") { $0.position / 2 }
      expression("QueryExpression.%", makes: "Operator.OPERATOR_MODULO") { $0.position % 2 }
      expression("QueryExpression.&", makes: "Operator.OPERATOR_BIT_AND") { $0.position & 1 }
      expression("QueryExpression.|", makes: "Operator.OPERATOR_BIT_OR") { $0.position | 1 }
      expression("QueryExpression.^", makes: "Operator.OPERATOR_SUBTRACT", "Operator.OPERATOR_BIT_OR") {
        $0.position ^ 1
      }
      expression("QueryExpression.^", makes: "Operator.OPERATOR_SUBTRACT", "Operator.OPERATOR_BIT_AND") {
        $0.position ^ $0.id
      }
      expression("QueryExpression.~", makes: "Operator.OPERATOR_BIT_NOT") { ~$0.position }
      expression("QueryExpression.<<", makes: "Operator.OPERATOR_SHIFT_LEFT") { $0.position << 1 }
      expression("QueryExpression.>>", makes: "Operator.OPERATOR_SHIFT_RIGHT") { $0.position >> 1 }
    }
  }

  static var numbers: MethodTopic {
    MethodTopic("Functions of numbers") {
      expression("QueryExpression.abs", makes: "abs()") { $0.position.abs() }
      expression("QueryExpression.sign", makes: "sign()") { $0.position.sign() }
      expression("QueryExpression.round", makes: "round()", of: Offer.self) { $0.price.round(2) }
      expression("QueryExpression.round", makes: "round()", of: Offer.self) { $0.price.round() }
      expression("random", makes: "random()") { _ in random() }
      expression("QueryExpression.randomblob", makes: "randomblob()") { _ in 16.randomblob() }
      expression("QueryExpression.zeroblob", makes: "zeroblob()") { _ in 16.zeroblob() }
    }
  }

  static var nulls: MethodTopic {
    MethodTopic("NULL") {
      expression("QueryExpression.??", makes: "coalesce()") { $0.priority ?? .low }
      expression("TableColumn.??", makes: "coalesce()", of: Document.self) { $0.seenAt ?? $0.seenAt }
      expression("SQLQueryExpression.??", makes: "coalesce()") { $0.title.nullif("") ?? $0.title.nullif("-") ?? "?" }
      expression("AggregateExpression.??", makes: "coalesce()") { $0.position.max() ?? $0.id.max() }
      expression("QueryExpression.ifnull", makes: "ifnull()") { $0.priority.ifnull(.low) }
      expression("QueryExpression.nullif", makes: "nullif()") { $0.title.nullif("") }
      expression("ComputedExpression.map", makes: "Expression.case", "Operator.OPERATOR_IS") {
        $0.dueDate.map { $0.date + "!" }
      }
      expression("ComputedExpression.flatMap", makes: "Expression.case", "nullif()", of: Document.self) {
        $0.author[\.name].flatMap { $0.nullif("") }
      }
      expression("ComputedExpression.asOptional", makes: "Expression.column") { $0.title.asOptional() }
      expression("ColumnGroup.asOptional", makes: "Expression.column", of: Attachment.self) { $0.kind.asOptional() }
      expression("QueryExpression.map", makes: "Expression.case", "Operator.OPERATOR_ADD") {
        let position: some QueryExpression<Int?> = $0.position.asOptional()
        return position.map { $0 + 1 }
      }
      expression("QueryExpression.flatMap", makes: "Expression.case", "nullif()") {
        let position: some QueryExpression<Int?> = $0.position.asOptional()
        return position.flatMap { $0.nullif(1) }
      }
      expression("AggregateExpression.flatMap", makes: "Expression.case", "max()", "nullif()") {
        $0.position.max().flatMap { $0.nullif(1) }
      }
      expression("AggregateExpression.map", makes: "Expression.case", "max()") { $0.position.max().map { $0 + 1 } }
      example("OptionalColumns.map", makes: "Expression.case", "Operator.OPERATOR_IS_NOT") {
        Reminder.leftJoin(Note.all) { $0.id.eq($1.id) }.select { _, note in note.map { $0.id + 1 } }
      }
      expression("ColumnGroup.map", makes: "Expression.case", "json_array()", of: Offer.self) {
        $0.times.map { QueryFunction("json_array", $0, as: String.self) }
      }
    }
  }

  static var types: MethodTopic {
    MethodTopic("Types, functions by name and raw SQL") {
      expression("QueryExpression.cast", makes: "Expression.cast") { $0.position.cast(as: String.self) }
      expression("QueryExpression.typeof", makes: "typeof()") { $0.priority.typeof() }
      expression("QueryExpression.quote", makes: "quote()") { $0.title.quote() }
      expression("QueryExpression.hex", makes: "hex()") { $0.title.hex() }
      expression("QueryFunction.init", makes: "printf()") { QueryFunction("printf", "%04d", $0.id, as: String.self) }
      expression("AggregateFunctionExpression.init", makes: "sum()", "Call.distinct") {
        AggregateFunctionExpression("sum", distinct: true, $0.position, as: Int?.self)
      }
      expression("SQLQueryExpression.init", makes: "iif()") {
        SQLQueryExpression<Int>(function: "iif", [$0.isCompleted.queryFragment, "1", "0"])
      }
      expression("SQLQueryExpression.init", makes: "total()", "Call.filter") {
        SQLQueryExpression<Double>(aggregate: "total", [$0.id.queryFragment], filter: $0.isCompleted.queryFragment)
      }
      expression("SQLQueryExpression.init", "StringInterpolation.appendInterpolation", makes: "Expression.raw") {
        SQLQueryExpression("\($0.id) + \(bind: 1)", as: Int.self)
      }
      expression("StringInterpolation.appendInterpolation", makes: "Raw.Part.statement") {
        SQLQueryExpression("\($0.id) + (\(Note.count()))", as: Int.self)
      }
      example("StringInterpolation.appendInterpolation", makes: "Statement.raw", "Raw.Part.identifier") {
        SQLQueryExpression("SELECT \(quote: "id") FROM \(Reminder.self) LIMIT \(raw: 10)", as: Int.self)
      }
    }
  }
}
