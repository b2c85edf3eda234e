import Martlet

/// The columns of a query.
protocol Shape {
  associatedtype Value

  static func select<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> Select<Value, S>
}

enum OneInteger: Shape {
  typealias Value = Int?

  static func select<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> Select<Int?, S> {
    let value = generator.integer(4, scope)
    return query.select { _ in value }
  }
}

enum IntegerAndText: Shape {
  typealias Value = (Int?, String?)

  static func select<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> Select<(Int?, String?), S> {
    let number = generator.integer(3, scope)
    let text = generator.text(4, scope)
    return query.select { _ in (number, text) }
  }
}

enum EveryType: Shape {
  typealias Value = (Int?, Double?, String?, Bool, [UInt8]?)

  static func select<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> Select<(Int?, Double?, String?, Bool, [UInt8]?), S> {
    let number = generator.integer(2, scope)
    let real = generator.real(4, scope)
    let text = generator.text(2, scope)
    let condition = generator.condition(3, scope)
    let bytes = generator.bytes(3, scope)
    return query.select { _ in (number, real, text, condition, bytes) }
  }
}

enum TripleRow: Shape {
  typealias Value = Triple

  static func select<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> Select<Triple, S> {
    let number = generator.integer(2, scope)
    let text = generator.text(2, scope)
    let real = generator.real(2, scope)
    return query.select { _ in Triple.Columns(number: number, text: text, real: real) }
  }
}

enum StepRow: Shape {
  typealias Value = Step

  static func select<S: TableSources>(
    _ query: Select<S.Row, S>, _ generator: inout Generator, _ scope: Scope
  ) -> Select<Step, S> {
    let depth = generator.integer(2, scope) & 3
    let path = generator.text(2, scope)
    return query.select { _ in Step.Columns(depth: depth, path: path) }
  }
}
