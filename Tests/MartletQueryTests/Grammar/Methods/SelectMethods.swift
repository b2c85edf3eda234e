/// Examples of queries: from tables, scopes and other queries.
import MartletQuery

extension MethodTopic {
  static var tables: MethodTopic {
    MethodTopic("Queries that begin with a table") {
      example("Table.all", makes: "Select.columns", "Select.where") { RemindersList.all }
      example("Table.unscoped", makes: "Select.from") { RemindersList.unscoped }
      example("Table.none", makes: "Select.where") { Note.none }
      example("Table.select", makes: "ResultColumn.expression") { Reminder.select(\.title) }
      example("Table.select", makes: "ResultColumn.expression") { Reminder.select { ($0.id, $0.title.upper()) } }
      example("Table.select", makes: "ResultColumn.expression") {
        let path = \Reminder.TableColumns.title
        return Reminder.select(path)
      }
      example("Table.selectStar", makes: "Select.columns") { Note.selectStar() }
      example("Table.where", makes: "Select.where") { Note.where { $0.title.hasPrefix("M") } }
      example("Table.where", makes: "Select.where") { Reminder.where(\.isCompleted).select(\.id) }
      example("PrimaryKeyedTable.find", makes: "Operator.OPERATOR_EQUAL") { Reminder.find(1).select(\.title) }
      example("PrimaryKeyedTable.find", makes: "Operator.OPERATOR_IN") { Reminder.find([1, 2]).select(\.title) }
      example("PrimaryKeyedTable.find", makes: "Operator.OPERATOR_IN") {
        Reminder.find([SQLQueryExpression<Int>("1 + 1")]).select(\.title)
      }
      example("PrimaryKeyedTable.find", makes: "Expression.exists") {
        Note.where { Reminder.find($0.id).exists() }
      }
      example("TableDraft.find", makes: "Operator.OPERATOR_EQUAL") { Reminder.Draft.find(1) }
      example("Table.distinct", makes: "Select.distinct") { Note.distinct() }
      example("Table.group", makes: "Select.group_by") { Reminder.group(by: \.remindersListID).select { $0.count() } }
      example("Table.having", makes: "Select.having") { Reminder.having { $0.count() > 1 }.select { $0.count() } }
      example("Table.having", makes: "Select.having") { Reminder.having(\.isCompleted).group(by: \.id).select(\.id) }
      example("Table.order", makes: "Select.order_by") { Note.order { ($0.title.desc(), $0.id) } }
      example("Table.limit", makes: "Select.limit", "Select.offset") { Note.limit(10, offset: 20) }
      example("Table.limit", makes: "Select.limit", "Expression.subquery") {
        Note.limit { _ in RemindersList.unscoped.count() }
      }
      example("Table.offset", makes: "Select.offset") { Note.offset(20) }
      example("Table.page", makes: "Select.limit", "Operator.OPERATOR_GREATER") {
        Note.page(after: Note(id: 1, title: "Milk", notes: ""), size: 20, by: \.title)
      }
      example("Table.page", makes: "Select.limit", "Operator.OPERATOR_LESS") {
        Note.page(before: Note(id: 9, title: "Milk", notes: ""), size: 20, by: \.title)
      }
      example("PrimaryKeyedTable.page", makes: "Select.limit", "Operator.OPERATOR_GREATER") {
        Reminder.page(after: Reminder(id: 1, title: "Milk", remindersListID: 1), size: 20)
      }
      example("Table.as", makes: "TableSource.alias") { Note.as(Other.self).all }
      example("OptionalColumns.unaliased", makes: "TableSource.alias") {
        Note.leftJoin(Note.as(Other.self).all) { $0.id.eq($1.id) }.select { $1.unaliased() }
      }
      example("Table.rows", makes: "TableSource.rows") {
        Note.join(Level.rows([Level(id: 1, depth: 0)])) { $0.id.eq($1.id) }.select { ($0.title, $1.depth) }
      }
      example("Table.indexed", makes: "Table.indexed_by") {
        Note.indexed(by: "index_notes_on_title").where { $0.title.eq("Milk") }
      }
      example("Table.notIndexed", makes: "Table.not_indexed") { Note.notIndexed().where { $0.title.eq("Milk") } }
      example("TableDefinition.rowid", makes: "Column.name") { Note.select(\.rowid) }
      example("OptionalColumns.rowid", makes: "Column.name") {
        Note.leftJoin(Note.as(Other.self).all) { $0.id.eq($1.id) }.select { $1.rowid }
      }
    }
  }

  static var scopes: MethodTopic {
    MethodTopic("Scopes") {
      example("Where.where", makes: "Select.where", "Operator.OPERATOR_AND") {
        Note.where { $0.id > 1 }.where { $0.title.neq("") }
      }
      example("Where.and", makes: "Operator.OPERATOR_AND") { Note.where { $0.id > 1 }.and(Note.where { $0.id < 9 }) }
      example("Where.or", makes: "Operator.OPERATOR_OR") { Note.where { $0.id < 1 }.or(Note.where { $0.id > 9 }) }
      example("Where.not", makes: "Operator.OPERATOR_NOT") { Note.where { $0.id > 1 }.not() }
      example("Where.&&", makes: "Operator.OPERATOR_AND") { Note.where { $0.id > 1 } && Note.where { $0.id < 9 } }
      example("Where.||", makes: "Operator.OPERATOR_OR") { Note.where { $0.id < 1 } || Note.where { $0.id > 9 } }
      example("Where.+", makes: "Operator.OPERATOR_AND") { Note.where { $0.id > 1 } + Note.where { $0.id < 9 } }
      example("Where.+", makes: "Select.where", "Select.order_by") {
        Note.where { $0.id > 1 } + Note.order(by: \.title).select(\.id)
      }
      example("Where.!", makes: "Operator.OPERATOR_NOT") { !Note.where { $0.id > 1 } }
      example("Where.unscoped", makes: "Select.where") { RemindersList.where { $0.id > 1 }.unscoped.select(\.title) }
      example("Where.find", makes: "Operator.OPERATOR_EQUAL") { Reminder.where(\.isCompleted).find(1).select(\.id) }
      example("Where.find", makes: "Operator.OPERATOR_IN") {
        Reminder.where(\.isCompleted).find([SQLQueryExpression<Int>("1 + 1")]).select(\.id)
      }
      example("Where.indexed", makes: "Table.indexed_by") {
        Note.where { $0.title.eq("Milk") }.indexed(by: "index_notes_on_title")
      }
      example("Where.notIndexed", makes: "Table.not_indexed") { Note.where { $0.title.eq("Milk") }.notIndexed() }
      example("Where.as", makes: "TableSource.alias") { Note.where { $0.id > 1 }.as(Other.self) }
    }
  }

  static var clauses: MethodTopic {
    MethodTopic("Clauses of queries") {
      example("SelectStatement.where", makes: "Select.where") { Note.order(by: \.title).where { $0.id > 1 } }
      example("SelectStatement.select", makes: "ResultColumn.expression") { Note.limit(1).select { ($0.id, $0.title) } }
      example("Select.select", makes: "ResultColumn.expression") { Note.select(\.id).select(\.title) }
      example("SelectStatement.select", makes: "ResultColumn.expression") {
        let path = \Note.TableColumns.title
        return Note.limit(1).select(path)
      }
      example("SelectStatement.selectStar", makes: "Select.columns") { Note.where { $0.id > 1 }.selectStar() }
      example("TableDefinition.star", makes: "AllColumns.table") {
        Reminder.where { reminder in Note.where { $0.id.eq(reminder.id) }.select { $0.star }.exists() }
      }
      example("Select.+", makes: "Select.order_by", "Select.limit") { Note.order(by: \.title) + Note.limit(10) }
      example("Select.+", makes: "Select.where", "Select.order_by") {
        Note.order(by: \.title) + Note.where { $0.id > 1 }.select(\.id)
      }
      example("SelectStatement.map", makes: "Operator.OPERATOR_ADD") { Note.select(\.id).map { $0 + 1 } }
      example("SelectStatement.map", makes: "Operator.OPERATOR_CONCATENATE") {
        Note.select { ($0.title, $0.notes) }.map { title, notes in title + notes }
      }
      example("SelectStatement.distinct", makes: "Select.distinct") { Note.select(\.title).distinct() }
      example("SelectStatement.group", "SelectStatement.having", makes: "Select.group_by", "Select.having") {
        Note.select { ($0.title, $0.count()) }.group(by: \.title).having { $0.count() > 1 }
      }
      example("Nulls.first", makes: "OrderingTerm.Nulls.NULLS_FIRST") {
        Reminder.select(\.id).order { $0.dueDate.desc(nulls: .first) }
      }
      example("SelectStatement.order", "QueryExpression.asc", "Nulls.last", makes: "OrderingTerm.Nulls.NULLS_LAST") {
        Reminder.select(\.id).order { $0.dueDate.asc(nulls: .last) }
      }
      example("QueryExpression.desc", makes: "OrderingTerm.Direction.DIRECTION_DESCENDING") {
        Note.select(\.id).order { $0.title.collate(.nocase).desc() }
      }
      example("OrderingTerm.asc", "OrderingTerm.desc", makes: "OrderingTerm.Direction.DIRECTION_DESCENDING") {
        Note.select(\.id).order { $0.title.desc().asc().desc() }
      }
      example("SelectStatement.limit", "SelectStatement.offset", makes: "Select.limit", "Select.offset") {
        Note.select(\.id).limit(10).offset(20)
      }
      example("SelectStatement.page", makes: "Expression.tuple", "Select.limit") {
        Note.where { $0.id > 1 }.page(after: Note(id: 1, title: "Milk", notes: ""), size: 20) { ($0.title, $0.id) }
      }
      example("SelectStatement.page", makes: "OrderingTerm.Direction.DIRECTION_DESCENDING") {
        Note.where { $0.id > 1 }.page(before: Note(id: 9, title: "Milk", notes: ""), size: 20) { $0.title }
      }
      example("Select.find", makes: "Operator.OPERATOR_EQUAL") { Reminder.select(\.title).find(1) }
      example("Select.find", makes: "Parameter.list") {
        Reminder.join(RemindersList.all) { $0.remindersListID.eq($1.id) }.find([1, 2]).select { ($0.id, $1.title) }
      }
      example("Select.find", makes: "Expression.subquery") {
        Reminder.select(\.title).find(Note.select { $0.id.max() })
      }
      example("Select.find", makes: "Operator.OPERATOR_IN") {
        Reminder.select(\.title).find([SQLQueryExpression<Int>("1 + 1")])
      }
      example("Select.as", makes: "TableSource.alias") { Note.order(by: \.title).as(Other.self) }
    }
  }

  static var compounds: MethodTopic {
    MethodTopic("Compounds, common tables and VALUES") {
      example("Statement.union", makes: "Compound.Operator.OPERATOR_UNION") {
        Note.select(\.title).union(RemindersList.select(\.title))
      }
      example("Statement.union", makes: "Compound.Operator.OPERATOR_UNION_ALL") {
        Note.select(\.title).union(all: true, RemindersList.select(\.title))
      }
      example("Statement.intersect", makes: "Compound.Operator.OPERATOR_INTERSECT") {
        Note.select(\.title).intersect(RemindersList.select(\.title))
      }
      example("Statement.except", makes: "Compound.Operator.OPERATOR_EXCEPT") {
        Note.select(\.title).except(RemindersList.select(\.title))
      }
      example("Compound.order", "Compound.limit", "Compound.offset", makes: "Compound.order_by", "Compound.limit") {
        Note.select(\.title).union(RemindersList.select(\.title)).order(byColumn: 1).limit(10).offset(20)
      }
      example("WholeQuery.count", makes: "TableSource.subquery") {
        Note.select(\.title).union(RemindersList.select(\.title)).count()
      }
      example("Values.init", "Values.row", makes: "Statement.values") { Values(1, "a").row(2, "b") }
      example("Table.statement", makes: "ResultColumn.alias") { Level(id: 1, depth: 0).statement }
      example("Table.union", "With.init", makes: "Compound.Operator.OPERATOR_UNION_ALL") {
        With {
          Level(id: 1, depth: 0).union(
            all: true, Level.where { $0.depth < 4 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) })
        } query: {
          Level.order(by: \.depth)
        }
      }
      example("Values.init", "Values.row", makes: "CommonTable.columns") {
        With {
          Values(Level.Columns(id: 1, depth: 0)).row(Level.Columns(id: 2, depth: 1))
        } query: {
          Level.order(by: \.depth)
        }
      }
      example("With.init", makes: "CommonTable.query") {
        With {
          Note.where { $0.id > 1 }
        } query: { notes in
          notes.order(by: \.title)
        }
      }
      example("With.init", makes: "With.tables", "Join.Kind.KIND_INNER") {
        With {
          Note.where { $0.id > 1 }
        } with: {
          Reminder.where(\.isCompleted)
        } query: { notes, reminders in
          notes.join(reminders) { $0.id.eq($1.id) }.select { ($0.title, $1.title) }
        }
      }
      example("With.init", makes: "Compound.Operator.OPERATOR_UNION_ALL") {
        With {
          Level(id: 1, depth: 0).statement
        } recursiveUnion: { levels in
          levels.where { $0.depth < 4 }.select { Level.Columns(id: $0.id * 2, depth: $0.depth + 1) }
        } query: { levels in
          levels.order(by: \.depth)
        }
      }
      example("Statement.materialized", makes: "CommonTable.Materialization.MATERIALIZATION_NOT_MATERIALIZED") {
        With {
          Reminder.select { Level.Columns(id: $0.id, depth: $0.position) }.materialized(false)
        } query: {
          Level.where { $0.depth > 1 }
        }
      }
      example("Statement.materialized", makes: "CommonTable.Materialization.MATERIALIZATION_MATERIALIZED") {
        With {
          Reminder.select { Level.Columns(id: $0.id, depth: $0.position) }.materialized()
        } query: {
          Level.where { $0.depth > 1 }
        }
      }
    }
  }
}

private enum Other: AliasName {}
