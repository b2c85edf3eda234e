/// What a database may hold after a seeded load was cut off, judged piece by piece.
///
/// Always true: a unit is what must be there as a whole or not at all: a statement, an atomic batch, a transaction.
package struct LoadModel: Sendable {
  package enum Fate: Sendable, Equatable {
    /// Nobody was told; or the outcome was told to be unknown.
    case unknown
    case committed(sequence: UInt64)
    case failed
  }

  package struct Unit: Sendable {
    /// Rows that it writes to `ledger`.
    package var rows: Int
    /// A table that it makes.
    package var table: String?
    package var fate = Fate.unknown
  }

  /// What was found in a database.
  package struct Finding: Sendable {
    /// Rows of `ledger` by their unit.
    package var rows: [Int: Int] = [:]
    /// What a trigger counted: one for each row of `ledger`.
    package var tally: Int?
    /// The units that wrote the rows of `filler` last.
    package var fillers: Set<Int> = []
    package var tables: Set<String> = []
    /// What SQLite itself said about the file.
    package var complaints: [String] = []

    package init() {}
  }

  package enum Wrong: Sendable, Equatable, Hashable {
    case damaged(String)
    /// It was acknowledged and is not there.
    case lost(unit: Int)
    /// A part of it is there.
    case partial(unit: Int)
    /// It failed, or never was, and is there.
    case risen(unit: Int)
    /// It is not there, but one that was committed after it, or with it, is.
    case disordered(unit: Int)
  }

  package private(set) var units: [Int: Unit] = [:]

  package init() {}

  package mutating func started(_ number: Int, rows: Int, table: String? = nil) {
    units[number] = Unit(rows: rows, table: table)
  }

  package mutating func ended(_ number: Int, _ fate: Fate) { units[number]?.fate = fate }

  /// What must not be in a database if these units were acknowledged; empty if all is well.
  package func judge(_ finding: Finding, acknowledged: Set<Int>) -> [Wrong] {
    var wrong: [Wrong] = finding.complaints.map { .damaged($0) }
    var latest: UInt64 = 0
    var missing: [(number: Int, sequence: UInt64)] = []
    for (number, unit) in units.sorted(by: { $0.key < $1.key }) {
      let isThere = presence(of: unit, number, in: finding)
      if isThere == nil { wrong.append(.partial(unit: number)) }
      if isThere == false, acknowledged.contains(number), unit.fate != .failed { wrong.append(.lost(unit: number)) }
      if isThere != false, unit.fate == .failed { wrong.append(.risen(unit: number)) }
      if case .committed(let sequence) = unit.fate {
        if isThere == true { latest = max(latest, sequence) } else { missing.append((number, sequence)) }
      }
    }
    // Units of one group have one number, so that a group which is there in part is found too.
    for unit in missing where unit.sequence <= latest { wrong.append(.disordered(unit: unit.number)) }
    for number in finding.rows.keys.sorted() where units[number] == nil { wrong.append(.risen(unit: number)) }
    for number in finding.fillers.sorted() where number != 0 && finding.rows[number] == nil {
      wrong.append(.partial(unit: number))
    }
    if let tally = finding.tally, tally != finding.rows.values.reduce(0, +) {
      wrong.append(.damaged("the trigger counted \(tally) rows"))
    }
    return wrong
  }

  /// Nil if a part of the unit is there.
  private func presence(of unit: Unit, _ number: Int, in finding: Finding) -> Bool? {
    var signs: [Bool?] = []
    if unit.rows > 0 {
      let rows = finding.rows[number] ?? 0
      signs.append(rows == 0 ? false : rows == unit.rows ? true : nil)
    }
    if let table = unit.table { signs.append(finding.tables.contains(table)) }
    guard let first = signs.first else { return false }
    return signs.contains { $0 != first } ? nil : first
  }
}
