/// Examples of aggregates and window functions.
import MartletQuery

extension MethodTopic {
  static var aggregates: MethodTopic {
    MethodTopic("Aggregates") {
      expression("TableDefinition.count", makes: "count()", "Call.star", of: Note.self) { $0.count() }
      expression("PrimaryKeyedTableDefinition.count", makes: "count()", "Call.filter") {
        $0.count(filter: $0.isCompleted)
      }
      expression("QueryExpression.count", makes: "count()", "Call.distinct") { $0.title.count(distinct: true) }
      expression("QueryExpression.min", makes: "min()") { $0.position.min() }
      expression("QueryExpression.max", makes: "max()") { $0.dueDate.max() }
      expression("QueryExpression.sum", makes: "sum()", "Call.filter") {
        $0.position.sum(filter: $0.isCompleted)
      }
      expression("QueryExpression.avg", makes: "avg()") { $0.position.avg() }
      expression("QueryExpression.total", makes: "total()") { $0.position.total() }
      expression("QueryExpression.groupConcat", makes: "group_concat()") { $0.title.groupConcat() }
      expression("QueryExpression.groupConcat", makes: "group_concat()", "Call.order_by") {
        $0.title.groupConcat(", ", order: $0.position.desc())
      }
      expression("QueryExpression.groupConcat", makes: "group_concat()", "json_group_array()", "Call.distinct") {
        $0.title.groupConcat(distinct: true, separator: "; ")
      }
      example("Table.count", makes: "count()", "Call.star") { Reminder.count() }
      example("Table.count", makes: "count()", "Call.filter") { Reminder.count { $0.isCompleted } }
      example("SelectStatement.count", makes: "count()", "Call.filter") {
        Reminder.where(\.isCompleted).count { $0.priority.is(nil) }
      }
      example("SelectStatement.count", makes: "count()", "TableSource.subquery") {
        Reminder.select(\.remindersListID).distinct().count()
      }
    }
  }

  static var windows: MethodTopic {
    MethodTopic("Window functions") {
      expression("rowNumber", "SQLQueryExpression.over", "Window.order", makes: "row_number()", "Over.window") {
        rowNumber().over(.order(by: $0.position.desc()))
      }
      expression("rank", "Window.partition", makes: "rank()", "Window.partition_by") {
        rank().over(.partition(by: $0.remindersListID).order(by: $0.position))
      }
      expression("denseRank", makes: "dense_rank()") { denseRank().over(.order(by: $0.position)) }
      expression("percentRank", makes: "percent_rank()") { percentRank().over(.order(by: $0.position)) }
      expression("cumeDist", makes: "cume_dist()") { cumeDist().over(.order(by: $0.position)) }
      expression("ntile", makes: "ntile()") { ntile(4).over(.order(by: $0.position)) }
      expression("QueryExpression.lag", makes: "lag()") { $0.title.lag().over(.order(by: $0.id)) }
      expression("QueryExpression.lead", makes: "lead()") { $0.title.lead(2, default: "").over(.order(by: $0.id)) }
      expression("QueryExpression.firstValue", makes: "first_value()") {
        $0.title.firstValue().over(.order(by: $0.id))
      }
      expression("QueryExpression.lastValue", makes: "last_value()") { $0.title.lastValue().over(.order(by: $0.id)) }
      expression("QueryExpression.nthValue", makes: "nth_value()") { $0.title.nthValue(2).over(.order(by: $0.id)) }
      expression("AggregateExpression.over", "Window.init", makes: "sum()", "Over.window") {
        $0.position.sum().over(Window())
      }
      example("SelectStatement.window", "AggregateExpression.over", makes: "Select.windows", "Over.name") {
        Reminder.select { $0.position.sum().over("lists") }.window("lists") { .partition(by: $0.remindersListID) }
      }
    }
  }

  static var frames: MethodTopic {
    MethodTopic("Frames of windows") {
      expression("Window.rows", "FrameBound.preceding", "FrameBound.currentRow", makes: "Frame.Unit.UNIT_ROWS") {
        $0.position.sum().over(Window.order(by: $0.id).rows(.preceding(2), .currentRow))
      }
      expression(
        "FrameExclusion.currentRow", "FrameBound.unboundedPreceding", makes: "Frame.Exclusion.EXCLUSION_CURRENT_ROW"
      ) {
        $0.position.sum().over(Window.order(by: $0.id).rows(.unboundedPreceding, exclude: .currentRow))
      }
      expression("FrameExclusion.group", makes: "Frame.Exclusion.EXCLUSION_GROUP") {
        $0.position.sum().over(Window.order(by: $0.id).rows(.unboundedPreceding, exclude: .group))
      }
      expression("FrameExclusion.ties", makes: "Frame.Exclusion.EXCLUSION_TIES") {
        $0.position.sum().over(Window.order(by: $0.id).rows(.unboundedPreceding, exclude: .ties))
      }
      expression("FrameExclusion.noOthers", makes: "Frame.Exclusion.EXCLUSION_NO_OTHERS") {
        $0.position.sum().over(Window.order(by: $0.id).rows(.unboundedPreceding, exclude: .noOthers))
      }
      expression("Window.range", "FrameBound.following", makes: "Frame.Unit.UNIT_RANGE") {
        $0.position.sum().over(Window.order(by: $0.id).range(.preceding(1), .following(1)))
      }
      expression("Window.groups", "FrameBound.unboundedFollowing", makes: "Frame.Unit.UNIT_GROUPS") {
        $0.position.sum().over(Window.order(by: $0.id).groups(.currentRow, .unboundedFollowing))
      }
    }
  }
}
