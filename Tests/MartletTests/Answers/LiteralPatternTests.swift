/// Texts that are looked for as they are, whatever they hold: rows beside what Swift says of the same texts.
import Foundation
import Martlet
import Testing

@Suite struct LiteralPatternTests {
  @Table struct Saying: Equatable {
    let id: Int
    var text: String
  }

  /// With and without signs of LIKE, alone and with what Swift makes one character of with them.
  private static let texts = [
    "50%", "50x", "50%\u{301}", "50xyz\u{301}", "a_b", "axb", "a_\u{FE0F}b", "axx\u{FE0F}b", "back\\slash",
    "back\\\u{301}",
    "%", "_", "\\", "", "%%", "\\%", "\\_", "x%\u{301}y", "x\u{301}y",
  ]

  @Test func `a part, a beginning and an end are taken literally`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try #sql("CREATE TABLE sayings (id INTEGER PRIMARY KEY, text TEXT NOT NULL)").execute(db)
      try Saying.insert { Self.texts.enumerated().map { Saying(id: $0.offset, text: $0.element) } }.execute(db)
    }
    func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
    try database.read { db in
      for text in Self.texts {
        let found = [
          try Saying.where { $0.text.contains(text) }.select(\.id).fetchAll(db),
          try Saying.where { $0.text.hasPrefix(text) }.select(\.id).fetchAll(db),
          try Saying.where { $0.text.hasSuffix(text) }.select(\.id).fetchAll(db),
        ]
        let expected = [
          Self.texts.indices.filter { text.isEmpty || scalars(Self.texts[$0]).firstRange(of: scalars(text)) != nil },
          Self.texts.indices.filter { scalars(Self.texts[$0]).starts(with: scalars(text)) },
          Self.texts.indices.filter { scalars(Self.texts[$0]).reversed().starts(with: scalars(text).reversed()) },
        ]
        #expect(found == expected, "\(text.debugDescription)")
      }
    }
  }
}
