/// Examples of tables, columns, constraints, indexes and views.
import MartletQuery

extension MethodTopic {
  static var createTables: MethodTopic {
    MethodTopic("CREATE TABLE") {
      example("Table.createTable", makes: "CreateTable.columns", "CreateTable.strict") { Shop.createTable() }
      example("Table.createTable", makes: "CreateTable.as") {
        Level.createTable(as: Reminder.select { Level.Columns(id: $0.id, depth: $0.position) })
      }
      example("ColumnDeclaration.default", "ColumnDeclaration.collate", makes: "ColumnConstraint.collation") {
        Shop.createTable { t in t.name.default("").collate(.nocase) }
      }
      example("ColumnDeclaration.withoutDefault", makes: "CreateTable.if_not_exists", "ColumnConstraint.generated") {
        Offer.createTable(ifNotExists: true) { t in
          t.amount.withoutDefault()
          t.total.generated { $0.price }
        }
      }
      example("ColumnDeclaration.type", makes: "ColumnDefinition.type") {
        Shop.createTable(strict: false) { t in t.name.type("VARCHAR(20)") }
      }
      example("ColumnDeclaration.notNull", makes: "ColumnConstraint.NotNull.on_conflict") {
        Shop.createTable { t in t.name.notNull(onConflict: .ignore) }
      }
      example("ColumnDeclaration.unique", makes: "ColumnConstraint.unique", "ColumnConstraint.name") {
        Shop.createTable { t in t.name.unique(named: "one of a name") }
      }
      example("ColumnDeclaration.check", makes: "ColumnConstraint.check") {
        Shop.createTable { t in t.name.check { $0.length() < 100 } }
      }
      example("ColumnDeclaration.primaryKey", makes: "ColumnConstraint.PrimaryKey.autoincrement") {
        Checklist.createTable { t in t.id.primaryKey(autoincrement: true) }
      }
      example(
        "ColumnDeclaration.references", "ForeignKeyAction.cascade", "ForeignKeyAction.restrict",
        makes: "ForeignKey.Action.ACTION_CASCADE", "ForeignKey.Action.ACTION_RESTRICT"
      ) {
        Checklist.createTable { t in t.listID.references(RemindersList.self, onDelete: .cascade, onUpdate: .restrict) }
      }
      example(
        "ForeignKeyAction.setNull", "ForeignKeyDeferral.initiallyDeferred", makes: "ForeignKey.Action.ACTION_SET_NULL",
        "ForeignKey.Deferral.DEFERRAL_INITIALLY_DEFERRED"
      ) {
        Checklist.createTable { t in
          t.listID.references(RemindersList.self, onDelete: .setNull, deferrable: .initiallyDeferred)
        }
      }
      example(
        "ForeignKeyAction.setDefault", "ForeignKeyAction.noAction", "ForeignKeyDeferral.initiallyImmediate",
        makes: "ForeignKey.Action.ACTION_SET_DEFAULT", "ForeignKey.Deferral.DEFERRAL_INITIALLY_IMMEDIATE"
      ) {
        Checklist.createTable { t in
          t.listID.references(
            RemindersList.self, \.id, onDelete: .setDefault, onUpdate: .noAction, deferrable: .initiallyImmediate)
        }
      }
      example("ColumnDeclaration.generated", makes: "ColumnConstraint.generated") {
        Checklist.createTable { t in t.name.generated(stored: true) { $0.id.cast(as: String.self) } }
      }
      example("QueryExpression.uuid", makes: "uuid()") { Shop.createTable { t in t.id.default(.uuid()) } }
      example("QueryExpression.currentTimestamp", makes: "Literal.Keyword.KEYWORD_CURRENT_TIMESTAMP") {
        Shop.createTable { t in t.openedAt.default(.currentTimestamp) }
      }
      example("QueryExpression.currentDate", makes: "Literal.Keyword.KEYWORD_CURRENT_DATE") {
        Shop.createTable { t in t.openedAt.default(.currentDate) }
      }
      example("QueryExpression.currentTime", makes: "Literal.Keyword.KEYWORD_CURRENT_TIME") {
        Shop.createTable { t in t.name.default(.currentTime) }
      }
    }
  }

  static var constraints: MethodTopic {
    MethodTopic("Constraints of tables") {
      example("TableDeclaration.primaryKey", makes: "TableConstraint.primary_key") {
        Checklist.createTable(withoutRowID: true) { t in t.primaryKey { ($0.listID, $0.id) } }
      }
      example("TableDeclaration.unique", makes: "TableConstraint.unique") {
        Checklist.createTable { t in t.unique { ($0.listID, $0.name.desc()) } }
      }
      example("TableDeclaration.check", makes: "TableConstraint.check") {
        Checklist.createTable { t in t.check(named: "another list") { $0.listID.neq($0.id) } }
      }
      example("TableDeclaration.foreignKey", makes: "TableConstraint.foreign_key") {
        Checklist.createTable { t in t.foreignKey({ $0.listID }, references: RemindersList.self, { $0.id }) }
      }
      example("TableDeclaration.column", makes: "ColumnConstraint.unique") {
        Checklist.createTable { t in t.column(\.name).unique() }
      }
    }
  }

  static var alterations: MethodTopic {
    MethodTopic("ALTER TABLE and DROP") {
      example("Table.alterTable", "TableAlterations.addColumn", makes: "AlterTable.add_column") {
        Attached.alterTable.addColumn { $0.time.default("00:00") }
      }
      example("TableAlterations.addColumn", makes: "AlterTable.add_column") { Attached.alterTable.addColumn(\.time) }
      example("TableAlterations.renameColumn", makes: "AlterTable.rename_column") {
        Attached.alterTable.renameColumn("old", to: \.time)
      }
      example("TableAlterations.renameColumn", makes: "AlterTable.rename_column") {
        Note.alterTable.renameColumn(\.title, to: "name")
      }
      example("TableAlterations.dropColumn", makes: "AlterTable.drop_column") { Note.alterTable.dropColumn(\.notes) }
      example("TableAlterations.dropColumn", makes: "AlterTable.drop_column") { Attached.alterTable.dropColumn("old") }
      example("TableAlterations.rename", makes: "AlterTable.rename_to") { Checklist.alterTable.rename(from: "todos") }
      example("TableAlterations.rename", makes: "AlterTable.rename_to") { Note.alterTable.rename(to: "memos") }
      example("Table.dropTable", makes: "Drop.Kind.KIND_TABLE") { Note.dropTable(ifExists: true) }
      example("Table.dropTemporaryTable", makes: "Drop.schema") { Note.dropTemporaryTable(ifExists: true) }
      example("Table.dropView", makes: "Drop.Kind.KIND_VIEW") { ReminderWithList.dropView() }
      example("Table.dropTemporaryView", makes: "Drop.schema") { ReminderWithList.dropTemporaryView(ifExists: true) }
      example("Table.dropIndex", makes: "Drop.Kind.KIND_INDEX") { Note.dropIndex("index_notes_on_title") }
      example("Table.dropTrigger", makes: "Drop.Kind.KIND_TRIGGER") { Note.dropTrigger("note_deleted") }
      example("Table.dropTemporaryTrigger", makes: "Drop.schema") {
        Note.dropTemporaryTrigger("note_deleted", ifExists: true)
      }
      example("CreateTable.drop", makes: "Drop.if_exists") { Shop.createTable().drop(ifExists: true) }
      example("CreateIndex.drop", makes: "Drop.Kind.KIND_INDEX") { Note.createIndex(on: \.title).drop() }
      example("CreateView.drop", makes: "Drop.Kind.KIND_VIEW") {
        Level.createView(as: Reminder.select { Level.Columns(id: $0.id, depth: 0) }).drop(ifExists: true)
      }
      example("CreateTrigger.drop", makes: "Drop.Kind.KIND_TRIGGER") {
        Note.createTrigger("t", after: .delete { _ in Raise.abort("no") }).drop(ifExists: true)
      }
      example("CreateFullTextTable.drop", makes: "Drop.Kind.KIND_TABLE") { ReminderText.createTable().drop() }
    }
  }

  static var indexes: MethodTopic {
    MethodTopic("Indexes and views") {
      example("Table.createIndex", makes: "CreateIndex.unique") { Reminder.createIndex(on: \.title, unique: true) }
      example("Table.createIndex", makes: "CreateIndex.where", "IndexedColumn.collation") {
        Reminder.createIndex(
          "open_reminders", on: { ($0.title.collate(.nocase), $0.position.desc()) }, where: { !$0.isCompleted })
      }
      example("Table.createView", makes: "CreateView.query") {
        Level.createView(as: Reminder.select { Level.Columns(id: $0.id, depth: $0.position) })
      }
      example("Table.createTemporaryView", makes: "CreateView.temporary") {
        Level.createTemporaryView(as: Reminder.select { Level.Columns(id: $0.id, depth: $0.position) })
      }
    }
  }

  static var triggers: MethodTopic {
    MethodTopic("Triggers") {
      example("Table.createTrigger", "TriggerOperation.insert", makes: "CreateTrigger.Timing.TIMING_AFTER") {
        Reminder.createTrigger("stamped", after: .insert(touch: \.dueDate))
      }
      example("TriggerOperation.update", makes: "CreateTrigger.update_columns", "CreateTrigger.when") {
        Reminder.createTrigger(
          "completed",
          before: .update(of: { $0.isCompleted }) { old, new in
            RemindersList.find(new.remindersListID).update { $0.title += "!" }
          } when: { old, new in
            old.isCompleted.neq(new.isCompleted)
          })
      }
      example("Table.createTemporaryTrigger", "TriggerOperation.delete", makes: "CreateTrigger.temporary") {
        Reminder.createTemporaryTrigger(
          "deleted", after: .delete { old in Note.insert { Note(id: 1, title: "gone", notes: "") } })
      }
      example("Table.createTrigger", makes: "CreateTrigger.Timing.TIMING_INSTEAD_OF") {
        ReminderWithList.createTrigger(
          "added", insteadOf: .insert { new in Note.insert { Note(id: 1, title: "added", notes: "") } })
      }
      example("Table.createTemporaryTrigger", makes: "CreateTrigger.Timing.TIMING_BEFORE", "CreateTrigger.temporary") {
        Note.createTemporaryTrigger(
          "changed",
          before: .update { old, new in
            Reminder.find(old.id).update { $0.title = new.title }
          })
      }
      example("Table.createTemporaryTrigger", makes: "CreateTrigger.Timing.TIMING_INSTEAD_OF") {
        ReminderWithList.createTemporaryTrigger("kept", insteadOf: .delete { _ in Raise.ignore() })
      }
      example("TriggerOperation.update", makes: "Statement.update") {
        Reminder.createTrigger("touched", after: .update(touch: \.dueDate))
      }
      example("TriggerOperation.insert", makes: "Update.assignments") {
        Reminder.createTrigger("placed", after: .insert(touch: { $0.position = $0.id }))
      }
      example("Raise.abort", "Case.when", makes: "Raise.Action.ACTION_ABORT", "Expression.case") {
        Note.createTrigger(
          "kept",
          before: .delete { old in
            Reminder.find(old.id).update {
              $0.position = Case().when(old.id > 1, then: Raise.abort("No.", as: Int.self)).else(0)
            }
          })
      }
      example("Raise.abort", "Raise.where", makes: "Raise.Action.ACTION_ABORT", "Select.where") {
        Note.createTrigger("kept", before: .delete { old in Raise.abort("No.").where { old.id.eq(1) } })
      }
      example("Raise.fail", makes: "Raise.Action.ACTION_FAIL") {
        Note.createTrigger("kept", before: .delete { _ in Raise.fail("No.") })
      }
      example("Raise.rollback", makes: "Raise.Action.ACTION_ROLLBACK") {
        Note.createTrigger("kept", before: .delete { _ in Raise.rollback("No.") })
      }
      example("Raise.ignore", makes: "Raise.Action.ACTION_IGNORE") {
        Note.createTrigger("kept", before: .delete { _ in Raise.ignore() })
      }
    }
  }
}
