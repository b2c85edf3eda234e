import MartletAST
import MartletProtobuf

/// Clauses that many statements share, as bytes: sources, orders, windows, result columns.
///
/// Always true: fields come in the order of their numbers, as those of a serialized tree.
extension TreeWriter {
  mutating func resultColumns(_ field: UInt32, _ fragments: [QueryFragment]) {
    for fragment in fragments {
      message(field) {
        switch fragment.node {
        case .star(let table, _):
          $0.message(GrammarFields.ResultColumn.all) { $0.text(GrammarFields.AllColumns.table, table) }
        case .aliased(let inner, let alias):
          $0.expression(GrammarFields.ResultColumn.expression, inner)
          $0.text(GrammarFields.ResultColumn.alias, alias)
        default: $0.expression(GrammarFields.ResultColumn.expression, fragment)
        }
      }
    }
  }

  /// Predicates joined by AND.
  mutating func predicates(_ field: UInt32, _ predicates: [QueryFragment]) {
    switch predicates.count {
    case 0: break
    case 1: expression(field, predicates[0])
    default: expression(field, QueryFragment(.operation(.and, predicates)))
    }
  }

  /// The ORDER BY of rows, in which a plain number would be a column's place.
  mutating func rowOrdering(_ field: UInt32, _ terms: [OrderingTerm]) {
    ordering(field, values.areInlined ? terms.map { $0.mapping(\.withoutPlace) } : terms)
  }

  /// GROUP BY, in which a plain number would be a column's place.
  mutating func grouping(_ field: UInt32, _ terms: [QueryFragment]) {
    expressions(field, values.areInlined ? terms.map(\.withoutPlace) : terms)
  }

  mutating func ordering(_ field: UInt32, _ terms: [OrderingTerm]) {
    for term in terms {
      message(field) {
        let refused = term.failure.map { QueryFragment.bind(.invalid($0)) }
        $0.expression(GrammarFields.OrderingTerm.expression, refused ?? term.fragment)
        $0.word(GrammarFields.OrderingTerm.direction, term.direction)
        $0.word(GrammarFields.OrderingTerm.nulls, term.nulls)
      }
    }
  }

  mutating func window(_ field: UInt32, _ window: Window) {
    message(field) {
      $0.text(GrammarFields.Window.base, window.base)
      $0.expressions(GrammarFields.Window.partitionBy, window.partition)
      $0.ordering(GrammarFields.Window.orderBy, window.order)
      if let frame = window.frame { $0.message(GrammarFields.Window.frame) { $0.frame(frame) } }
    }
  }

  private mutating func frame(_ frame: Frame) {
    word(GrammarFields.Frame.unit, frame.unit)
    bound(GrammarFields.Frame.start, frame.start)
    if let end = frame.end { bound(GrammarFields.Frame.end, end) }
    word(GrammarFields.Frame.exclusion, frame.exclusion)
  }

  private mutating func bound(_ field: UInt32, _ bound: FrameBound) {
    message(field) {
      $0.word(GrammarFields.FrameBound.kind, bound.kind)
      if let offset = bound.offset { $0.expression(GrammarFields.FrameBound.offset, offset) }
    }
  }

  mutating func source(_ field: UInt32, _ source: SourceFragment) {
    message(field) {
      if !source.joins.isEmpty {
        return $0.message(GrammarFields.TableSource.joined) {
          $0.source(GrammarFields.JoinedTables.from, source.first)
          $0.joins(GrammarFields.JoinedTables.joins, source.joins)
        }
      }
      if let subquery = source.subquery {
        $0.statement(GrammarFields.TableSource.subquery, subquery)
      } else if let arguments = source.arguments {
        $0.message(GrammarFields.TableSource.function) {
          $0.text(GrammarFields.TableFunction.schema, source.schema ?? "")
          $0.text(GrammarFields.TableFunction.name, source.name)
          $0.expressions(GrammarFields.TableFunction.arguments, arguments)
        }
      } else if let fragment = source.fragment, case .raw(let parts) = fragment.node {
        $0.message(GrammarFields.TableSource.raw) { $0.raw(parts) }
        return $0.text(GrammarFields.TableSource.alias, source.alias ?? source.name)
      } else {
        $0.table(GrammarFields.TableSource.table, source)
      }
      $0.text(GrammarFields.TableSource.alias, source.alias ?? "")
    }
  }

  mutating func table(_ field: UInt32, _ source: SourceFragment) {
    message(field) {
      $0.text(GrammarFields.Table.schema, source.schema ?? "")
      $0.text(GrammarFields.Table.name, source.name)
      switch source.hint {
      case .indexedBy(let index): $0.presentText(GrammarFields.Table.indexedBy, index)
      case .notIndexed(let isNotIndexed): $0.present(GrammarFields.Table.notIndexed, isNotIndexed ? 1 : 0)
      case nil: break
      }
    }
  }

  mutating func joins(_ field: UInt32, _ joins: [JoinPart]) {
    for join in joins {
      message(field) {
        $0.word(GrammarFields.Join.kind, join.kind)
        $0.source(GrammarFields.Join.source, join.source)
        if let on = join.on { $0.expression(GrammarFields.Join.on, on) }
        for column in join.using { $0.presentText(GrammarFields.Join.using, column) }
      }
    }
  }

  mutating func rows(_ field: UInt32, _ rows: [[QueryFragment]]) {
    for row in rows { message(field) { $0.expressions(GrammarFields.Tuple.elements, row) } }
  }
}

extension QueryFragment {
  /// The same term, whose number is no literal when values become literals: SQLite takes `GROUP BY 2` for the second
  /// column, also behind a sign and within what it looks through. A number that the library writes as a literal is
  /// meant as a column's place.
  fileprivate var withoutPlace: QueryFragment {
    switch node {
    case .bind(let binding):
      guard case .integer = binding.value else { return self }
      return QueryFragment(.cast(self, type: "INTEGER"))
    case .collate(let operand, let collation):
      return QueryFragment(.collate(operand.withoutPlace, collation: collation))
    case .aliased(let operand, _): return operand.withoutPlace
    case .operation(let symbol, let operands) where operands.count == 1:
      return QueryFragment(.operation(symbol, operands.map(\.withoutPlace)))
    case .function(var call) where ["likely", "unlikely", "likelihood"].contains(call.name):
      call.arguments = call.arguments.prefix(1).map(\.withoutPlace) + call.arguments.dropFirst()
      return QueryFragment(.function(call))
    case .raw(let parts): return QueryFragment(.raw(parts.withoutPlace))
    default: return self
    }
  }
}

extension [QueryFragment.RawPart] {
  /// Without a place, if there is nothing around the values but signs and parentheses.
  fileprivate var withoutPlace: [QueryFragment.RawPart] {
    let isValue = allSatisfy { part in
      switch part {
      case .sql(let text): text.utf8.allSatisfy { "()+- \n\t\r".utf8.contains($0) }
      case .expression: true
      case .statement, .identifier: false
      }
    }
    guard isValue else { return self }
    return map { part in if case .expression(let value) = part { .expression(value.withoutPlace) } else { part } }
  }
}
