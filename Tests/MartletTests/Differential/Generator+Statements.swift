/// Random statements: one to three tables joined in every way, filters, groups, windows, order, limits, compounds and
/// common tables.
///
/// Always true: each tree is a value of the builder's types, so that the compiler has checked how its parts fit. What
/// the rows of a query are is a `Shape`; queries of one shape can be compounded.
import Martlet

enum Left: AliasName { static var aliasName: String { "left" } }
enum Middle: AliasName { static var aliasName: String { "m \"i\" d" } }
enum Right: AliasName { static var aliasName: String { "右" } }

extension Generator {
  /// A whole statement.
  mutating func statement() -> any Statement {
    switch below(10) {
    case 0: return sources(WholeRows())
    case 1: return sources(Counted())
    case 2, 3: return statement(OneInteger.self)
    case 4, 5: return statement(IntegerAndText.self)
    case 6, 7: return statement(EveryType.self)
    default: return statement(TripleRow.self)
    }
  }

  private mutating func statement<R: Shape>(_ shape: R.Type) -> any Statement<R.Value> {
    switch below(12) {
    case 0, 1: return compound(shape)
    case 2: return with(shape)
    case 3: return recursive(shape)
    default: return query(shape, isWhole: true)
    }
  }

  // MARK: - Compounds and common tables

  private mutating func compound<R: Shape>(_ shape: R.Type) -> any Statement<R.Value> {
    var result = combined(query(shape, isWhole: false), query(shape, isWhole: false))
    if chance(30) { result = combined(result, query(shape, isWhole: false)) }
    if chance(60) { result = result.order(byColumn: 1, descending: chance(50)) }
    if chance(30) { result = result.limit(below(8), offset: chance(50) ? below(4) : nil) }
    return result
  }

  private mutating func combined<V>(_ first: any Statement<V>, _ second: any Statement<V>) -> Compound<V> {
    let kind = below(4)
    func combine(_ first: some Statement<V>, _ second: some Statement<V>) -> Compound<V> {
      switch kind {
      case 0: first.union(second)
      case 1: first.union(all: true, second)
      case 2: first.intersect(second)
      default: first.except(second)
      }
    }
    return combine(first, second)
  }

  private mutating func with<R: Shape>(_ shape: R.Type) -> any Statement<R.Value> {
    let outside = tables
    defer { tables = outside }
    let triples = chance(30) ? compound(TripleRow.self) : query(TripleRow.self, isWhole: true)
    let hint = below(3)
    func with<V>(_ triples: some Statement<Triple>, _ body: some Statement<V>) -> With<V> {
      switch hint {
      case 0:
        With {
          triples
        } query: {
          body
        }
      case 1:
        With {
          triples.materialized()
        } query: {
          body
        }
      default:
        With {
          triples.materialized(false)
        } query: {
          body
        }
      }
    }
    func with<V>(_ triples: some Statement<Triple>, _ steps: some Statement<Step>, _ body: some Statement<V>) -> With<V>
    {
      With {
        triples
        steps
      } query: {
        body
      }
    }
    tables += [Triple.self, Triple.self, Triple.self]
    guard chance(50) else { return with(triples, query(shape, isWhole: true)) }
    let steps = query(StepRow.self, isWhole: true)
    tables += [Step.self, Step.self]
    return with(triples, steps, query(shape, isWhole: true))
  }

  private mutating func recursive<R: Shape>(_ shape: R.Type) -> any Statement<R.Value> {
    let outside = tables
    defer { tables = outside }
    let base = query(StepRow.self, isWhole: false)
    let deepest = below(4) + 3
    let all = chance(50)
    let suffix = one(of: ["", "/", "'"])
    func with<V>(_ base: some Statement<Step>, _ isJoined: Bool, _ body: some Statement<V>) -> With<V> {
      if isJoined {
        return With {
          base.union(
            all: all,
            PlainTable.join(Step.unscoped) { $0.low.eq($1.depth) }.where { $1.depth < deepest }
              .select { Step.Columns(depth: $1.depth + 1, path: $1.path + $0.title + suffix) })
        } query: {
          body
        }
      }
      return With {
        base.union(
          all: all,
          Step.where { $0.depth < deepest }
            .select { Step.Columns(depth: $0.depth + 1, path: orNull(($0.path ?? "-") + suffix)) })
      } query: {
        body
      }
    }
    tables += [Step.self, Step.self, Step.self, Step.self]
    let body = query(shape, isWhole: true)
    return with(base, chance(50), body)
  }

  // MARK: - Sources

  /// A query of some tables. `isWhole`: with an order and a limit of its own, which a compound's parts have not.
  private mutating func query<R: Shape>(_ shape: R.Type, isWhole: Bool) -> any Statement<R.Value> {
    // Made through a protocol's requirement, so that the statement's type is known here and not only when it runs.
    sources(Shaped<R>(isWhole: isWhole))
  }

  private mutating func sources<F: Finishing>(_ finishing: F) -> F.Made {
    let first = chance(70) ? one(of: tables) : aliased(one(of: tables), Left.self)
    guard chance(55) else { return single(first, finishing) }
    let second = aliased(one(of: tables), Middle.self)
    let third = chance(30) ? aliased(one(of: tables), Right.self) : nil
    return double(first, second, third, finishing)
  }

  private mutating func single<T: ReadableTable, F: Finishing>(_ table: T.Type, _ finishing: F) -> F.Made {
    var scope = Scope()
    scope.add(T.self)
    return finishing.finish(T.unscoped.asSelect(), &self, scope)
  }

  private mutating func double<A: ReadableTable, B: ReadableTable, F: Finishing>(
    _ a: A.Type, _ b: B.Type, _ third: (any ReadableTable.Type)?, _ finishing: F
  ) -> F.Made {
    var scope = Scope()
    scope.add(A.self)
    scope.add(B.self)
    let on = joining(scope)
    let left = A.unscoped.asSelect()
    switch below(5) {
    case 0: return joined(left.join(B.unscoped) { _, _ in on }, third, finishing)
    case 1: return joined(left.leftJoin(B.unscoped) { _, _ in on }, third, finishing)
    case 2: return joined(left.rightJoin(B.unscoped) { _, _ in on }, third, finishing)
    case 3: return joined(left.fullJoin(B.unscoped) { _, _ in on }, third, finishing)
    default: return joined(left.crossJoin(B.unscoped), third, finishing)
    }
  }

  private mutating func joined<A: ReadableTable, B: ReadableTable, F: Finishing>(
    _ query: Select<(A, B), Tables2<A, B>>, _ third: (any ReadableTable.Type)?, _ finishing: F
  ) -> F.Made {
    if let third { return triple(query, third, finishing) }
    var scope = Scope()
    scope.add(A.self)
    scope.add(B.self)
    return finishing.finish(query, &self, scope)
  }

  private mutating func triple<A: ReadableTable, B: ReadableTable, C: ReadableTable, F: Finishing>(
    _ query: Select<(A, B), Tables2<A, B>>, _ third: C.Type, _ finishing: F
  ) -> F.Made {
    var scope = Scope()
    scope.add(A.self)
    scope.add(B.self)
    scope.add(C.self)
    let on = joining(scope)
    switch below(5) {
    case 0: return finished(query.join(C.unscoped) { _, _, _ in on }, finishing)
    case 1: return finished(query.leftJoin(C.unscoped) { _, _, _ in on }, finishing)
    case 2: return finished(query.rightJoin(C.unscoped) { _, _, _ in on }, finishing)
    case 3: return finished(query.fullJoin(C.unscoped) { _, _, _ in on }, finishing)
    default: return finished(query.crossJoin(C.unscoped), finishing)
    }
  }

  private mutating func finished<A: ReadableTable, B: ReadableTable, C: ReadableTable, F: Finishing>(
    _ query: Select<(A, B, C), Tables3<A, B, C>>, _ finishing: F
  ) -> F.Made {
    var scope = Scope()
    scope.add(A.self)
    scope.add(B.self)
    scope.add(C.self)
    return finishing.finish(query, &self, scope)
  }

  private mutating func joining(_ scope: Scope) -> Condition {
    guard chance(70) else { return condition(2, scope) }
    return one(of: scope.integers).eq(one(of: scope.integers))
  }

  // MARK: - Clauses

  mutating func filtered<S: TableSources>(_ query: Select<S.Row, S>, _ scope: Scope) -> Select<S.Row, S> {
    guard chance(45) else { return query }
    let first = condition(3, scope)
    let second = condition(1, scope)
    return chance(30) ? query.where { _ in first }.where { _ in second } : query.where { _ in first }
  }

  mutating func clauses<S: TableSources, R: Shape>(
    _ query: Select<S.Row, S>, _ shape: R.Type, _ scope: Scope, isWhole: Bool
  ) -> Select<R.Value, S> {
    var query = filtered(query, scope)
    var scope = scope
    switch below(10) {
    case 0, 1:
      let key = integer(1, scope)
      let other = text(1, scope)
      query = query.group { _ in key }
      if chance(30) { query = query.group { _ in other } }
      scope.mayAggregate = true
      let having = condition(2, scope)
      if chance(50) { query = query.having { _ in having } }
    case 2: scope.mayAggregate = true
    case 3, 4:
      scope.mayUseWindows = true
      if chance(60) {
        let window = window(scope)
        query = query.window("w 1") { _ in window }
        scope.windows.append("w 1")
      }
    default: break
    }
    var result = R.select(query, &self, scope)
    if chance(20) { result = result.distinct() }
    guard isWhole else { return result }
    if chance(65) {
      let first = integer(2, scope)
      let second = text(1, scope)
      let nulls: OrderingTerm.Nulls? = one(of: [nil, .first, .last])
      result =
        chance(50)
        ? result.order { _ in first.desc(nulls: nulls) } : result.order { _ in (first.asc(nulls: nulls), second) }
    }
    if chance(35) { result = result.limit(below(10)) }
    if chance(15) { result = result.offset(below(4)) }
    return result
  }
}
