/// Tables as people write them who did not read how: every form that Swift has for a struct and its properties.
///
/// Always true: each compiles without an error or a warning; what it means is in `UnusualFormsTests`.
import Foundation
public import Martlet

actor Keeper {
  @Table struct InActor: Sendable, Equatable { let id: Int; var title = "" }
}

@MainActor final class Model {
  @Table struct OnMain: Equatable { let id: Int; var title = "" }
  @Table nonisolated struct OffMain: Identifiable, Equatable {
    let id: Int
    var title = ""
    static let titled = Self.where { $0.title.neq("") }
  }
}

extension Model {
  @Table struct InExtension: Equatable {
    let id: Int
    var shade: Shade?
    enum Shade: String, QueryBindable { case dark }
  }
}

extension Array where Element == Int {
  @Table nonisolated struct InArray: Equatable { let id: Int; var title = "" }
}

enum Holder<Value> {
  @Table nonisolated struct InGeneric: Equatable { let id: Int; var count = 3 }
}

@Table nonisolated struct Several<Key: QueryBindable, Other>: Equatable, Sendable
where
  Key.QueryOutput == Key, Key: Equatable & Sendable, Other: QueryBindable & Equatable & Sendable,
  Other.QueryOutput == Other
{
  let id: Key
  var other: Other?
  var count = 3
}

@Table nonisolated struct Variadic<each Element: Sendable>: Sendable {
  let id: Int
  var title = "x"
}

@Table @MainActor struct Isolated: Equatable { let id: Int; var title = "" }

@Table public struct Published: Sendable, Identifiable, Hashable, Codable {
  public let id: Int
  public var title: String = ""
  internal var inner = 1
  package var shared: Int = 2
  private(set) public var setHere = 3
  public internal(set) var setInModule = 4
}

@Table package nonisolated struct Packaged: Equatable {
  package let id: Int
  package var title = ""
}

@Table nonisolated struct Keywords: Equatable {
  let id: Int
  var `default` = "d"
  var `class`: String?, `in` = 0
  @Column("where") var `where`: Int = 1
  var `Type`: Int = 3
}

@Table nonisolated struct Word: Equatable {
  let id: Int
  var count = 0
}

@Table nonisolated struct Größe: Equatable {
  let id: Int
  var straße = "", 名前: String?
}

@Table nonisolated struct Sugar: Equatable {
  let id: Int
  var a: Optional<Int>
  var b: Swift.Optional<Swift.String>
  var c: Array<UInt8>
  var d: [UInt8]?
  var e: Foundation.Date?
  var f: (Int)
  var j: (Int?)
  var g: (Int)?
  var h: Int!
  var i: String! = "forced"
}

/// A table with everything that is no column.
@Table struct Furnished: Equatable, CustomStringConvertible {
  /// The key.
  let id: Int  // and what stands behind it
  let a, b: Int
  var c = 1, d: Int, e: String = "e"
  // swift-format-ignore: UseTripleSlashForDocumentationComments
  /** Observed,
   in two lines. */
  var watched = 0 { didSet { count += 1 } }
  // swift-format-ignore: NoBlockComments
  var other: /* before */ Int /* behind */ = /* still */ 3 /* the end */ { willSet {} }
  @Ephemeral var count = 0
  var sum: Int { a + b }
  var product: Int {
    get { a * b }
    set { c = newValue }
  }
  var description: String { "\(id)" }
  lazy var cached = a
  static let limit = 3
  static var tableName: String { "furniture" }
  struct Nested { var x = 1 }
  subscript(index: Int) -> Int { index }
  func method() -> Int { id }
  mutating func change() { c = 0 }
  typealias Whole = Int

  static func == (left: Self, right: Self) -> Bool { left.id == right.id && left.e == right.e && left.c == right.c }
}

@Table nonisolated struct Conditional: Equatable {
  let id: Int
  #if os(Linux) || os(macOS)
    var here = 1
    #if swift(<5)
      var old = 2
    #else
      var new = 3
    #endif
  #else
    var elsewhere = 4
  #endif
  #if MARTLET_NEVER
    var never: NeverDeclared
  #endif
}

@Table nonisolated struct Computed: Equatable {
  let id: UUID
  var at: Date = .distantPast
  var later = Date(timeIntervalSince1970: 0).addingTimeInterval(60)
  var number: Int = { 3 }()
  var third: Double = 1.0 / 4
  var level: Level = .high
  var low = Level.low
  var none = Optional<Int>.none
  var limit = Computed.most, made = Self.make()
  var flag = true
  var text = """
    two
    lines
    """
  var raw = #"a"b"#
  var bytes = Data([1])
  var link = URL(string: "https://example.com")!  // because it is a constant
  enum Level: Int, QueryBindable { case low, high }
  static let most = 10
  static func make() -> String { "made" }
}

@Table nonisolated struct OwnInitializers: Equatable {
  let id: Int
  var title: String
  init(title: String) {
    id = 0
    self.title = title
  }
  init?(maybe: Int) { nil }
}

@Table nonisolated struct Aliased {
  typealias Key = Int; let id: Key; var parent: Self.Key?; var next: Aliased.Key?; var key: ID
}

extension Aliased: Identifiable, Hashable, Codable, Sendable, Comparable {
  static func < (left: Self, right: Self) -> Bool { left.id < right.id }
}

@Table nonisolated struct Documents: Equatable {
  let id: Int
  @Column(as: [String].JSONRepresentation.self) var words: [String] = []
  @Column(as: [String: [Int]].JSONRepresentation.self) var numbers: [String: [Int]] = [:]
  @Column(as: Set<Int>.JSONRepresentation.self) var set: Set<Int> = []
  @Column(as: [String]?.JSONRepresentation.self) var maybe: [String]?
  @Column(as: [Inner].JSONRepresentation?.self) var inners: [Inner]?
  @Column(as: Self.Inner.JSONRepresentation.self) var inner = Inner()
  @Column(as: Date?.UnixTimeRepresentation.self) var at: Date?
  struct Inner: Codable, Equatable { var x = 0 }
}

/// Names that the expansion uses for things of its own.
@Table nonisolated struct Names: Equatable {
  let id: Int
  var columns = 1, tableName = "n", fragments = 2, width = 3, decoder = 4, row = 5, value = 6, values = 7
  var queryFragment = 8, queryOutput = 9, all = 10, rowid = 11, count = 12, name = "m", schemaName: String?
}

@Selection nonisolated enum Cases: Equatable {
  case decoder(Int), value(String?)
  indirect case `default`(Double)
  case fragments(count: Int)
  case value0(_ x: Int)
  var isDecoder: Bool { self == .decoder(0) }
  static let zero = Self.decoder(0)
}

@Table nonisolated struct Chosen: Equatable {
  let id: Int
  var cases: Cases
}

@propertyWrapper struct Clamped: Equatable {
  var wrappedValue: Int { didSet { wrappedValue = min(wrappedValue, 10) } }
  init(wrappedValue: Int) { self.wrappedValue = min(wrappedValue, 10) }
}

@Table struct Wrapped: Equatable {
  let id: Int
  @Clamped var low: Int = 3
  @Clamped var high: Int
}

/// Names that are no words.
@Table nonisolated struct `Spaced Row`: Equatable {
  let id: Int
  var `first word` = "a", `2`: Int?
  @Column("c d") var `second-word`: Int
  var kind: SpacedCases
}

@Selection nonisolated enum SpacedCases: Equatable {
  case `as text`(String), `as number`(Int)
}
