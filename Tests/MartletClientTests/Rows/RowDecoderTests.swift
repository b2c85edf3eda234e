/// Rows as `Decodable` types.
import Foundation
import MartletValues
import Testing

@testable import MartletClient

@Suite struct RowDecoderTests {
  enum Genre: String, Decodable { case rock, jazz }
  enum Level: Int, Decodable { case low = 1, high = 2 }
  struct Wrapped: Decodable, Equatable {
    var text: String
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
  }

  struct Track: Decodable, Equatable {
    var id: Int
    var name: String
    var price: Double
    var isSold: Bool
    var small: Int16
    var unsigned: UInt32
    var ratio: Float
    var cover: Data
    var bytes: [UInt8]
    var released: Date
    var key: UUID
    var genre: Genre
    var level: Level
    var wrapped: Wrapped
    var note: String?
    var absent: Int?
    var value: Date?
  }

  private static let key = UUID()
  private static let columns: KeyValuePairs<String, Value> = [
    "extra": "unused", "id": 7, "name": "Blue", "price": 0.99, "isSold": 1, "small": -3, "unsigned": 4, "ratio": 0.5,
    "cover": .blob([1]), "bytes": .blob([2, 3]), "released": "1970-01-02", "key": .text(key.uuidString),
    "genre": "jazz", "level": 2, "wrapped": "w", "note": nil, "value": "1970-01-01",
  ]

  @Test func `every property takes the column of its name`() throws {
    let track = try RowTests.row(Self.columns).decode(Track.self)
    #expect(track.id == 7 && track.name == "Blue" && track.price == 0.99 && track.isSold && track.small == -3)
    #expect(track.unsigned == 4 && track.ratio == 0.5 && track.cover == Data([1]) && track.bytes == [2, 3])
    #expect(track.released.timeIntervalSince1970 == 86_400 && track.key == Self.key && track.genre == .jazz)
    #expect(track.level == .high && track.wrapped.text == "w" && track.note == nil && track.absent == nil)
    #expect(track.value?.timeIntervalSince1970 == 0)
  }

  struct Pair: Decodable, Equatable {
    var a: Int
    var b: String?
  }

  @Test func `a kept decoder serves rows of different columns in turn`() throws {
    let decoder = RowDecoder()
    let first = RowTests.rows(["a", "b"], [[1, "x"], [2, nil]])
    let second = RowTests.rows(["b", "c", "a"], [["y", 0, 3]])
    for _ in 0..<3 {
      #expect(try first.map { try decoder.decode(Pair.self, from: $0) } == [.init(a: 1, b: "x"), .init(a: 2)])
      #expect(try second.map { try decoder.decode(Pair.self, from: $0) } == [.init(a: 3, b: "y")])
    }
  }

  @Test func `single values and tuples of types are decoded from the first column`() throws {
    let row = RowTests.row(["n": 5, "t": "x"])
    #expect(try row.decode(Int.self) == 5 && row.decode(Int64?.self) == 5)
    #expect(try RowTests.row(["g": "rock"]).decode(Genre.self) == .rock)
    #expect(try RowTests.row(["d": "1970-01-01"]).decode(Date.self).timeIntervalSince1970 == 0)
    #expect(try RowTests.row(["n": nil]).decode(Int?.self) == nil)
  }

  struct Price: Decodable, Equatable {
    var unitPrice: Double
  }

  @Test func `keys find columns by the strategy`() throws {
    let snake = RowTests.row(["unit_price": 1.5])
    let upper = RowTests.row(["UNITPRICE": 1.5])
    #expect(try RowDecoder(keyStrategy: .snakeCase).decode(Price.self, from: snake) == Price(unitPrice: 1.5))
    #expect(try RowDecoder(keyStrategy: .caseInsensitive).decode(Price.self, from: upper) == Price(unitPrice: 1.5))
    #expect(throws: RowDecodingError.self) { try snake.decode(Price.self) }
  }

  struct Song: Decodable {
    var g: Genre
  }
  struct Nested: Decodable {
    var a: Pair
  }
  struct Listed: Decodable {
    var a: [String]
  }

  @Test func `errors name the column`() {
    let table: [(String, () throws -> Void)] = [
      ("The row has no column called a.", { _ = try RowTests.row(["b": "x"]).decode(Pair.self) }),
      (
        "The column a is NULL where an integer is expected. Ask for an optional.",
        { _ = try RowTests.row(["a": nil]).decode(Pair.self) }
      ),
      (
        "The column a holds text where an integer is expected.",
        { _ = try RowTests.row(["a": "1"]).decode(Pair.self) }
      ),
      (
        "The column a holds one value and cannot be decoded as a structure.",
        { _ = try RowTests.row(["a": "1"]).decode(Nested.self) }
      ),
      (
        "The column a holds one value and cannot be decoded as a list.",
        { _ = try RowTests.row(["a": "1"]).decode(Listed.self) }
      ),
      (
        "The column b holds an integer where text is expected.",
        { _ = try RowTests.row(["a": 1, "b": 2]).decode(Pair.self) }
      ),
    ]
    for (message, decode) in table {
      let error = #expect(throws: RowDecodingError.self) { try decode() }
      #expect(error?.message == message)
    }
    let error = #expect(throws: RowDecodingError.self) { try RowTests.row(["g": "polka"]).decode(Song.self) }
    #expect(error?.column == "g" && error?.message.contains("polka") == false)
  }
}
