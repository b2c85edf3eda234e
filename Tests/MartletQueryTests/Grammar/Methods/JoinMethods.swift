/// Examples of joins.
import MartletQuery

extension MethodTopic {
  static var joins: MethodTopic {
    MethodTopic("Joins") {
      example("Table.join", makes: "Join.Kind.KIND_INNER", "Join.on") {
        Reminder.join(Note.all) { $0.id.eq($1.id) }.select { ($0.title, $1.notes) }
      }
      example("Table.leftJoin", makes: "Join.Kind.KIND_LEFT") {
        Reminder.leftJoin(Note.all) { $0.id.eq($1.id) }.select { ($0.title, $1.notes) }
      }
      example("Table.rightJoin", makes: "Join.Kind.KIND_RIGHT") {
        Reminder.rightJoin(Note.all) { $0.id.eq($1.id) }.select { ($0.title, $1.notes) }
      }
      example("Table.fullJoin", makes: "Join.Kind.KIND_FULL") {
        Reminder.fullJoin(Note.all) { $0.id.eq($1.id) }.select { ($0.title, $1.notes) }
      }
      example("Table.crossJoin", makes: "Join.Kind.KIND_CROSS") {
        Reminder.crossJoin(Note.all).select { ($0.title, $1.notes) }
      }
      example("SelectStatement.join", makes: "Join.Kind.KIND_INNER") {
        Reminder.where(\.isCompleted).join(Note.where { $0.id > 1 }) { $0.id.eq($1.id) }.select { ($0.id, $1.id) }
      }
      example("SelectStatement.leftJoin", makes: "Join.Kind.KIND_LEFT") {
        Reminder
          .join(RemindersList.all) { $0.remindersListID.eq($1.id) }
          .leftJoin(Note.all) { $0.id.eq($2.id) }
          .select { ($0.title, $1.title, $2.title) }
      }
      example("SelectStatement.rightJoin", makes: "Join.Kind.KIND_RIGHT") {
        Reminder.where(\.isCompleted).rightJoin(Note.all) { $0.id.eq($1.id) }.select { ($0.id, $1.id) }
      }
      example("SelectStatement.fullJoin", makes: "Join.Kind.KIND_FULL") {
        Reminder.where(\.isCompleted).fullJoin(Note.all) { $0.id.eq($1.id) }.select { ($0.id, $1.id) }
      }
      example("SelectStatement.crossJoin", makes: "Join.Kind.KIND_CROSS") {
        Reminder.where(\.isCompleted).crossJoin(Note.all).select { ($0.id, $1.id) }
      }
      example("Table.join", makes: "TableFunction.name", "Join.source") {
        Document.join { $0.tags.jsonEach() }.select { ($0.id, $1.value) }
      }
      example("Table.leftJoin", makes: "TableFunction.name", "Join.Kind.KIND_LEFT") {
        Document.leftJoin { $0.tags.jsonEach() }.select { ($0.id, $1.value) }
      }
      example("SelectStatement.join", makes: "Join.Kind.KIND_INNER", "ResultColumn.expression") {
        Reminder.select(\.title).join(Note.select(\.notes)) { $0.id.eq($1.id) }
      }
      example("SelectStatement.leftJoin", makes: "TableFunction.name", "Join.Kind.KIND_LEFT") {
        Document.where(\.isOpen).leftJoin { $0.tags.jsonEach() }.select { ($0.id, $1.value) }
      }
    }
  }
}
