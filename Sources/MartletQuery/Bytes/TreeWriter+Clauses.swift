import MartletAST
import MartletProtobuf

/// Clauses that many statements share, as bytes: sources, orders, windows, result columns.
///
/// Always true: fields come in the order of their numbers, as SwiftProtobuf writes them.
extension TreeWriter {
  mutating func resultColumns(_ field: UInt32, _ fragments: [QueryFragment]) {
    for fragment in fragments {
      message(field) {
        switch fragment.node {
        case .star(let table): $0.message(2) { $0.text(1, table) }
        case .aliased(let inner, let alias):
          $0.expression(1, inner)
          $0.text(3, alias)
        default: $0.expression(1, fragment)
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

  mutating func ordering(_ field: UInt32, _ terms: [OrderingTerm]) {
    for term in terms {
      message(field) {
        $0.expression(1, term.fragment)
        $0.word(2, term.direction)
        $0.word(3, term.nulls)
      }
    }
  }

  mutating func window(_ field: UInt32, _ window: Window) {
    message(field) {
      $0.text(1, window.base)
      $0.expressions(2, window.partition)
      $0.ordering(3, window.order)
      if let frame = window.frame { $0.message(4) { $0.frame(frame) } }
    }
  }

  private mutating func frame(_ frame: Frame) {
    word(1, frame.unit)
    bound(2, frame.start)
    if let end = frame.end { bound(3, end) }
    word(4, frame.exclusion)
  }

  private mutating func bound(_ field: UInt32, _ bound: FrameBound) {
    message(field) {
      $0.word(1, bound.kind)
      if let offset = bound.offset { $0.expression(2, offset) }
    }
  }

  mutating func source(_ field: UInt32, _ source: SourceFragment) {
    message(field) {
      if !source.joins.isEmpty {
        return $0.message(4) {
          $0.source(1, source.first)
          $0.joins(2, source.joins)
        }
      }
      if let subquery = source.subquery {
        $0.statement(2, subquery)
      } else if let arguments = source.arguments {
        $0.message(3) {
          $0.text(1, source.schema ?? "")
          $0.text(2, source.name)
          $0.expressions(3, arguments)
        }
      } else if let fragment = source.fragment, case .raw(let parts) = fragment.node {
        $0.message(6) { $0.raw(parts) }
        return $0.text(7, source.alias ?? source.name)
      } else {
        $0.table(1, source)
      }
      $0.text(7, source.alias ?? "")
    }
  }

  mutating func table(_ field: UInt32, _ source: SourceFragment) {
    message(field) {
      $0.text(1, source.schema ?? "")
      $0.text(2, source.name)
      switch source.hint {
      case .indexedBy(let index): $0.presentText(3, index)
      case .notIndexed(let isNotIndexed): $0.present(4, isNotIndexed ? 1 : 0)
      case nil: break
      }
    }
  }

  mutating func joins(_ field: UInt32, _ joins: [JoinPart]) {
    for join in joins {
      message(field) {
        $0.word(1, join.kind)
        $0.source(3, join.source)
        if let on = join.on { $0.expression(4, on) }
        for column in join.using { $0.presentText(5, column) }
      }
    }
  }

  mutating func rows(_ field: UInt32, _ rows: [[QueryFragment]]) {
    for row in rows { message(field) { $0.expressions(1, row) } }
  }

  mutating func assignments(_ field: UInt32, _ assignments: [AssignmentPart]) {
    for assignment in assignments {
      message(field) {
        for column in assignment.columns { $0.presentText(1, column) }
        $0.expression(2, assignment.value)
      }
    }
  }
}
