public import Foundation
public import MartletQuery

/// No row has the key that was asked for, or a query that was to give a first row gave none.
public struct NotFound: Error, Sendable, CustomStringConvertible {
  /// The table that was asked; empty if it is not known.
  public var table: String

  /// - Parameter table: its name in the database.
  public init(table: String = "") { self.table = table }

  public var description: String {
    table.isEmpty ? "The query gave no row." : "No row of \(table) has this key."
  }
}

extension Table {
  /// All rows of the default scope. Throws as a statement's `fetchAll` does.
  @inlinable
  public static func fetchAll(_ db: Database) throws -> [QueryOutput] {
    try db.fetch(SingleRow<Self>.self, all.serialized)
  }

  /// Some row of the default scope, or nil if there is none. Throws as a statement's `fetchAll` does.
  @inlinable
  public static func fetchOne(_ db: Database) throws -> QueryOutput? {
    try db.fetch(SingleRow<Self>.self, all.limit(1).serialized, limit: 1).first
  }

  /// The different rows of the default scope, as Swift compares them: two spellings of a letter that are equal to
  /// Unicode are one, and two to SQL's DISTINCT. Throws as a statement's `fetchAll` does.
  @inlinable
  public static func fetchSet(_ db: Database) throws -> Set<QueryOutput> where QueryOutput: Hashable {
    Set(try fetchAll(db))
  }

  /// How many rows the default scope has. Throws as a statement's `execute` does.
  public static func fetchCount(_ db: Database) throws -> Int { try all.fetchCount(db) }

  /// The rows of the default scope one at a time. Throws as a statement's `fetchCursor` does.
  @inlinable
  public static func fetchCursor(_ db: Database) throws -> QueryCursor<QueryOutput> {
    try db.cursor(SingleRow<Self>.self, all.serialized)
  }
}

extension PrimaryKeyedTable {
  /// The row with the key. Throws `NotFound` if there is none.
  @inlinable
  public static func find(_ db: Database, key: PrimaryKey.QueryOutput) throws -> QueryOutput {
    try all.find(db, key: key)
  }
}

extension Where where From: PrimaryKeyedTable {
  /// The row with the key, if it is among these. Throws `NotFound` if there is none.
  @inlinable
  public func find(_ db: Database, key: From.PrimaryKey.QueryOutput) throws -> From.QueryOutput {
    guard let row = try db.fetch(SingleRow<From>.self, find(key).serialized, limit: 1).first else {
      throw NotFound(table: From.tableName)
    }
    return row
  }
}

extension Select where QueryValue: PrimaryKeyedTable, Sources == Tables1<QueryValue> {
  /// The row with the key, if it is among these. Throws `NotFound` if there is none.
  @inlinable
  public func find(_ db: Database, key: QueryValue.PrimaryKey.QueryOutput) throws -> QueryValue.QueryOutput {
    guard let row = try db.fetch(SingleRow<QueryValue>.self, find(key).serialized, limit: 1).first else {
      throw NotFound(table: QueryValue.tableName)
    }
    return row
  }
}

extension NotFound: LocalizedError {
  /// The error's sentence.
  public var errorDescription: String? { description }
}
