import MartletDatabase
import MartletQuery

@testable import SQLite

/// One query in both spellings.
struct TwinStatement {
  var typed: any QueryType
  var built: SerializedStatement
}

extension TwinGenerator {
  mutating func statement() -> TwinStatement { below(3) == 0 ? grouped() : plain() }

  private mutating func plain() -> TwinStatement {
    let (number, real, text) = (integer(3), real(3), text(3))
    let (value, filter) = (condition(3), condition(3))
    let (limit, offset, isDown) = (below(12), below(4), below(2) == 0)
    let table = SQLite.Table("twins")
    let id = SQLite.Expression<Int64>("id")
    let typed = table.select(number.typed, real.typed, text.typed, value.typed, id)
      .filter(filter.typed).order(isDown ? id.desc : id.asc).limit(limit, offset: offset)
    let built = Twin.where { _ in filter.built }
      .order { isDown ? $0.id.desc() : $0.id.asc() }
      .limit(limit, offset: offset)
      .select { (number.built, real.built, text.built, value.built, $0.id) }
    return TwinStatement(typed: typed, built: built.serialized)
  }

  private mutating func grouped() -> TwinStatement {
    let (number, real, text) = (integer(2), real(2), text(2))
    // A number without a column is a place in GROUP BY, where it is written and not bound.
    var key = integer(1)
    while !key.typed.asSQL().contains("\"") { key = integer(1) }
    let least = below(3)
    let typed = SQLite.Table("twins")
      .select(
        key.typed, number.typed.count, number.typed.distinct.count, real.typed.average, real.typed.total,
        text.typed.min, text.typed.max
      )
      .group(key.typed, having: number.typed.count >= least).order(key.typed)
    let built = Twin.group { _ in key.built }.having { _ in number.built.count() >= least }
      .order { _ in key.built }
      .select { _ in
        (
          key.built, number.built.count(), number.built.count(distinct: true), real.built.avg(), real.built.total(),
          text.built.min(), text.built.max()
        )
      }
    return TwinStatement(typed: typed, built: built.serialized)
  }
}
