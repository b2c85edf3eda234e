/// Examples of INSERT, UPDATE and DELETE.
import MartletQuery

extension MethodTopic {
  static var inserts: MethodTopic {
    MethodTopic("INSERT") {
      example("Table.insert", makes: "Insert.values") {
        Note.insert { Note(id: 1, title: "Milk", notes: "") }
      }
      example("DraftableTable.insert", makes: "Insert.values", "Insert.columns") {
        Reminder.insert { Reminder.Draft(title: "Eggs", remindersListID: 1) }
      }
      example("Table.insert", makes: "Insert.rows", "Parameter.list") {
        Note.insert { (1...20).map { Note(id: $0, title: "", notes: "") } }
      }
      example("Table.insert", makes: "Insert.default_values") { Reminder.insert() }
      example("ConflictResolution.abort", makes: "ConflictResolution.CONFLICT_RESOLUTION_ABORT") {
        Note.insert(or: .abort) { Note(id: 1, title: "Milk", notes: "") }
      }
      example("ConflictResolution.fail", makes: "ConflictResolution.CONFLICT_RESOLUTION_FAIL") {
        Note.insert(or: .fail) { Note(id: 1, title: "Milk", notes: "") }
      }
      example("ConflictResolution.replace", makes: "ConflictResolution.CONFLICT_RESOLUTION_REPLACE") {
        Note.insert(or: .replace) { Note(id: 1, title: "Milk", notes: "") }
      }
      example("ConflictResolution.rollback", makes: "ConflictResolution.CONFLICT_RESOLUTION_ROLLBACK", "Update.or") {
        Note.update(or: .rollback) { $0.title = "Milk" }
      }
      example("ConflictResolution.ignore", makes: "ConflictResolution.CONFLICT_RESOLUTION_IGNORE") {
        Reminder.insert(or: .ignore) {
          ($0.title, $0.position)
        } values: {
          ("Eggs", 1)
          ("Salt", 2)
        }
      }
      example("Table.insert", makes: "Insert.query") {
        Reminder.insert {
          ($0.title, $0.remindersListID)
        } select: {
          RemindersList.select { ($0.title, $0.id) }
        }
      }
      example("Table.as", "Insert.onConflict", makes: "Insert.alias", "Expression.subquery") {
        Reminder.as(Target.self).insert {
          ($0.id, $0.remindersListID)
        } values: {
          (1, 2)
        }
        .onConflict {
          $0.id
        } doUpdate: { target, excluded in
          let list = Reminder.where { $0.remindersListID.eq(target.remindersListID) }
          target.position = list.select { $0.position.max() } ?? 0
        }
      }
      example("Insert.returning", makes: "Insert.returning") {
        Reminder.insert { Reminder.Draft(title: "Eggs", remindersListID: 1) }.returning(\.id)
      }
      example("Insert.returning", makes: "Insert.returning") {
        let path = \Reminder.TableColumns.title
        return Reminder.insert { Reminder.Draft(title: "Eggs", remindersListID: 1) }.returning(path)
      }
    }
  }

  static var conflicts: MethodTopic {
    MethodTopic("Conflicts") {
      example("PrimaryKeyedTable.upsert", makes: "Upsert.target", "Upsert.assignments") {
        Reminder.upsert { Reminder.Draft(id: 1, title: "Oats", remindersListID: 1) }
      }
      example("PrimaryKeyedTable.upsert", makes: "Upsert.target", "Upsert.assignments") {
        Reminder.upsert {
          Reminder(id: 1, title: "Oats", remindersListID: 1)
          Reminder.Draft(title: "Milk", remindersListID: 1)
        }
      }
      example("Table.insert", makes: "Upsert.target", "Upsert.where") {
        Note.insert {
          Note(id: 1, title: "Milk", notes: "")
        } onConflict: {
          $0.id
        } doUpdate: {
          $0.title = $1.title
        } where: {
          $0.title.neq($1.title)
        }
      }
      example("DraftableTable.insert", makes: "Upsert.assignments") {
        Reminder.insert {
          Reminder.Draft(id: 1, title: "Oats", remindersListID: 1)
        } onConflictDoUpdate: { row, excluded in
          row.title = excluded.title
        }
      }
      example("Insert.onConflict", makes: "Upsert.target_where") {
        Reminder.insert { Reminder.Draft(title: "Oats", remindersListID: 1) }
          .onConflict {
            $0.position
          } where: {
            $0.isCompleted
          } doUpdate: {
            $0.title += "!"
          }
      }
      example("Insert.onConflict", makes: "Upsert.target", "Upsert.where") {
        Note.insert { Note(id: 1, title: "Milk", notes: "") }
          .onConflict {
            $0.id
          } doUpdate: { row, excluded in
            row.notes = excluded.notes
          } where: { row, excluded in
            row.notes.neq(excluded.notes)
          }
      }
      example("Insert.onConflictDoUpdate", makes: "Upsert.assignments") {
        Note.insert { Note(id: 1, title: "Milk", notes: "") }.onConflictDoUpdate { $0.notes += "!" }
      }
      example("Insert.onConflictDoNothing", makes: "Insert.upserts") {
        Note.insert { Note(id: 1, title: "Milk", notes: "") }.onConflictDoNothing()
      }
      example("Insert.onConflictDoNothing", makes: "Upsert.target") {
        Note.insert { Note(id: 1, title: "Milk", notes: "") }.onConflictDoNothing { $0.id }
      }
    }
  }

  static var updates: MethodTopic {
    MethodTopic("UPDATE") {
      example("Table.update", makes: "Update.assignments") { Note.update { $0.notes = "" } }
      example("Where.update", makes: "Update.where") { Reminder.find(1).update { $0.dueDate = nil } }
      example("PrimaryKeyedTable.update", makes: "Update.assignments", "Update.where") {
        Reminder.update(Reminder(id: 1, title: "Milk", remindersListID: 1))
      }
      example("Update.where", makes: "Update.where") { Note.update { $0.notes = "" }.where { $0.id > 1 } }
      example("Update.find", makes: "Update.where") { Reminder.update { $0.title = "" }.find(1) }
      example("Update.find", makes: "Update.where", "Operator.OPERATOR_IN") {
        Reminder.update { $0.title = "" }.find([1, 2])
      }
      example("Update.find", makes: "Update.where", "Expression.subquery") {
        Reminder.update { $0.title = "" }.find(Note.select { $0.id.max() })
      }
      example("Update.find", makes: "Update.where", "Operator.OPERATOR_IN") {
        Reminder.update { $0.title = "" }.find([SQLQueryExpression<Int>("1 + 1")])
      }
      example("Update.order", "Update.limit", makes: "Update.order_by", "Update.limit") {
        Note.update { $0.notes = "" }.order(by: { $0.id }).limit(10)
      }
      example("Update.returning", makes: "Update.returning") {
        Reminder.find(1).update { $0.position += 1 }.returning { ($0.id, $0.position) }
      }
      example("Update.returning", makes: "Update.returning") {
        let path = \Reminder.TableColumns.title
        return Reminder.find(1).update { $0.position += 1 }.returning(path)
      }
      example("Table.update", makes: "Update.from") {
        Reminder.update(from: Note.all) { row, note in
          row.title = note.title
        } where: {
          $0.id.eq($1.id)
        }
      }
      example("Update.from", makes: "Update.from", "Update.joins") {
        Reminder.update { $0.position = 0 }
          .from(Note.join(RemindersList.all) { $0.id.eq($1.id) }) { row, sources in
            row.title = sources.0.title
          } where: { row, sources in
            row.id.eq(sources.1.id)
          }
      }
    }
  }

  static var assignments: MethodTopic {
    MethodTopic("Assignments") {
      example("SQLQueryExpression.+=", makes: "Operator.OPERATOR_ADD") { Reminder.update { $0.position += 1 } }
      example("SQLQueryExpression.+=", makes: "Operator.OPERATOR_CONCATENATE") { Note.update { $0.title += "!" } }
      example("SQLQueryExpression.append", makes: "Operator.OPERATOR_CONCATENATE") {
        Note.update { $0.title.append($0.notes) }
      }
      example("SQLQueryExpression.-=", makes: "Operator.OPERATOR_SUBTRACT") { Reminder.update { $0.position -= 1 } }
      example("SQLQueryExpression.*=", makes: "Operator.OPERATOR_MULTIPLY") { Reminder.update { $0.position *= 2 } }
      example("SQLQueryExpression./=", makes: "Operator.OPERATOR_DIVIDE") { Reminder.update { $0.position /= 2 } }
      example("SQLQueryExpression.%=", makes: "Operator.OPERATOR_MODULO") { Reminder.update { $0.position %= 2 } }
      example("SQLQueryExpression.&=", makes: "Operator.OPERATOR_BIT_AND") { Reminder.update { $0.position &= 1 } }
      example("SQLQueryExpression.|=", makes: "Operator.OPERATOR_BIT_OR") { Reminder.update { $0.position |= 1 } }
      example("SQLQueryExpression.<<=", makes: "Operator.OPERATOR_SHIFT_LEFT") {
        Reminder.update { $0.position <<= 1 }
      }
      example("SQLQueryExpression.>>=", makes: "Operator.OPERATOR_SHIFT_RIGHT") {
        Reminder.update { $0.position >>= 1 }
      }
      example("SQLQueryExpression.negate", makes: "Operator.OPERATOR_NEGATE") {
        Reminder.update { $0.position.negate() }
      }
      example("SQLQueryExpression.toggle", makes: "Operator.OPERATOR_NOT") {
        Reminder.update { $0.isCompleted.toggle() }
      }
    }
  }

  static var deletes: MethodTopic {
    MethodTopic("DELETE") {
      example("Table.delete", makes: "Delete.from") { Note.delete() }
      example("Where.delete", makes: "Delete.where") { Reminder.where(\.isCompleted).delete() }
      example("PrimaryKeyedTable.delete", makes: "Delete.where") {
        Reminder.delete(Reminder(id: 1, title: "Milk", remindersListID: 1))
      }
      example("Delete.where", makes: "Delete.where") { Note.delete().where { $0.id > 1 } }
      example("Delete.find", makes: "Delete.where") { Reminder.delete().find(1) }
      example("Delete.find", makes: "Delete.where", "Operator.OPERATOR_IN") { Reminder.delete().find([1, 2]) }
      example("Delete.find", makes: "Delete.where", "Expression.subquery") {
        Reminder.delete().find(Note.select { $0.id.max() })
      }
      example("Delete.find", makes: "Delete.where", "Operator.OPERATOR_IN") {
        Reminder.delete().find([SQLQueryExpression<Int>("1 + 1")])
      }
      example("Delete.order", "Delete.limit", makes: "Delete.order_by", "Delete.limit") {
        Note.delete().order(by: \.id).limit(10)
      }
      example("Delete.returning", makes: "Delete.returning") { Reminder.find(1).delete().returning(\.title) }
      example("Delete.returning", makes: "Delete.returning") {
        let path = \Reminder.TableColumns.title
        return Reminder.find(1).delete().returning(path)
      }
    }
  }
}

private enum Target: AliasName {}
