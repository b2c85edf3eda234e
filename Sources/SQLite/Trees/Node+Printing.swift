internal import MartletAST
internal import MartletValues

/// Nodes as text.
///
/// Always true: spaces, parentheses and quotes are those of SQLite.swift, because people and their tests compare texts.
extension Node {
  func print(to printer: inout SQLPrinter) {
    switch kind {
    case .column(let schema, let table, let name):
      for qualifier in [schema, table] where !qualifier.isEmpty {
        printer.name(qualifier)
        printer.write(".")
      }
      printer.name(name)
    case .star(let table):
      if let table {
        table.print(to: &printer)
        printer.write(".")
      }
      printer.write("*")
    case .value(let value): printer.value(value)
    case .infix(let infix, let left, let right, let isWrapped):
      printer.wrapped(isWrapped) {
        left.print(to: &$0)
        $0.write(" \(infix.text) ")
        right.print(to: &$0)
      }
    case .chain(let infix, let operands):
      printer.wrapped { $0.list(operands, separator: " \(infix.text) ") }
    case .prefix(let prefix, let operand):
      printer.write(prefix.text)
      printer.wrapped { operand.print(to: &$0) }
    case .raw(let sql, let values): printer.raw(sql, values)
    default: printOther(to: &printer)
    }
  }

  private func printOther(to printer: inout SQLPrinter) {
    switch kind {
    case .between(let operand, let low, let high):
      operand.print(to: &printer)
      printer.write(" BETWEEN ")
      printer.list([low, high], separator: " AND ")
    case .like(let operand, let pattern, let escape):
      printer.wrapped {
        operand.print(to: &$0)
        $0.write(" LIKE ")
        pattern.print(to: &$0)
        $0.write(" ESCAPE ")
        escape.print(to: &$0)
      }
    case .contains(let operand, let elements):
      printer.wrapped {
        operand.print(to: &$0)
        $0.write(" IN ")
        $0.wrapped { $0.list(elements) }
      }
    case .containsQuery(let operand, let query):
      printer.wrapped {
        operand.print(to: &$0)
        $0.write(" IN ")
        $0.wrapped { query.print(to: &$0) }
      }
    case .function(let call): call.print(to: &printer)
    default: printClause(to: &printer)
    }
  }

  private func printClause(to printer: inout SQLPrinter) {
    switch kind {
    case .distinct(let operand):
      printer.write("DISTINCT ")
      operand.print(to: &printer)
    case .cast(let operand, let type):
      printer.write("CAST ")
      printer.wrapped {
        operand.print(to: &$0)
        $0.write(" AS \(type)")
      }
    case .collate(let operand, let collation):
      printer.wrapped {
        operand.print(to: &$0)
        $0.write(" COLLATE \(collation)")
      }
    case .ordered(let operand, let isDescending):
      operand.print(to: &printer)
      printer.write(isDescending ? " DESC" : " ASC")
    case .alias(let operand, let name):
      operand.print(to: &printer)
      printer.write(" AS ")
      printer.name(name)
    case .subquery(let query): printer.wrapped { query.print(to: &$0) }
    case .exists(let query):
      printer.write("EXISTS ")
      printer.wrapped { query.print(to: &$0) }
    case .statement(let statement): statement.print(to: &printer)
    // Those of the two above, which a new kind is not among: the compiler asks for it here.
    case .column, .star, .value, .infix, .chain, .prefix, .raw: break
    case .between, .like, .contains, .containsQuery, .function: break
    }
  }
}

extension SQLPrinter {
  mutating func wrapped(_ isWrapped: Bool = true, _ body: (inout SQLPrinter) -> Void) {
    if isWrapped { write("(") }
    body(&self)
    if isWrapped { write(")") }
  }

  /// SQL of the program with its values. Question marks within quotes are no parameters.
  mutating func raw(_ sql: String, _ values: [SQLValue]) {
    var numbers = RawNumbers()
    for piece in RawPieces(sql) {
      switch piece {
      case .sql(let text): write(String(text))
      case .parameter(let name):
        if let index = numbers.index(of: name), values.indices.contains(index) {
          value(values[index])
        } else {
          write(String(name))
        }
      }
    }
  }
}

extension FunctionNode {
  func print(to printer: inout SQLPrinter) {
    printer.write(isQuoted ? name.quoted() : name)
    printer.wrapped { isStar ? $0.write("*") : $0.list(arguments) }
    if let filter {
      printer.write(" FILTER ")
      printer.wrapped {
        $0.write("WHERE ")
        filter.print(to: &$0)
      }
    }
    guard let over else { return }
    printer.write(" OVER ")
    printer.wrapped { over.print(to: &$0) }
  }
}

extension WindowNode {
  func print(to printer: inout SQLPrinter) {
    var clauses: [(inout SQLPrinter) -> Void] = []
    if !partition.isEmpty {
      clauses.append {
        $0.write("PARTITION BY ")
        $0.list(partition)
      }
    }
    if !order.isEmpty {
      clauses.append {
        $0.write("ORDER BY ")
        $0.list(order)
      }
    }
    if let frame { clauses.append { $0.write(frame.text) } }
    for (index, clause) in clauses.enumerated() {
      if index > 0 { printer.write(" ") }
      clause(&printer)
    }
  }
}

extension FrameNode {
  fileprivate var text: String {
    let word =
      switch unit {
      case .range: "RANGE"
      case .groups: "GROUPS"
      default: "ROWS"
      }
    return "\(word) BETWEEN \(Self.text(start)) AND \(Self.text(end))"
  }

  private static func text(_ bound: (kind: ASTFrameBound.Kind, offset: Int)) -> String {
    switch bound.kind {
    case .unboundedPreceding: "UNBOUNDED PRECEDING"
    case .preceding: "\(bound.offset) PRECEDING"
    case .following: "\(bound.offset) FOLLOWING"
    case .unboundedFollowing: "UNBOUNDED FOLLOWING"
    default: "CURRENT ROW"
    }
  }
}
