/// `Codable` values as rows.
///
/// Always true: each key of the value is a column. Numbers, texts, dates, UUIDs, URLs and data are kept as such, and
/// what is made of several values as JSON, in a text.
extension QueryType {
  /// `INSERT INTO "users" ("id", "email") VALUES (?, ?)`. What is nil is left out, so its column has its default.
  public func insert(
    _ encodable: any Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:], otherSetters: [Setter] = []
  ) throws -> Insert {
    insert(try setters(encodable, userInfo, otherSetters, writesNil: false))
  }

  /// `INSERT OR REPLACE INTO "users" …`
  public func insert(
    or onConflict: OnConflict, encodable: any Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:],
    otherSetters: [Setter] = []
  ) throws -> Insert {
    insert(or: onConflict, try setters(encodable, userInfo, otherSetters, writesNil: false))
  }

  /// `INSERT INTO "users" ("id", "email") VALUES (?, ?), (?, ?)`. What is nil is NULL, because all rows of a statement
  /// set the same columns.
  public func insertMany(
    _ encodables: [any Encodable], userInfo: [CodingUserInfoKey: any Sendable] = [:], otherSetters: [Setter] = []
  ) throws -> Insert {
    insertMany(try encodables.map { try setters($0, userInfo, otherSetters, writesNil: true) })
  }

  /// `INSERT OR REPLACE INTO "users" … VALUES (?, ?), (?, ?)`
  public func insertMany(
    or onConflict: OnConflict, encodables: [any Encodable], userInfo: [CodingUserInfoKey: any Sendable] = [:],
    otherSetters: [Setter] = []
  ) throws -> Insert {
    insertMany(or: onConflict, try encodables.map { try setters($0, userInfo, otherSetters, writesNil: true) })
  }

  /// `INSERT … ON CONFLICT ("id") DO UPDATE SET …`. What is nil is left out: a new row has the column's default, and
  /// the row that is in the way keeps what it has. Setters among `otherSetters` make it NULL.
  public func upsert(
    _ encodable: any Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:], otherSetters: [Setter] = [],
    onConflictOf conflicting: any Expressible
  ) throws -> Insert {
    upsert(try setters(encodable, userInfo, otherSetters, writesNil: false), onConflictOf: conflicting)
  }

  /// `UPDATE "users" SET "id" = ?, "email" = ? WHERE …`. What is nil is left out, so the row keeps what it has. Setters
  /// among `otherSetters` make it NULL.
  public func update(
    _ encodable: any Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:], otherSetters: [Setter] = []
  ) throws -> Update {
    update(try setters(encodable, userInfo, otherSetters, writesNil: false))
  }

  private func setters(
    _ value: any Encodable, _ userInfo: [CodingUserInfoKey: any Sendable], _ others: [Setter], writesNil: Bool
  ) throws -> [Setter] {
    try SetterEncoder.setters(of: value, userInfo: userInfo, writesNil: writesNil) + others
  }
}

extension Row {
  /// The row as a `Codable` value, whose keys are columns. Throws `QueryError` if a column is missing or of another
  /// type, and what the type's own `init(from:)` throws.
  public func decode<V: Decodable>(userInfo: [CodingUserInfoKey: any Sendable] = [:]) throws -> V {
    try V(from: decoder(userInfo: userInfo))
  }

  /// What decodes the row.
  public func decoder(userInfo: [CodingUserInfoKey: any Sendable] = [:]) -> any Decoder {
    RowDecoder(row: self, info: userInfo)
  }
}
