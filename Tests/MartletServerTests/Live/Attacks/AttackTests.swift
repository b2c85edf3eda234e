/// What clients with rules for tables may try: each attempt is refused and logged, or harmless in a way that is told.
import Testing

@testable import MartletServer

@Suite(.serialized) struct AttackTests {
  private static let tables: [(name: String, attempts: [Attempt])] = [
    ("tables", TableAttempts.all), ("catalogs", CatalogAttempts.all), ("columns", ColumnAttempts.all),
    ("columns of writes", WrittenColumnAttempts.all), ("writes", WriteAttempts.all), ("oracles", OracleAttempts.all),
    ("names", NameAttempts.all), ("terms that fail", FailingTermAttempts.all),
    ("full-text indexes", FullTextAttempts.all),
  ]

  @Test(arguments: tables.indices) func `each attempt is refused in words that tell nothing, or is harmless`(
    _ index: Int
  ) throws {
    let stage = try AttackStage(.all)
    for attempt in Self.tables[index].attempts { try stage.make(attempt) }
    try stage.expectAudited(.all)
  }

  @Test func `what is refused stands in the audit log at its lowest level of requests, too`() throws {
    let stage = try AttackStage(.refused)
    for attempt in Self.tables.flatMap(\.attempts) {
      guard case .refused = attempt.outcome else { continue }
      try stage.make(attempt)
    }
    try stage.expectAudited(.refused)
  }

  @Test func `attempts have names of their own, and are many`() {
    let names = Self.tables.flatMap(\.attempts).map(\.name)
    #expect(Set(names).count == names.count && names.count >= 150, "\(names.count)")
  }
}
