import MartletAST

/// Statements that programs make by the thousand, as bytes.
///
/// Always true: each writes what its `tree(in:)` builds, clause by clause, so that parameters are numbered alike.
extension SelectParts {
  func write(to writer: inout TreeWriter) {
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

extension RawStatement {
  func write(to writer: inout TreeWriter) { writer.message(15) { $0.raw(parts) } }
}

extension InsertParts {
  func write(to writer: inout TreeWriter) {
    if isNone { return SelectParts.nothing.write(to: &writer) }
    writer.message(5) {
      if let or { $0.word(1, or.tree) }
      $0.table(2, table)
      $0.text(3, table.alias ?? "")
      for column in columns { $0.presentText(4, column) }
      switch source {
      case .defaults: $0.present(8, 1)
      case .query(let query): $0.statement(6, query)
      case .rows(let rows):
        if let (batch, failure) = batch(of: rows) {
          $0.parameter(7, $0.builder.bind(rows: batch, failure))
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

extension DeleteParts {
  func write(to writer: inout TreeWriter) {
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
