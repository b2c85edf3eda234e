/// Dates of all times, in each representation: what is stored is what comes back and what sorts, or it is refused with
/// a sentence.
import Foundation
import Martlet
import Testing

@Suite struct DistantDateTests {
  @Table("days") struct Day: Equatable {
    let id: Int
    var text: Date?
    @Column(as: Date.UnixTimeRepresentation?.self) var unix: Date?
    @Column(as: Date.JulianDayRepresentation?.self) var julian: Date?
    @Column(as: [Date].JSONRepresentation?.self) var document: [Date]?
  }

  private enum Form: CaseIterable {
    case text, unix, julian, document

    func day(_ id: Int, _ date: Date) -> Day {
      switch self {
      case .text: Day(id: id, text: date)
      case .unix: Day(id: id, unix: date)
      case .julian: Day(id: id, julian: date)
      case .document: Day(id: id, document: [date])
      }
    }

    /// The seconds that are kept of these: whole ones, or to the millisecond.
    func kept(_ seconds: Double) -> Double {
      if self == .unix { return seconds.rounded(.down) }
      return seconds.magnitude < 0x1p43 ? (seconds * 1000).rounded() / 1000 : seconds
    }

    func find(_ id: Int, _ date: Date) -> Where<Day> {
      switch self {
      case .text: Day.find(id).where { $0.text.eq(date) }
      case .unix: Day.find(id).where { $0.unix.eq(date) }
      case .julian: Day.find(id).where { $0.julian.eq(date) }
      case .document: Day.find(id)
      }
    }

    var sorted: SelectOf<Day> {
      switch self {
      case .text: Day.order { ($0.text, $0.id) }
      case .unix: Day.order { ($0.unix, $0.id) }
      case .julian: Day.order { ($0.julian, $0.id) }
      case .document: Day.order { ($0.document.jsonExtract(\.[0]), $0.id) }
      }
    }

    func date(of day: Day) -> Date? {
      switch self {
      case .text: day.text
      case .unix: day.unix
      case .julian: day.julian
      case .document: day.document?.first
      }
    }
  }

  /// Seconds since 1970: the edges of the years 0 and 9999, of Julian days, and of what a Double can name.
  private static let edges: [Double] = [
    0, -62_135_769_600, 64_092_211_200, -62_167_219_200, 253_402_300_799, 253_402_300_800, -210_866_760_000,
    -377_705_116_800, 1e12, 1e13, 1e14, 1e15, 0x1p53, 1e16, 1e17, 9e18, 1e19, -1e12, -1e13, -1e14, -1e15, -0x1p53,
    -1e16,
    -1e19, .infinity, -.infinity, .nan,
  ]

  private static func dates() -> [Date] {
    let near = edges.flatMap { edge in [-1, -0.001, 0, 0.001, 0.5, 1].map { edge + $0 } }
    let random = (0..<3000).map { _ in
      (Double.random(in: -1...1) * pow(10, .random(in: 0...19)) * 1000).rounded() / 1000
    }
    return (near + random).map(Date.init(timeIntervalSince1970:))
  }

  @Test func `a date of any time comes back as it was, is found and sorts, or is refused`() throws {
    let database = try DatabaseQueue()
    try database.write { db in try Day.createTable().execute(db) }
    for form in Form.allCases {
      let kept = try kept(Self.dates(), as: form, in: database)
      #expect(kept.count > 1000, "\(form)")
      let rows = try database.read { db in try Day.fetchAll(db) }
      #expect(rows.count == kept.count)
      for row in rows {
        let date = try #require(kept[row.id])
        let read = try #require(form.date(of: row))
        let expected = form.kept(date.timeIntervalSince1970)
        // Counted from 1970 and from 2001, a date's last bit may differ.
        let bit = max(expected.ulp, Date(timeIntervalSince1970: expected).timeIntervalSinceReferenceDate.ulp)
        #expect((read.timeIntervalSince1970 - expected).magnitude <= bit, "\(form) \(expected) \(read)")
      }
      let found = try database.read { db in try kept.filter { try form.find($0, $1).fetchCount(db) == 1 }.count }
      #expect(found == kept.count, "\(form)")
      let order = try database.read { db in try form.sorted.fetchAll(db) }.compactMap(form.date)
      #expect(order == order.sorted(), "\(form)")
    }
  }

  /// Those of the dates that are stored, by their ids. The others are refused with a sentence about dates.
  private func kept(_ dates: [Date], as form: Form, in database: DatabaseQueue) throws -> [Int: Date] {
    try database.write { db in
      try Day.delete().execute(db)
      var kept: [Int: Date] = [:]
      for (id, date) in dates.enumerated() {
        do {
          try Day.insert { form.day(id, date) }.execute(db)
          kept[id] = date
        } catch let failure as QueryBindingFailure {
          #expect(failure.description.hasSuffix(".") && failure.description.contains("date"), "\(failure)")
        }
      }
      return kept
    }
  }

  @Test func `a date that its representation cannot keep is told with what can`() {
    func words(_ query: some Statement) -> String { query.built.failure?.description ?? "not refused" }
    let old = Date(timeIntervalSince1970: -62_167_219_201)
    for query in [
      Day.insert { Day(id: 1, text: old) }, Day.insert { Day(id: 1, document: [old]) },
      Day.insert {
        ($0.id, $0.text)
      } values: {
        (1, old)
      },
    ] {
      #expect(words(query).contains("Store the date as 'Date.JulianDayRepresentation'"))
    }
    #expect(words(Day.update { $0.text = old }).contains("before the year 0"))
    #expect(words(Day.where { $0.text.eq(old) }).contains("before the year 0"))
    #expect(words(Day.where { $0.text.in([.distantPast, old]) }).contains("before the year 0"))
    #expect(words(Day.where { $0.julian.eq(Date(timeIntervalSince1970: 1e14)) }).contains("Julian day"))
    #expect(words(Day.where { $0.julian.eq(Date(timeIntervalSince1970: .infinity)) }).contains("Julian day"))
    #expect(words(Day.where { $0.unix.eq(Date(timeIntervalSince1970: 1e16)) }).contains("Unix time"))
    for date in [Date.distantPast, .distantFuture] {
      let query = Day.where { $0.text.eq(date) || $0.unix.eq(date) || $0.julian.eq(date) || $0.document.eq([date]) }
      #expect(query.built.failure == nil, "\(date)")
    }
  }
}
