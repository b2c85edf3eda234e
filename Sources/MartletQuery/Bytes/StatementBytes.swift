import MartletAST
import MartletProtobuf

/// Queries and writes as bytes.
///
/// Always true: clauses are written in the order of the SQL, so that parameters are numbered as they are read.
extension SelectParts {
  func write(to writer: inout TreeWriter) {
    writer.checkNames(predicates + having + joins.compactMap(\.on), of: source)
    writer.within(([source].compactMap { $0 } + joins.map(\.source))) { writer in
      writer.message(1) {
        $0.flag(1, distinct)
        $0.resultColumns(2, columns)
        if let source { $0.source(3, source) }
        $0.joins(4, joins)
        $0.predicates(5, allPredicates)
        $0.expressions(6, group)
        $0.predicates(7, having)
        for named in windows {
          $0.message(8) {
            $0.text(1, named.name)
            $0.window(2, named.window)
          }
        }
        $0.ordering(9, order)
        if let limit { $0.expression(10, limit) }
        if let offset { $0.expression(11, offset) }
      }
    }
  }
}

extension CompoundParts {
  func write(to writer: inout TreeWriter) {
    writer.message(2) {
      $0.statement(1, first)
      for term in terms {
        $0.message(2) {
          $0.word(1, term.symbol)
          $0.statement(2, term.query)
        }
      }
      $0.ordering(3, order)
      if let limit { $0.expression(4, limit) }
      if let offset { $0.expression(5, offset) }
    }
  }
}

extension ValuesParts {
  func write(to writer: inout TreeWriter) {
    guard let row else { return writer.message(3) { $0.rows(1, rows) } }
    writer.message(1) { $0.resultColumns(2, row) }
  }
}

extension RowsParts {
  func write(to writer: inout TreeWriter) {
    guard writer.values.hasLists, let (batch, failure) = QueryFragment.batch(of: rows, width: names.count) else {
      return writeNamedValues(to: &writer)
    }
    writer.message(1) {
      $0.resultColumns(2, names.indices.map { QueryFragment.column("c\($0)", table: "").named(names[$0]) })
      $0.message(3) { $0.parameter(5, $0.values.bind(rows: batch, failure)) }
    }
  }

  /// A SELECT of NULLs that gives no row names the columns of the VALUES behind it.
  private func writeNamedValues(to writer: inout TreeWriter) {
    var header = SelectParts()
    header.columns = names.map { QueryFragment.null.named($0) }
    header.predicates = [.literal(integer: 0)]
    guard !rows.isEmpty else { return header.write(to: &writer) }
    writer.message(2) {
      $0.statement(1, StatementFragment(header))
      $0.message(2) {
        $0.word(1, ASTCompound.Operator.unionAll)
        $0.message(2) { $0.message(3) { $0.rows(1, rows) } }
      }
    }
  }
}

extension WithParts {
  func write(to writer: inout TreeWriter) {
    if hasNoEffect { return SelectParts.nothing.write(to: &writer) }
    writer.message(4) {
      for table in tables {
        $0.message(1) {
          $0.text(1, table.name)
          if table.query.tree.columnNames != table.columns {
            for column in table.columns { $0.presentText(2, column) }
          }
          $0.word(3, table.materialization)
          $0.statement(4, table.query)
        }
      }
      $0.statement(3, body)
    }
  }
}

extension RawStatement {
  func write(to writer: inout TreeWriter) { writer.message(15) { $0.raw(parts) } }
}

extension InsertParts {
  func write(to writer: inout TreeWriter) {
    if hasNoEffect(inlinesValues: !writer.values.hasLists) { return SelectParts.nothing.write(to: &writer) }
    writer.message(5) {
      if let or { $0.word(1, or.tree) }
      $0.table(2, table)
      $0.text(3, table.alias ?? "")
      for column in columns { $0.presentText(4, column) }
      switch source {
      case .defaults: $0.present(8, 1)
      case .query(let query): $0.statement(6, query)
      case .rows(let rows):
        if $0.values.hasLists, let (batch, failure) = batch(of: rows) {
          $0.parameter(7, $0.values.bind(rows: batch, failure))
        } else {
          $0.message(5) { $0.rows(1, rows) }
        }
      }
      for upsert in upserts { $0.message(9) { upsert.write(to: &$0) } }
      $0.resultColumns(10, returning.map(\.unqualifiedColumns))
    }
  }
}

extension UpsertPart {
  func write(to writer: inout TreeWriter) {
    for column in target { writer.message(1) { $0.expression(1, column.unqualified) } }
    if let predicate = QueryFragment.all(of: targetPredicates) { writer.expression(2, predicate.unqualifiedColumns) }
    writer.assignments(3, assignments)
    writer.predicates(4, predicates)
  }
}

extension UpdateParts {
  func write(to writer: inout TreeWriter) {
    guard !assignments.isEmpty else { return complete.write(to: &writer) }
    writer.within([table]) { writer in
      writer.message(6) {
        if let or { $0.word(1, or.tree) }
        $0.table(2, table)
        $0.text(3, table.alias ?? "")
        $0.assignments(4, assignments)
        if let from { $0.source(5, from) }
        $0.joins(6, joins)
        $0.predicates(7, predicates)
        $0.resultColumns(8, returning.map(\.unqualifiedColumns))
        $0.ordering(9, order)
        if let limit { $0.expression(10, limit) }
        if let offset { $0.expression(11, offset) }
      }
    }
  }
}

extension DeleteParts {
  func write(to writer: inout TreeWriter) {
    writer.within([table]) { writer in
      writer.message(7) {
        $0.table(1, table)
        $0.text(2, table.alias ?? "")
        $0.predicates(3, predicates)
        $0.resultColumns(4, returning.map(\.unqualifiedColumns))
        $0.ordering(5, order)
        if let limit { $0.expression(6, limit) }
        if let offset { $0.expression(7, offset) }
      }
    }
  }
}
