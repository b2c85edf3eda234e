import MartletValues
import Synchronization

/// Which closure a column was handed to: what tells the row of an outer query from that of an inner one, where both
/// are of one table and SQL calls their columns the same.
///
/// Always true: no two calls of closures have the same place, on whatever thread. A column that no closure was handed
/// has none, and is never refused.
public struct ColumnPlace: Equatable, Sendable {
  private let number: UInt64

  private static let last = Atomic<UInt64>(0)

  private init(number: UInt64) { self.number = number }

  /// No place: of columns that a program reads from `columns` itself.
  public init() { number = 0 }

  private static func next() -> ColumnPlace {
    ColumnPlace(number: last.add(1, ordering: .relaxed).newValue)
  }

  /// Tells the closures that run that a query was made, which one of them may have made with its columns.
  static func queryMade() { last.add(1, ordering: .relaxed) }

  /// What a closure makes of columns that have a place of their own. What would read another row than the closure
  /// meant is refused.
  ///
  /// Only a query that was made since the closure began can hold its columns. If no thread has made one, there is
  /// nothing to look for: most closures compare a column or two, and the search would cost a join of them 5 %.
  @inline(__always)
  static func open<Clauses: PlacedClauses>(_ body: (ColumnPlace) -> Clauses) -> Clauses {
    let place = ColumnPlace.next()
    var clauses = body(place)
    if last.load(ordering: .relaxed) != place.number { clauses.refuseMistakes(of: PlaceSearch(place)) }
    return clauses
  }
}

/// What a closure of a query returns, and in which a column may be of another row than was meant.
protocol PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch)
}

extension QueryFragment: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) {
    var search = search
    look(&search)
    if let table = search.mistaken { self = search.refusal(table) }
  }
}

extension OrderingTerm: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) { fragment.refuseMistakes(of: search) }
}

extension Window: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) {
    partition.refuseMistakes(of: search)
    order.refuseMistakes(of: search)
  }
}

extension Array: PlacedClauses where Element: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) {
    for index in indices { self[index].refuseMistakes(of: search) }
  }
}

extension Optional: PlacedClauses where Wrapped: PlacedClauses {
  mutating func refuseMistakes(of search: PlaceSearch) { self?.refuseMistakes(of: search) }
}
