/// Examples of comparisons, memberships, row values, Booleans and CASE.
import MartletQuery

extension MethodTopic {
  static var comparisons: MethodTopic {
    MethodTopic("Comparisons") {
      expression("QueryExpression.eq", makes: "Operator.OPERATOR_EQUAL") { $0.priority.eq(.high) }
      expression("QueryExpression.eq", makes: "Operator.OPERATOR_EQUAL") { $0.position.eq($0.id) }
      expression("QueryExpression.eq", "BindQueryExpression.init", makes: "Operator.OPERATOR_EQUAL") {
        $0.priority.eq(BindQueryExpression(.high))
      }
      expression("QueryExpression.neq", makes: "Operator.OPERATOR_NOT_EQUAL") { $0.title.neq("Milk") }
      expression("QueryExpression.is", makes: "Operator.OPERATOR_IS", "Literal.Keyword.KEYWORD_NULL") {
        $0.dueDate.is(nil)
      }
      expression("QueryExpression.is", makes: "Operator.OPERATOR_IS") { $0.priority.is(.low) }
      expression("QueryExpression.isNot", makes: "Operator.OPERATOR_IS_NOT") { $0.priority.isNot(.low) }
      expression("QueryExpression.isNot", makes: "Operator.OPERATOR_IS_NOT", "Literal.Keyword.KEYWORD_NULL") {
        $0.dueDate.isNot(nil)
      }
      expression("QueryExpression.lt", makes: "Operator.OPERATOR_LESS") { $0.position.lt(10) }
      expression("QueryExpression.lte", makes: "Operator.OPERATOR_LESS_OR_EQUAL") { $0.position.lte(10) }
      expression("QueryExpression.gt", makes: "Operator.OPERATOR_GREATER") { $0.position.gt($0.id) }
      expression("QueryExpression.gte", makes: "Operator.OPERATOR_GREATER_OR_EQUAL") { $0.position.gte(10) }
      expression("QueryExpression.<", makes: "Operator.OPERATOR_LESS") { $0.position < 10 }
      expression("QueryExpression.<=", makes: "Operator.OPERATOR_LESS_OR_EQUAL") { $0.position <= 10 }
      expression("QueryExpression.>", makes: "Operator.OPERATOR_GREATER") { $0.position > 10 }
      expression("QueryExpression.>=", makes: "Operator.OPERATOR_GREATER_OR_EQUAL") { $0.position >= $0.id }
      expression("QueryExpression.between", makes: "Operator.OPERATOR_BETWEEN") { $0.position.between(1, and: 9) }
      expression("QueryExpression.notBetween", makes: "Operator.OPERATOR_NOT_BETWEEN") {
        $0.position.notBetween(1, and: 9)
      }
      expression("ColumnGroup.is", makes: "Operator.OPERATOR_IS_NOT", of: Attachment.self) { $0.kind.is(\.note) }
      expression("ColumnGroup.isNot", makes: "Operator.OPERATOR_NOT", of: Attachment.self) { $0.kind.isNot(\.note) }
    }
  }

  static var memberships: MethodTopic {
    MethodTopic("Lists, ranges and subqueries") {
      expression("QueryExpression.in", makes: "Operator.OPERATOR_IN", "Parameter.list") { $0.id.in([1, 2, 3]) }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_NOT_IN") { $0.id.notIn([1, 2, 3]) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_IN", "Parameter.list") { $0.priority.in([.low, nil]) }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_NOT_IN") { $0.priority.notIn([.low, nil]) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_IN") { $0.id.in([$0.remindersListID, $0.position]) }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_NOT_IN") {
        $0.id.notIn([$0.remindersListID, $0.position])
      }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_BETWEEN") { $0.position.in(1...9) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_AND") { $0.position.in(10..<100) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_GREATER_OR_EQUAL") { $0.position.in(10...) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_LESS_OR_EQUAL") { $0.position.in(...10) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_LESS") { $0.position.in(..<10) }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_NOT_BETWEEN") { $0.position.notIn(1...9) }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_NOT") { $0.position.notIn(10..<100) }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_LESS") { $0.position.notIn(10...) }
      expression("QueryExpression.in", makes: "Operator.OPERATOR_IN", "Expression.subquery") {
        $0.remindersListID.in(RemindersList.select(\.id))
      }
      expression("QueryExpression.notIn", makes: "Operator.OPERATOR_NOT_IN", "Expression.subquery") {
        $0.remindersListID.notIn(RemindersList.select(\.id))
      }
      expression("Sequence.contains", makes: "Operator.OPERATOR_IN") { [1, 2, 3].contains($0.id) }
      expression("Range.contains", makes: "Operator.OPERATOR_AND") { (10..<100).contains($0.position) }
      expression("ClosedRange.contains", makes: "Operator.OPERATOR_BETWEEN") { (1...9).contains($0.position) }
      expression("PartialRangeFrom.contains", makes: "Operator.OPERATOR_GREATER_OR_EQUAL") {
        (10...).contains($0.position)
      }
      expression("PartialRangeThrough.contains", makes: "Operator.OPERATOR_LESS_OR_EQUAL") {
        (...10).contains($0.position)
      }
      expression("PartialRangeUpTo.contains", makes: "Operator.OPERATOR_LESS") { (..<10).contains($0.position) }
      expression("SelectStatement.contains", makes: "Operator.OPERATOR_IN") {
        RemindersList.select(\.id).contains($0.remindersListID)
      }
      expression("SelectStatement.contains", makes: "Operator.OPERATOR_IN") { _ in
        RemindersList.select(\.title).contains("Home")
      }
      expression("WholeQuery.contains", makes: "Operator.OPERATOR_IN") {
        RemindersList.select(\.id).union(Note.select(\.id)).contains($0.remindersListID)
      }
      expression("WholeQuery.contains", makes: "Operator.OPERATOR_IN") { _ in
        RemindersList.select(\.title).union(Reminder.select(\.title)).contains("Home")
      }
      expression("Statement.exists", makes: "Expression.exists") { RemindersList.find($0.remindersListID).exists() }
      expression("Table.exists", makes: "Expression.exists") { _ in RemindersList.exists() }
    }
  }

  static var rowValues: MethodTopic {
    MethodTopic("Row values") {
      expression("RowValue.init", "RowValue.eq", makes: "Expression.tuple", "Operator.OPERATOR_EQUAL") {
        RowValue($0.remindersListID, $0.id).eq((1, 2))
      }
      expression("RowValue.neq", makes: "Operator.OPERATOR_NOT_EQUAL") {
        RowValue($0.remindersListID, $0.id).neq(RowValue($0.id, $0.position))
      }
      expression("RowValue.is", makes: "Operator.OPERATOR_IS") { RowValue($0.remindersListID, $0.id).is((1, 2)) }
      expression("RowValue.isNot", makes: "Operator.OPERATOR_IS_NOT") {
        RowValue($0.remindersListID, $0.id).isNot((1, 2))
      }
      expression("RowValue.<", makes: "Operator.OPERATOR_LESS") { RowValue($0.remindersListID, $0.id) < (1, 2) }
      expression("RowValue.<=", makes: "Operator.OPERATOR_LESS_OR_EQUAL") {
        RowValue($0.remindersListID, $0.id) <= (1, 2)
      }
      expression("RowValue.>", makes: "Operator.OPERATOR_GREATER") { RowValue($0.remindersListID, $0.id) > (1, 2) }
      expression("RowValue.>=", makes: "Operator.OPERATOR_GREATER_OR_EQUAL") {
        RowValue($0.remindersListID, $0.id) >= (1, 2)
      }
      expression("RowValue.in", makes: "Operator.OPERATOR_IN", "Parameter.columns") {
        RowValue($0.remindersListID, $0.id).in([(1, 2), (2, 3)])
      }
      expression("RowValue.notIn", makes: "Operator.OPERATOR_NOT_IN") {
        RowValue($0.remindersListID, $0.id).notIn([(1, 2), (2, 3)])
      }
    }
  }

  static var booleans: MethodTopic {
    MethodTopic("Conditions") {
      expression("QueryExpression.&&", makes: "Operator.OPERATOR_AND") { $0.isCompleted && $0.priority.eq(.low) }
      expression("QueryExpression.||", makes: "Operator.OPERATOR_OR") { $0.isCompleted || $0.dueDate.is(nil) }
      expression("QueryExpression.!", makes: "Operator.OPERATOR_NOT") { !$0.isCompleted }
      expression("QueryExpression.and", makes: "Operator.OPERATOR_AND") { $0.isCompleted.and($0.priority.eq(.low)) }
      expression("QueryExpression.or", makes: "Operator.OPERATOR_OR") { $0.isCompleted.or($0.dueDate.is(nil)) }
      expression("QueryExpression.not", makes: "Operator.OPERATOR_NOT") { $0.isCompleted.not() }
      expression("QueryExpression.isTrue", makes: "Operator.OPERATOR_IS", "Literal.Keyword.KEYWORD_TRUE") {
        $0.isCompleted.isTrue()
      }
      expression("QueryExpression.isNotTrue", makes: "Operator.OPERATOR_IS_NOT") { $0.dueDate.gt(.now).isNotTrue() }
      expression("QueryExpression.isFalse", makes: "Operator.OPERATOR_IS", "Literal.Keyword.KEYWORD_FALSE") {
        $0.isCompleted.isFalse()
      }
      expression("QueryExpression.isNotFalse", makes: "Operator.OPERATOR_IS_NOT") { $0.dueDate.gt(.now).isNotFalse() }
      expression("SQLQueryExpression.&&", makes: "Operator.OPERATOR_AND") { $0.position > 1 && $0.position < 9 }
      expression("SQLQueryExpression.||", makes: "Operator.OPERATOR_OR") { $0.position < 1 || $0.position > 9 }
      expression("SQLQueryExpression.!", makes: "Operator.OPERATOR_NOT") { !$0.title.like("a%") }
      expression("QueryExpression.likely", makes: "likely()") { $0.isCompleted.likely() }
      expression("QueryExpression.unlikely", makes: "unlikely()") { $0.isCompleted.unlikely() }
      expression("QueryExpression.likelihood", makes: "likelihood()", "Literal.real") {
        $0.isCompleted.likelihood(0.25)
      }
    }
  }

  static var cases: MethodTopic {
    MethodTopic("CASE") {
      expression("Case.init", "Case.when", makes: "Case.base", "Case.branches") {
        Case($0.priority).when(.high, then: "!")
      }
      expression("CaseBranches.when", "CaseBranches.else", makes: "Case.base", "Case.else") {
        Case($0.priority).when(.high, then: "!!").when(.medium, then: "!").else("")
      }
      expression("Case.init", "CaseBranches.else", makes: "Case.branches", "Case.else") {
        Case().when($0.isCompleted, then: 0).else($0.position)
      }
    }
  }
}
