/// Long arithmetic, in each place where a program writes it. What stands here compiles at all: a compiler that has to
/// try every operator for every operand gives up on it after some seconds, and says so as an error.
import Martlet
import Testing

@Suite struct LongExpressionTests {
  @Table struct Sum {
    let id: Int
    var a = 0
    var b = 0
    var c = 0
    var d: Int?
    var e: Int?
    var x = 0.0
    var y = 0.0
    var s = ""
    var t: String?
  }

  private static let script = """
    CREATE TABLE sums(id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL, d INTEGER,
      e INTEGER, x REAL NOT NULL, y REAL NOT NULL, s TEXT NOT NULL, t TEXT);
    INSERT INTO sums VALUES (1, 2, 3, 5, 7, NULL, 1.5, 2.5, 'left', 'right'),
      (2, -2, 30, 500, NULL, 11, -1.5, 0.5, 'up', NULL);
    """

  private func found<Value: QueryRepresentable>(
    _ query: some Statement<Value>, _ home: DatabaseHome
  ) throws -> [Value.QueryOutput] {
    try home.open(Self.script).read { db in try query.fetchAll(db) }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `columns and numbers in one column that is selected`(_ home: DatabaseHome) throws {
    let sums = Sum.select { $0.a * 2 + $0.b * 3 + $0.c * 4 + 1 + $0.a - 7 * $0.b }
    #expect(try found(sums, home) == [15, 1_875])
    let all = Sum.order(by: \.id)
    let columns = all.select { $0.a + $0.b + $0.c - $0.a * $0.b - $0.c + $0.id }
    #expect(try found(columns, home) == [0, 90])
    let halves = all.select { ($0.x * 2 + $0.y * 3.5) / 2 - 1 + $0.x * $0.y }
    #expect(try found(halves, home) == [8.625, -2.375])
    let texts = all.select { "<" + $0.s + "|" + ($0.t ?? "none") + "|" + $0.s + ">" }
    #expect(try found(texts, home) == ["<left|right|left>", "<up|none|up>"])
    let defaults = all.select { ($0.d ?? 0) + ($0.e ?? 0) + ($0.d ?? 1) + ($0.e ?? 1) * 10 + $0.a }
    #expect(try found(defaults, home) == [26, 120])
    let others = all.select { ($0.d ?? $0.a) + ($0.e ?? $0.b) + ($0.d ?? $0.b) + ($0.e ?? $0.c) * $0.b + $0.a }
    #expect(try found(others, home) == [34, 367])
    let bare = all.select { $0.a + $0.b + $0.c - $0.a }
    #expect(try found(bare, home) == [8, 530])
    #expect(try found(all.select { $0.a + $0.b + $0.c - $0.a }, home) == [8, 530])
  }

  @Test(arguments: DatabaseHome.allCases)
  func `conditions, orders and several columns`(_ home: DatabaseHome) throws {
    #expect(
      try found(Sum.where { $0.a * 2 + $0.b * 3 + $0.c * 4 + 1 > ($0.d ?? 0) + ($0.e ?? 0) * 100 }.select(\.id), home)
        == [1, 2])
    #expect(try found(Sum.order { ($0.a * 2 + $0.b * 3 - $0.c * 4 - 1).desc() }.select(\.id), home) == [1, 2])
    try home.open(Self.script).read { db in
      let rows = try Sum.order(by: \.id).select { ($0.id, $0.a * $0.b, $0.x * 2, $0.s + "!") }.fetchAll(db)
      #expect(rows.map(\.1) == [6, -60] && rows.map(\.2) == [3, -3] && rows.map(\.3) == ["left!", "up!"])
    }
  }

  /// Each of these was given up on, or took seconds: of several columns the compiler tried every operator at once.
  @Test(arguments: DatabaseHome.allCases)
  func `many columns that are computed`(_ home: DatabaseHome) throws {
    try home.open(Self.script).write { db in
      let six = Sum.select {
        ($0.a * 2 + $0.b, $0.a - $0.b * 3, $0.x * 1.5, $0.x / 2 + 1, $0.s + "!", $0.b * $0.a + 7)
      }
      let sixes = try six.fetchAll(db)
      #expect(sixes.map { "\($0)" }[0] == #"(7, -7, 2.25, 1.75, "left!", 13)"#)
      let eight = Sum.order { $0.id.desc() }.select {
        (
          $0.a * 2 + 1, $0.b - 3 * $0.a, ($0.d ?? 0) * 2 + 1, ($0.t ?? "none") + $0.s, $0.x * 2 - $0.y, -$0.a + $0.c,
          ($0.e ?? $0.a) + ($0.d ?? $0.b), $0.s + "|" + ($0.t ?? "-")
        )
      }
      #expect(try eight.fetchAll(db).map { "\($0)" }[0] == #"(-3, 36, 1, "noneup", -3.5, 502, 41, "up|-")"#)
      let first = Sum.find(1).select { ($0.id, $0.a * 2 - 1) }
      let more = first.select { ($0.s + "x", $0.b + 1, $0.c * 2) }
      #expect(try more.fetchAll(db).map { "\($0)" } == [#"(1, 3, "leftx", 4, 10)"#])
      let pair = Sum.find(1).select { ($0.a * 2, $0.b + 1) }
      let mapped = pair.map { ($0 + 1, $1) }
      #expect(try mapped.fetchAll(db).map { "\($0)" } == ["(5, 4)"])
      let joined = Sum.join(Sum.as(Other.self).all) {
        $0.id < $1.id && $0.a.between(1, and: 3) && $1.b.in([30, 31]) && $0.s.like("l%")
      }.select { ($0.a * $1.b + 1, $0.s + "-" + $1.s, ($1.d ?? 4) * $0.c - 2, $0.x + $1.x * 2) }
      #expect(try joined.fetchAll(db).map { "\($0)" } == [#"(61, "left-up", 18, -1.5)"#])
      let returned = Sum.find(2).update { $0.a += 1 }.returning {
        ($0.a * 2 + 1, $0.b - $0.c * 2, $0.s + "?", ($0.d ?? 1) + ($0.e ?? 1), $0.x * 2 + $0.y)
      }
      #expect(try returned.fetchAll(db).map { "\($0)" } == [#"(-1, -970, "up?", 12, -2.5)"#])
    }
  }

  private enum Other: AliasName {}

  /// Each `map` was given up on: the compiler tried every operator of several columns at once. A variable holds what it
  /// is made of, because in one expression it would try those of both closures.
  @Test(arguments: DatabaseHome.allCases)
  func `what is made of columns that are computed`(_ home: DatabaseHome) throws {
    try home.open(Self.script).read { db in
      let three = Sum.select { ($0.a + 1, $0.b - 1, $0.d ?? 0) }
      let threes = try three.map { ($0 + 1, $1 * 2, $2 + $0) }.fetchAll(db)
      #expect(threes.map { "\($0)" } == ["(4, 4, 10)", "(0, 58, -1)"])
      let four = Sum.select { ($0.a + 1, $0.s + "x", $0.d ?? 0, $0.x * 2) }
      let five = four.map { a, s, d, x in (s + "!", a + d, x * 2 + 1, x - 3, d * 2) }
      #expect(try five.fetchAll(db).map { "\($0)" }[0] == #"("leftx!", 10, 7.0, 0.0, 14)"#)
      let one = Sum.select(\.a).map { ($0 + 1, $0 + 2, $0 * 3, $0 - 4) }
      #expect(try one.fetchAll(db).map { "\($0)" } == ["(3, 4, 6, -2)", "(-1, 0, -6, -6)"])
      let joined = Sum.join(Sum.as(Other.self).all) { $0.id < $1.id }
        .select { ($0.a + $1.b, $0.s + " " + $1.s, ($0.d ?? 0) + ($1.e ?? 1)) }
      let changed = joined.map { ($0 - 1, $1 + "!", $2 + $0) }
      #expect(try changed.fetchAll(db).map { "\($0)" } == [#"(31, "left up!", 50)"#])
      let isFirst = [true, false].randomElement() == nil
      let pair = Sum.find(1).select { ($0.a, $0.b) }
      let either = pair.map { a, b in if isFirst { (a + 1, b) } else { (b + 1, a) } }
      #expect(try either.fetchAll(db).map { "\($0)" } == ["(4, 2)"])
      let last = pair.map { a, b in
        let both = a + b
        return (both, both * 2)
      }
      #expect(try last.fetchAll(db).map { "\($0)" } == ["(5, 10)"])
      let text = pair.map { a, _ in #sql("\(a) + 1") } as Select<Int, Tables1<Sum>>
      #expect(try text.fetchAll(db) == [3])
    }
  }

  /// A closure may choose between expressions, and have several statements.
  @Test(arguments: DatabaseHome.allCases)
  func `one column has its type from outside, and a closure has statements`(_ home: DatabaseHome) throws {
    try home.open(Self.script).read { db in
      let most = try Sum.select { $0.a.max() }.fetchOne(db)
      #expect(most == 2)
      let isFirst = [true, false].randomElement() == nil
      let either = Sum.order(by: \.id).select { if isFirst { $0.a + 1 } else { $0.b + 1 } }
      #expect(try either.fetchAll(db) == [4, 31])
      let chosen = Sum.order(by: \.id).select { sum in
        let twice = sum.a * 2
        return (twice, twice + sum.b)
      }
      #expect(try chosen.fetchAll(db).map { "\($0)" } == ["(4, 7)", "(-4, 26)"])
    }
  }

  /// Reading a property of an update gives the column, and nothing that Swift's own `??` and `+` could take.
  @Test(arguments: DatabaseHome.allCases)
  func `what a column is set to`(_ home: DatabaseHome) throws {
    let database = try home.open(Self.script)
    func after(_ update: some Statement, _ read: @escaping @Sendable (Sum) -> String) throws -> [String] {
      try database.write { db in
        try update.execute(db)
        return try Sum.order(by: \.id).fetchAll(db).map(read)
      }
    }
    #expect(try after(Sum.update { $0.a = $0.a * 2 + $0.b * 3 + $0.c * 4 + 1 }) { "\($0.a)" } == ["34", "2087"])
    #expect(try after(Sum.update { $0.a = ($0.d ?? 0) + ($0.e ?? 0) }) { "\($0.a)" } == ["7", "11"])
    #expect(try after(Sum.update { $0.a = ($0.d ?? 1) * ($0.e ?? 2) - ($0.d ?? 3) }) { "\($0.a)" } == ["7", "8"])
    #expect(try after(Sum.update { $0.d = $0.d + $0.b }) { "\($0.d ?? -1)" } == ["10", "-1"])
    #expect(try after(Sum.update { $0.d = $0.e ?? $0.d ?? $0.a }) { "\($0.d ?? -1)" } == ["10", "11"])
    #expect(try after(Sum.update { $0.b += ($0.d ?? 0) + $0.c * 2 }) { "\($0.b)" } == ["23", "1041"])
    #expect(
      try after(Sum.update { $0.s = $0.s + "-" + ($0.t ?? "") + "-" + $0.s }) { $0.s } == [
        "left-right-left", "up--up",
      ])
    #expect(try after(Sum.update { $0.x = ($0.x + $0.y) * 2 - $0.y / 2 + 1 }) { "\($0.x)" } == ["7.75", "-1.25"])
    let (number, none): (Int, Int?) = (40, nil)
    #expect(
      try after(
        Sum.update {
          $0.a = number * 2 + 1; $0.d = number; $0.e = none
        }
      ) { "\($0.a) \($0.d!) \($0.e ?? -1)" } == [
        "81 40 -1", "81 40 -1",
      ])
    #expect(
      try after(
        Sum.update {
          $0.d = nil; $0.t = .some("x")
        }
      ) { "\($0.d ?? -1) \($0.t!)" } == ["-1 x", "-1 x"])
  }
}
