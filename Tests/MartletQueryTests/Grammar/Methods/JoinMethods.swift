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
      example("using", makes: "Join.using") {
        Reminder.leftJoin(Note.all) { using($0.id, $1.id) && using($0.title, $1.title) }.select { ($0.title, $1.notes) }
      }
      example("Table.joinPairs", makes: "TableSource.joined", "JoinedTables.from") {
        RemindersList.joinPairs(Reminder.leftJoin(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
          list.id.eq(reminder.remindersListID)
        }
        .select { ($0.title, $1.title, $2.notes) }
      }
      example("Table.leftJoinPairs", makes: "TableSource.joined", "JoinedTables.joins") {
        RemindersList.leftJoinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
          list.id.eq(reminder.remindersListID)
        }
        .select { ($0.title, $1.title, $2.notes) }
      }
      example("Table.rightJoinPairs", makes: "TableSource.joined") {
        RemindersList.rightJoinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
          list.id.eq(reminder.remindersListID)
        }
        .select { ($0.title, $1.title, $2.notes) }
      }
      example("Table.fullJoinPairs", makes: "TableSource.joined") {
        RemindersList.fullJoinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
          list.id.eq(reminder.remindersListID)
        }
        .select { ($0.title, $1.title, $2.notes) }
      }
      example("SelectStatement.joinPairs", makes: "TableSource.joined") {
        RemindersList.where { $0.id > 1 }
          .joinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
            list.id.eq(reminder.remindersListID)
          }
          .select { ($0.title, $1.title, $2.notes) }
      }
      example("SelectStatement.leftJoinPairs", makes: "TableSource.joined") {
        RemindersList.where { $0.id > 1 }
          .leftJoinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
            list.id.eq(reminder.remindersListID)
          }
          .select { ($0.title, $1.title, $2.notes) }
      }
      example("SelectStatement.rightJoinPairs", makes: "TableSource.joined") {
        RemindersList.where { $0.id > 1 }
          .rightJoinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
            list.id.eq(reminder.remindersListID)
          }
          .select { ($0.title, $1.title, $2.notes) }
      }
      example("SelectStatement.fullJoinPairs", makes: "TableSource.joined") {
        RemindersList.where { $0.id > 1 }
          .fullJoinPairs(Reminder.join(Note.all) { $0.id.eq($1.id) }) { list, reminder, _ in
            list.id.eq(reminder.remindersListID)
          }
          .select { ($0.title, $1.title, $2.notes) }
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
