/// Examples of dates: now, steps and parts.
import MartletQuery

extension MethodTopic {
  static var dates: MethodTopic {
    MethodTopic("Dates") {
      expression("QueryExpression.now", makes: "strftime()", "Operator.OPERATOR_LESS") { $0.dueDate < .now(.days(-7)) }
      expression("QueryExpression.now", makes: "unixepoch()", of: Document.self) { $0.postedAt < .now(.days(-7)) }
      expression("QueryExpression.now", makes: "julianday()", of: Document.self) { $0.seenAt < .now(.days(-7)) }
      example("SQLQueryExpression.now", makes: "strftime()", "Statement.update") {
        Reminder.find(1).update { $0.dueDate = .now }
      }
      example("SQLQueryExpression.now", makes: "julianday()", "Statement.update") {
        Document.find(1).update { $0.seenAt = .now }
      }
      expression("QueryExpression.callAsFunction", "DateModifiers.days", makes: "strftime()") { $0.dueDate(.days(7)) }
      expression("DateModifiers.years", makes: "strftime()") { $0.dueDate(.years(1)) }
      expression("DateModifiers.months", makes: "strftime()") { $0.dueDate(.months(-1)) }
      expression("MonthOverflow.ceiling", makes: "strftime()") { $0.dueDate(.months(1, .ceiling)) }
      expression("MonthOverflow.floor", makes: "strftime()", needs: "3.46") { $0.dueDate(.months(1, .floor)) }
      expression("DateModifiers.hours", makes: "strftime()") { $0.dueDate(.hours(12)) }
      expression("DateModifiers.minutes", makes: "strftime()") { $0.dueDate(.minutes(30)) }
      expression("DateModifiers.seconds", makes: "strftime()") { $0.dueDate(.seconds(1.5)) }
      expression("DateModifiers.milliseconds", makes: "strftime()") { $0.dueDate(.milliseconds(250)) }
      expression("DateModifiers.startOfDay", makes: "strftime()") { $0.dueDate(.startOfDay) }
      expression("DateModifiers.startOfMonth", makes: "unixepoch()", of: Document.self) {
        $0.postedAt(.startOfMonth.months(1).days(-1))
      }
      expression("DateModifiers.startOfYear", makes: "julianday()", of: Document.self) { $0.seenAt(.startOfYear) }
      expression("DateModifiers.weekday", makes: "strftime()") { $0.dueDate(.weekday(0)) }
      expression("DateModifiers.init", makes: "strftime()") { $0.dueDate(DateModifiers().days($0.position)) }
      expression("QueryExpression.modified", makes: "strftime()") { $0.dueDate.modified("start of month", "+1 month") }
    }
  }

  static var dateParts: MethodTopic {
    MethodTopic("Parts of dates") {
      expression("QueryExpression.year", makes: "strftime()", "Expression.cast") { $0.dueDate.year }
      expression("QueryExpression.month", makes: "strftime()") { $0.dueDate.month }
      expression("QueryExpression.day", makes: "strftime()") { $0.dueDate.day }
      expression("QueryExpression.hour", makes: "strftime()") { $0.dueDate.hour }
      expression("QueryExpression.minute", makes: "strftime()") { $0.dueDate.minute }
      expression("QueryExpression.second", makes: "strftime()") { $0.dueDate.second }
      expression("QueryExpression.fractionalSecond", makes: "strftime()") { $0.dueDate.fractionalSecond }
      expression("QueryExpression.weekday", makes: "strftime()") { $0.dueDate.weekday }
      expression("QueryExpression.dayOfYear", makes: "strftime()") { $0.dueDate.dayOfYear }
      expression("QueryExpression.unixTime", makes: "unixepoch()") { $0.dueDate.unixTime }
      expression("QueryExpression.julianDay", makes: "julianday()") { $0.dueDate.julianDay }
      expression("QueryExpression.date", makes: "date()") { $0.dueDate.date }
      expression("QueryExpression.time", makes: "time()") { $0.dueDate.time }
      expression("QueryExpression.datetime", makes: "datetime()", of: Document.self) { $0.postedAt.datetime }
      expression("QueryExpression.strftime", makes: "strftime()") { $0.dueDate.strftime("%Y-%m") }
    }
  }
}
