import MartletAST
import MartletProtobuf

/// Queries and writes as bytes.
///
/// Always true: clauses are written in the order of the SQL, so that parameters are numbered as they are read.
extension SelectParts {
  func write(to writer: inout TreeWriter) {
    writer.checkNames(predicates + having + joins.compactMap(\.on), of: source)
    writer.within(([source].compactMap { $0 } + joins.map(\.source))) { writer in
      writer.message(GrammarFields.Statement.select) {
        $0.flag(GrammarFields.Select.distinct, distinct)
        $0.resultColumns(GrammarFields.Select.columns, columns)
        if let source { $0.source(GrammarFields.Select.from, source) }
        $0.joins(GrammarFields.Select.joins, joins)
        $0.predicates(GrammarFields.Select.where, allPredicates)
        $0.expressions(GrammarFields.Select.groupBy, group)
        $0.predicates(GrammarFields.Select.having, having)
        for named in windows {
          $0.message(GrammarFields.Select.windows) {
            $0.text(GrammarFields.NamedWindow.name, named.name)
            $0.window(GrammarFields.NamedWindow.window, named.window)
          }
        }
        $0.ordering(GrammarFields.Select.orderBy, order)
        if let limit { $0.expression(GrammarFields.Select.limit, limit) }
        if let offset { $0.expression(GrammarFields.Select.offset, offset) }
      }
    }
  }
}

extension CompoundParts {
  func write(to writer: inout TreeWriter) {
    writer.message(GrammarFields.Statement.compound) {
      $0.statement(GrammarFields.Compound.first, first)
      for term in terms {
        $0.message(GrammarFields.Compound.terms) {
          $0.word(GrammarFields.Compound.Term.operator, term.symbol)
          $0.statement(GrammarFields.Compound.Term.query, term.query)
        }
      }
      $0.ordering(GrammarFields.Compound.orderBy, order)
      if let limit { $0.expression(GrammarFields.Compound.limit, limit) }
      if let offset { $0.expression(GrammarFields.Compound.offset, offset) }
    }
  }
}

extension ValuesParts {
  func write(to writer: inout TreeWriter) {
    guard let row else {
      return writer.message(GrammarFields.Statement.values) { $0.rows(GrammarFields.Values.rows, rows) }
    }
    writer.message(GrammarFields.Statement.select) { $0.resultColumns(GrammarFields.Select.columns, row) }
  }
}

extension RowsParts {
  func write(to writer: inout TreeWriter) {
    guard writer.values.hasLists, let (batch, failure) = QueryFragment.batch(of: rows, width: names.count) else {
      return writeNamedValues(to: &writer)
    }
    writer.message(GrammarFields.Statement.select) {
      $0.resultColumns(
        GrammarFields.Select.columns, names.indices.map { QueryFragment.column("c\($0)", table: "").named(names[$0]) })
      $0.message(GrammarFields.Select.from) {
        $0.parameter(GrammarFields.TableSource.rows, $0.values.bind(rows: batch, failure))
      }
    }
  }

  /// A SELECT of NULLs that gives no row names the columns of the VALUES behind it.
  private func writeNamedValues(to writer: inout TreeWriter) {
    var header = SelectParts()
    header.columns = names.map { QueryFragment.null.named($0) }
    header.predicates = [.literal(integer: 0)]
    guard !rows.isEmpty else { return header.write(to: &writer) }
    writer.message(GrammarFields.Statement.compound) {
      $0.statement(GrammarFields.Compound.first, StatementFragment(header))
      $0.message(GrammarFields.Compound.terms) {
        $0.word(GrammarFields.Compound.Term.operator, ASTCompound.Operator.unionAll)
        $0.message(GrammarFields.Compound.Term.query) {
          $0.message(GrammarFields.Statement.values) { $0.rows(GrammarFields.Values.rows, rows) }
        }
      }
    }
  }
}

extension WithParts {
  func write(to writer: inout TreeWriter) {
    if hasNoEffect { return SelectParts.nothing.write(to: &writer) }
    writer.message(GrammarFields.Statement.with) {
      for table in tables {
        $0.message(GrammarFields.With.tables) {
          $0.text(GrammarFields.CommonTable.name, table.name)
          if table.query.tree.columnNames != table.columns {
            for column in table.columns { $0.presentText(GrammarFields.CommonTable.columns, column) }
          }
          $0.word(GrammarFields.CommonTable.materialization, table.materialization)
          $0.statement(GrammarFields.CommonTable.query, table.query)
        }
      }
      $0.statement(GrammarFields.With.body, body)
    }
  }
}

extension RawStatement {
  func write(to writer: inout TreeWriter) { writer.message(GrammarFields.Statement.raw) { $0.raw(parts) } }
}

extension InsertParts {
  func write(to writer: inout TreeWriter) {
    if hasNoEffect(inlinesValues: !writer.values.hasLists) { return SelectParts.nothing.write(to: &writer) }
    writer.message(GrammarFields.Statement.insert) {
      if let or { $0.word(GrammarFields.Insert.or, or.tree) }
      $0.table(GrammarFields.Insert.into, table)
      $0.text(GrammarFields.Insert.alias, table.alias ?? "")
      for column in columns { $0.presentText(GrammarFields.Insert.columns, column) }
      switch source {
      case .defaults: $0.present(GrammarFields.Insert.defaultValues, 1)
      case .query(let query): $0.statement(GrammarFields.Insert.query, query)
      case .rows(let rows):
        if $0.values.hasLists, let (batch, failure) = batch(of: rows) {
          $0.parameter(GrammarFields.Insert.rows, $0.values.bind(rows: batch, failure))
        } else {
          $0.message(GrammarFields.Insert.values) { $0.rows(GrammarFields.Values.rows, rows) }
        }
      }
      for upsert in upserts { $0.message(GrammarFields.Insert.upserts) { upsert.write(to: &$0) } }
      $0.resultColumns(GrammarFields.Insert.returning, returning.map(\.unqualifiedColumns))
    }
  }
}

extension UpsertPart {
  func write(to writer: inout TreeWriter) {
    for column in target {
      writer.message(GrammarFields.Upsert.target) {
        $0.expression(GrammarFields.IndexedColumn.expression, column.unqualified)
      }
    }
    if let predicate = QueryFragment.all(of: targetPredicates) {
      // SQLite looks for an index of which the filter is the same, and finds none for a value that it does not know.
      writer.inlining { $0.expression(GrammarFields.Upsert.targetWhere, predicate.unqualifiedColumns) }
    }
    writer.assignments(GrammarFields.Upsert.assignments, assignments)
    writer.predicates(GrammarFields.Upsert.where, predicates)
  }
}

extension UpdateParts {
  func write(to writer: inout TreeWriter) {
    guard !assignments.isEmpty else { return complete.write(to: &writer) }
    writer.within([table]) { writer in
      writer.message(GrammarFields.Statement.update) {
        if let or { $0.word(GrammarFields.Update.or, or.tree) }
        $0.table(GrammarFields.Update.table, table)
        $0.text(GrammarFields.Update.alias, table.alias ?? "")
        $0.assignments(GrammarFields.Update.assignments, assignments)
        if let from { $0.source(GrammarFields.Update.from, from) }
        $0.joins(GrammarFields.Update.joins, joins)
        $0.predicates(GrammarFields.Update.where, predicates)
        $0.resultColumns(GrammarFields.Update.returning, returning.map(\.unqualifiedColumns))
        $0.ordering(GrammarFields.Update.orderBy, order)
        if let limit { $0.expression(GrammarFields.Update.limit, limit) }
        if let offset { $0.expression(GrammarFields.Update.offset, offset) }
      }
    }
  }
}

extension DeleteParts {
  func write(to writer: inout TreeWriter) {
    writer.within([table]) { writer in
      writer.message(GrammarFields.Statement.delete) {
        $0.table(GrammarFields.Delete.from, table)
        $0.text(GrammarFields.Delete.alias, table.alias ?? "")
        $0.predicates(GrammarFields.Delete.where, predicates)
        $0.resultColumns(GrammarFields.Delete.returning, returning.map(\.unqualifiedColumns))
        $0.ordering(GrammarFields.Delete.orderBy, order)
        if let limit { $0.expression(GrammarFields.Delete.limit, limit) }
        if let offset { $0.expression(GrammarFields.Delete.offset, offset) }
      }
    }
  }
}
