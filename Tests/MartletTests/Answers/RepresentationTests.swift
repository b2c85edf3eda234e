/// Values whose stored form is another than their Swift type suggests: what is calculated, cast, searched and told
/// apart is right, or is refused with a sentence.
import Foundation
import Martlet
import MartletValues
import Testing

@Suite struct RepresentationTests {
  @Selection struct Pair: Codable, Equatable {
    var a = 5.0
    var b = 2.0
  }

  @Table struct Measure {
    let id: Int
    @Column(as: Decimal.TextRepresentation.self) var price: Decimal = 5
    var plain: Decimal = 5
    @Column(as: Pair.JSONRepresentation.self) var pair = Pair()
    @Column(as: [Double].JSONRepresentation.self) var list: [Double] = [5, 2]
    @Column(as: [String: Double].JSONRepresentation.self) var byName: [String: Double] = ["a": 5, "b": 2]
    var at = Date(timeIntervalSince1970: 1_000_000_000)
    @Column(as: Date.UnixTimeRepresentation.self) var seconds = Date(timeIntervalSince1970: 1_000_000_000)
    var token = UUID()
    var text = "a"
  }

  @Selection struct Soft: Equatable, Codable {
    var a: Int?
    var b: String?
  }

  @CasePathable @Selection enum Kind: Equatable, Codable {
    case count(Int)
    case note(String?)
    case due(Date?)
    case soft(Soft)
  }

  @CasePathable @Selection enum Grouped: Equatable {
    case count(Int)
    case soft(Soft?)
  }

  @Table struct GroupedEntry: Equatable {
    let id: Int
    var kind: Grouped
  }

  @Table struct Document: Equatable {
    let id: Int
    @Column(as: Kind.JSONRepresentation.self) var kind: Kind
  }

  @Table struct Entry: Equatable {
    let id: Int
    var kind: Kind
  }

  @Table struct EntryText: FTS5 {
    let rowid: Int
    let text: String
  }

  private static func database() throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { db in
      try Measure.createTable().execute(db)
      try Measure.insert { Measure(id: 1) }.execute(db)
    }
    return database
  }

  private static func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing was refused"
    } catch { return "\(error)" }
  }

  @Test func `a decimal that is stored as a text is not calculated with by SQLite`() throws {
    let database = try Self.database()
    let half = Decimal(string: "0.5") ?? 0
    let updates: [Update<Measure, Never>] = [
      Measure.update { $0.price += 1 }, Measure.update { $0.price -= half }, Measure.update { $0.price *= 2 },
      Measure.update { $0.price /= 2 }, Measure.update { $0.price = -$0.price },
      Measure.update { $0.price = 1 + $0.price }, Measure.update { $0.price = $0.price * $0.price },
    ]
    for update in updates {
      let words = Self.refusal { try database.write { try update.execute($0) } }
      #expect(words.contains("SQLite does not calculate with 'Decimal.TextRepresentation'"), "\(words)")
    }
    #expect(try database.read { try Measure.select(\.price).fetchAll($0) } == [5])
    try database.write { try Measure.update { $0.plain /= 2 }.execute($0) }
    #expect(try database.read { try Measure.select(\.plain).fetchAll($0) } == [Decimal(string: "2.5")])
    let cast = try database.read { db in try Measure.select { $0.price.cast(as: Double.self) / 2 }.fetchAll(db) }
    #expect(cast == [2.5])
  }

  @Test func `texts of decimals are not ordered by SQLite, which would put 10 before 9`() throws {
    let database = try Self.database()
    let queries: [any Statement<Int>] = [
      Measure.where { $0.price > 2 }.select(\.id), Measure.where { $0.price.lte(2) }.select(\.id),
      Measure.where { $0.price < $0.price }.select(\.id), Measure.where { $0.price.between(1, and: 9) }.select(\.id),
      Measure.where { $0.price.in(1..<9) }.select(\.id), Measure.where { $0.price.in(1...9) }.select(\.id),
      Measure.order(by: \.price).select(\.id), Measure.order { $0.price.desc() }.select(\.id),
      Measure.having { $0.price.max().isNot(nil) }.select { $0.id.count() },
      Measure.having { $0.price.asOptional().min().isNot(nil) }.select { $0.id.count() },
    ]
    for query in queries {
      #expect(query.built.failure?.description.contains("texts do not sort as numbers do") == true, "\(query)")
    }
    let found = try database.read { db in
      try Measure.where {
        $0.price.eq(5) && $0.price.in([5, 6]) && $0.price.cast(as: Double.self) < 10 && $0.plain < 10
      }
      .order { $0.price.cast(as: Double.self) }.select(\.price).fetchAll(db)
    }
    #expect(found == [5])
  }

  @Test func `a decimal that is no number is not written, as a text or in a document`() throws {
    let database = try Self.database()
    let words = Self.refusal { try database.write { try Measure.update { $0.price = Decimal.nan }.execute($0) } }
    #expect(words.contains("no number (NaN)"), "\(words)")
    let bindings = [
      Decimal.nan.queryBinding, [Decimal].JSONRepresentation(queryOutput: [1, .nan]).queryBinding,
      [String: Decimal].JSONRepresentation(queryOutput: ["a": .nan]).queryBinding,
    ]
    for binding in bindings {
      guard case .invalid(let error) = binding else {
        Issue.record("\(binding) was not refused")
        continue
      }
      #expect("\(error)".contains("no number (NaN)"), "\(error)")
    }
  }

  @Test func `a document that cannot be written or read is told with its column, its type and the statement`() throws {
    let database = try Self.database()
    guard case .invalid(let error) = [Double].JSONRepresentation(queryOutput: [.nan]).queryBinding else {
      Issue.record("NaN was not refused")
      return
    }
    #expect("\(error)".contains("cannot be written as a JSON document"), "\(error)")
    for text in ["nojson", "{}", "[\"a\"]"] {
      try database.write { try $0.execute(sql: "UPDATE measures SET list = '\(text)'") }
      let words = Self.refusal { _ = try database.read { try Measure.select(\.list).fetchAll($0) } }
      #expect(
        words.contains("\"list\"") && words.contains("no JSON of the type") && words.contains("SELECT"), "\(words)")
    }
  }

  @Test func `a date of the reference date is equal after a round trip, and one of 1970 within a microsecond`() throws {
    for step in 0..<2_000 {
      let milliseconds = 793_109_282_061 + step * 86_400_003
      let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
      let old = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let database = step == 0 ? try Self.database() : nil
      if let database {
        let (read, other) = try database.read { try Values(date, old).fetchOne($0) } ?? (.distantPast, .distantPast)
        #expect(read == date && abs(other.timeIntervalSince(old)) < 0.000_001)
      }
      #expect(ISODate.date(of: ISODate.text(of: date)) == date)
      let back = try #require(ISODate.date(of: ISODate.text(of: old)))
      #expect(abs(back.timeIntervalSince(old)) < 0.000_001)
    }
  }

  @Test func `Swift's own signs are Swift's beside the builder`() {
    let two = +2
    let three = 3
    let same = +three
    let minus = -three
    #expect(two == 2 && same == 3 && minus == -3)
  }

  @Test func `numbers of documents are divided as doubles, whoever wrote the document`() throws {
    let database = try Self.database()
    try database.write { db in
      try Measure.insert { Measure(id: 2, pair: Pair(a: 1, b: 1)) }.execute(db)
      try Measure.find(2).update {
        $0.pair[\.a] = 5
        $0.pair[\.b] = 2
      }.execute(db)
    }
    try database.write { db in
      let all = Measure.order(by: \.id)
      #expect(try all.select { $0.pair.jsonExtract(\.a) / $0.pair.jsonExtract(\.b) }.fetchAll(db) == [2.5, 2.5])
      #expect(try all.select { $0.list[\.[0]] / $0.list[\.[1]] }.fetchAll(db) == [2.5, 2.5])
      #expect(try all.where { $0.pair[\.a] / $0.pair[\.b] > 2.4 }.fetchCount(db) == 2)
      #expect(try all.select { $0.byName[\.["a"]] / $0.byName[\.["b"]] }.fetchAll(db) == [2.5, 2.5])
      let elements = try Measure.find(1).join { $0.list.jsonEach() }.select { $1.value / $0.list[\.[1]] }.fetchAll(db)
      #expect(elements == [2.5, 1])
      let sums = try Measure.select { $0.pair[\.a].sum() / $0.pair[\.b].sum() }.fetchAll(db)
      #expect(sums == [2.5])
      let scaled = try all.select { ($0.pair[\.a] + $0.pair[\.a]) / ($0.pair[\.b] + $0.pair[\.b]) }.fetchAll(db)
      #expect(scaled == [2.5, 2.5])
      try Measure.update { $0.pair[\.a] /= $0.pair[\.b] }.execute(db)
      #expect(try all.select { $0.pair[\.a] }.fetchAll(db) == [2.5, 2.5])
    }
  }

  @Test func `a case whose value is nil is that case, and no other`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try Entry.createTable().execute(db)
      let kinds = [Kind.note(nil), .note("x"), .count(3), .due(.distantPast), .soft(Soft(b: "b"))]
      try Entry.insert { kinds.enumerated().map { Entry(id: $0.offset, kind: $0.element) } }.execute(db)
      let all = Entry.order(by: \.id)
      #expect(try all.select(\.kind).fetchAll(db) == kinds)
      #expect(try all.where { $0.kind.is(\.note) }.select(\.id).fetchAll(db) == [0, 1])
      #expect(try all.where { $0.kind.isNot(\.note) }.select(\.id).fetchAll(db) == [2, 3, 4])
      #expect(try all.where { $0.kind.is(\.count) }.select(\.id).fetchAll(db) == [2])
      #expect(try all.where { $0.kind.isNot(\.count) }.select(\.id).fetchAll(db) == [0, 1, 3, 4])
      #expect(try all.where { $0.kind.is(\.due) }.select(\.id).fetchAll(db) == [3])
      #expect(try all.where { $0.kind.is(\.soft) }.select(\.id).fetchAll(db) == [4])
      #expect(try all.where { $0.kind.eq(Kind.note(nil)) }.select(\.id).fetchAll(db) == [0])
    }
  }

  @Test func `a group that may be nil is its case, and no other`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try GroupedEntry.createTable().execute(db)
      let kinds = [Grouped.soft(nil), .soft(Soft(a: 1)), .count(3)]
      try GroupedEntry.insert { kinds.enumerated().map { GroupedEntry(id: $0.offset, kind: $0.element) } }.execute(db)
      let all = GroupedEntry.order(by: \.id)
      #expect(try all.select(\.kind).fetchAll(db) == kinds)
      #expect(try all.where { $0.kind.is(\.soft) }.select(\.id).fetchAll(db) == [0, 1])
      #expect(try all.where { $0.kind.isNot(\.soft) }.select(\.id).fetchAll(db) == [2])
    }
  }

  @Test func `a value that would come back as another case is not written, and a document has every case`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try Entry.createTable().execute(db)
      try Document.createTable().execute(db)
    }
    for kind in [Kind.due(nil), .soft(Soft())] {
      let words = Self.refusal { try database.write { try Entry.insert { Entry(id: 1, kind: kind) }.execute($0) } }
      #expect(words.contains("has nothing but NULLs here"), "\(words)")
      try database.write { try Document.insert { Document(id: 1, kind: kind) }.execute($0) }
      #expect(try database.read { try Document.select(\.kind).fetchAll($0) } == [kind])
      try database.write { try Document.delete().execute($0) }
    }
    #expect(try database.read { try Entry.fetchCount($0) } == 0)
  }

  @Test func `a cast that would mean something else is refused`() throws {
    let database = try Self.database()
    let casts: [(Database) throws -> Void] = [
      { _ = try Measure.select { $0.at.cast(as: Date.UnixTimeRepresentation.self) }.fetchAll($0) },
      { _ = try Measure.select { $0.at.cast(as: Date.JulianDayRepresentation.self) }.fetchAll($0) },
      { _ = try Measure.select { $0.seconds.cast(as: Date.self) }.fetchAll($0) },
      { _ = try Measure.select { $0.seconds.cast(as: Date.JulianDayRepresentation.self) }.fetchAll($0) },
      { _ = try Measure.select { $0.token.cast(as: UUID.BytesRepresentation.self) }.fetchAll($0) },
      { _ = try Measure.select { $0.at.cast(as: Date?.UnixTimeRepresentation.self) }.fetchAll($0) },
      { _ = try Measure.where { $0.at.cast(as: Date.UnixTimeRepresentation.self) > $0.seconds }.fetchAll($0) },
    ]
    for cast in casts {
      let words = Self.refusal { try database.read(cast) }
      #expect(words.contains("CAST does not take"), "\(words)")
    }
    let (text, real, seconds, number) = try database.read { db in
      (
        try Measure.select { $0.id.cast(as: String.self) }.fetchAll(db),
        try Measure.select { $0.id.cast(as: Double.self) }.fetchAll(db),
        try Measure.select { $0.seconds.cast(as: Int.self) }.fetchAll(db),
        try Measure.select { $0.text.cast(as: Int.self) }.fetchAll(db)
      )
    }
    #expect(text == ["1"] && real == [1] && seconds == [1_000_000_000] && number == [0])
  }

  @Test func `a text with NUL is not searched for as if it ended there`() throws {
    let database = try Self.database()
    for delete in [
      Measure.where { $0.text.contains("\0zzz") }.delete(), Measure.where { $0.text.hasPrefix("a\0") }.delete(),
      Measure.where { $0.text.hasSuffix("\0") }.delete(), Measure.where { $0.text.contains("%\0") }.delete(),
    ] {
      let words = Self.refusal { try database.write { try delete.execute($0) } }
      #expect(words.contains("LIKE finds no text with NUL"), "\(words)")
    }
    #expect(try database.read { try Measure.fetchCount($0) } == 1)
  }

  @Table struct Source {
    let id: Int
    var text: String
  }

  @Table struct SourceText: FTS5 {
    let rowid: Int
    let text: String
  }

  @Test func `an index that does not agree with its table is told from a damaged file, and can be rebuilt`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try Source.createTable().execute(db)
      try SourceText.createTable(content: .table(Source.self, rowID: \.id)).execute(db)
      for trigger in SourceText.synchronizingTriggers(with: Source.self, rowID: \.id) { try trigger.execute(db) }
      try Source.insert { Source(id: 1, text: "old") }.execute(db)
      try Source.insert(or: .replace) { Source(id: 1, text: "new") }.execute(db)
      try SourceText.integrityCheck().execute(db)
    }
    let words = Self.refusal {
      try database.write { try SourceText.integrityCheck(comparingContent: true).execute($0) }
    }
    #expect(words.contains("does not agree with its content"), "\(words)")
    #expect(words.contains("Rebuild it."), "\(words)")
    try database.write { db in
      try SourceText.rebuild().execute(db)
      try SourceText.integrityCheck(comparingContent: true).execute(db)
    }
  }

  @Test func `whatever people type is no error of a full-text search`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try EntryText.createTable().execute(db)
      try EntryText.insert { EntryText(rowid: 1, text: "rowid 1 and rank") }.execute(db)
    }
    func count(_ text: String) throws -> Int {
      try database.read { try EntryText.where { $0.match(text) }.fetchCount($0) }
    }
    for text in ["rowid:1", "ROWID: 1", "{rowid text}: x", "rank:1", "entryTexts: 1", "nothing:1", "_rowid_:1"] {
      _ = try count(text)
    }
    #expect(try count("rowid:1") == 1)
    #expect(try count("text:rank") == 1)
  }
}
