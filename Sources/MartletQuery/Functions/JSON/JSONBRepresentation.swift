import Foundation
import MartletAST

/// A `Codable` value as a BLOB of SQLite's binary JSON, which is read back as text.
///
/// Always true: it is written through `jsonb` and read through `json`, so what crosses the wire is text. Older versions
/// of SQLite refuse both with the version that has them.
public struct JSONBRepresentation<Output: Codable>: QueryRepresentable {
  public static var sqlType: String { "BLOB" }
  public static var isBinaryJSON: Bool { true }
  /// A document of a number or a text sorts by its bytes, of which the first is its length.
  public static var sortsAsStored: Bool { !(Output.self is any Comparable.Type) }
  public var queryOutput: Output

  public init(queryOutput: Output) { self.queryOutput = queryOutput }

  public init(decoder: inout some QueryDecoder) throws {
    queryOutput = try JSONRepresentation<Output>(decoder: &decoder).queryOutput
  }

  public var queryFragment: QueryFragment {
    .function("jsonb", [.bind(JSONRepresentation(queryOutput: queryOutput).queryBinding)])
  }
}

extension JSONBRepresentation: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment { .function("json", [value]) }
}

extension Decodable where Self: Encodable {
  /// `Value.JSONBRepresentation`, to name it in a column: `as: [String].JSONBRepresentation.self`.
  public typealias JSONBRepresentation = MartletQuery.JSONBRepresentation<Self>
}
