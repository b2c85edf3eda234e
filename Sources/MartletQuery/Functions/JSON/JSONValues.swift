import Foundation
import MartletAST
import MartletValues

/// A representation that SQLite's JSON functions would embed in another form than its Swift value encodes itself.
protocol JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment
  /// What a column of the representation would hold of a member's value.
  static func extracted(_ value: QueryFragment) -> QueryFragment
}

extension JSONEmbeddable {
  /// The representation's own form of a value within JSON.
  fileprivate static func fragment(_ value: QueryFragment) -> QueryFragment { embedded(value) }
  static func extracted(_ value: QueryFragment) -> QueryFragment { value }
}

extension Bool: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment {
    let word = QueryFragment(
      .choice(
        base: value,
        branches: [
          (when: .literal(integer: 0), then: .literal(text: "false")),
          (when: .literal(integer: 1), then: .literal(text: "true")),
        ], otherwise: nil))
    return .function("json", [word])
  }
}

extension JSONRepresentation: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment { .function("json", [value]) }
}

extension Date.UnixTimeRepresentation: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment {
    DateStorage.text.date(of: DateStorage.unixTime.arguments(value))
  }

  static func extracted(_ value: QueryFragment) -> QueryFragment { .function("unixepoch", [value]) }
}

extension Date.JulianDayRepresentation: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment { DateStorage.text.date(of: [value]) }
  static func extracted(_ value: QueryFragment) -> QueryFragment { .function("julianday", [value]) }
}

extension Optional: JSONEmbeddable where Wrapped: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment { Wrapped.embedded(value) }
  static func extracted(_ value: QueryFragment) -> QueryFragment { Wrapped.extracted(value) }
}

extension UUID.BytesRepresentation: JSONEmbeddable {
  /// The bytes as a column of text would have them.
  static func embedded(_ value: QueryFragment) -> QueryFragment {
    let hexadecimal = QueryFragment.function("lower", [.function("hex", [value])])
    let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, count in
      QueryFragment.function("substr", [hexadecimal, .literal(integer: start), .literal(integer: count)])
    }
    let dashed = parts.dropFirst().reduce([parts[0]]) { $0 + [.literal(text: "-"), $1] }
    // For NULL, only the dashes are left.
    return .function("nullif", [QueryFragment(.operation(.concatenate, dashed)), .literal(text: "----")])
  }

  /// SQLite before 3.41 makes no bytes of a text.
  static func extracted(_ value: QueryFragment) -> QueryFragment {
    .bind(.invalid(QueryBindingFailure("A UUID in a document is a text. Take 'UUID' for it, or jsonMember.")))
  }
}

extension UUID.UppercasedRepresentation: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment { value }
  static func extracted(_ value: QueryFragment) -> QueryFragment { .function("upper", [value]) }
}

extension Decimal.TextRepresentation: JSONEmbeddable {
  static func embedded(_ value: QueryFragment) -> QueryFragment { .function("json", [value]) }
}

/// A type whose `Codable` form SQLite cannot make from the column's value.
private protocol JSONIncompatible {}
extension Data: JSONIncompatible {}
extension Array: JSONIncompatible where Element == UInt8 {}
extension Duration: JSONIncompatible {}
extension Optional: JSONIncompatible where Wrapped: JSONIncompatible {}

/// Values on their way into JSON: those that SQLite would store as a number or a text, while JSON has a word or a
/// structure for them.
///
/// Always true: what goes into a document is what `JSONRepresentation` would have written there.
enum JSONValues {
  /// A column's value in the JSON of its row.
  static func rowValue(_ value: QueryFragment, _ column: ColumnDescription) -> QueryFragment {
    guard rawType(column.valueType) is any JSONIncompatible.Type else { return embedded(value, as: column.valueType) }
    return .bind(
      .invalid(
        QueryBindingFailure(
          """
          The column \(column.name) cannot be part of its row's JSON: SQLite has no function for what Codable makes of \
          bytes and durations. Write a struct without it, and name the columns: jsonObject("title", $0.title).
          """)))
  }

  /// A column's value as an argument of a JSON function.
  static func embedded(_ value: QueryFragment, as type: Any.Type) -> QueryFragment {
    let type = rawType(type)
    if let type = type as? any JSONEmbeddable.Type { return type.fragment(value) }
    return exact(value, as: type)
  }

  /// The type of the raw values that stand for a type's values in columns and, as Swift writes them, in documents; the
  /// type itself if it has none, or is stored in another form than they are.
  private static func rawType(_ type: Any.Type) -> Any.Type {
    guard let column = type as? any QueryRepresentable.Type, !(type is any JSONEmbeddable.Type) else { return type }
    return rawType(ofColumn: column) ?? type
  }

  private static func rawType<Column: QueryRepresentable>(ofColumn type: Column.Type) -> Any.Type? {
    guard let named = Column.QueryUnwrapped.QueryOutput.self as? any RawRepresentable.Type else { return nil }
    return rawType(of: named, storedAs: Column.sqlType)
  }

  private static func rawType<Named: RawRepresentable>(of type: Named.Type, storedAs sqlType: String) -> Any.Type? {
    guard let raw = Named.RawValue.self as? any QueryRepresentable.Type, raw.sqlType == sqlType else { return nil }
    return rawType(raw)
  }

  /// A number with all of its digits; anything else as it is.
  static func exact(_ value: QueryFragment, as type: Any.Type) -> QueryFragment {
    guard (type as? any QueryRepresentable.Type)?.sqlType == "REAL" else { return value }
    // SQLite would write 15 digits, which are another number's.
    return .function("martlet_json_number", [value])
  }

  /// The value of a member of a document as a column would hold it.
  ///
  /// - Parameter read: the expression that reads the value, unless it is a number with all of its digits.
  static func member<Value: QueryRepresentable>(
    of document: QueryFragment, _ path: QueryFragment, as type: Value.Type,
    _ read: (QueryFragment, QueryFragment) -> QueryFragment
  ) -> QueryFragment {
    if Value.QueryUnwrapped.self == Decimal.TextRepresentation.self {
      return .function("nullif", [.operation(.jsonExtract, document, path), .literal(text: "null")])
    }
    if rawType(type) is any JSONIncompatible.Type {
      let reason = "Bytes and durations stand in a document as Codable writes them. Read them with jsonMember."
      return .bind(.invalid(QueryBindingFailure(reason)))
    }
    let value = read(document, path)
    return (type as? any JSONEmbeddable.Type)?.extracted(value) ?? value
  }

  /// A plain value as an argument of a JSON function: texts and whole numbers as they are, anything else as JSON.
  static func bound<Value: QueryRepresentable>(_ output: Value.QueryOutput, as type: Value.Type) -> QueryFragment {
    let fragment = Value.fragment(of: output)
    switch fragment.binding {
    case .text? where Value.QueryUnwrapped.self == String.self: return fragment
    case .int? where Value.QueryUnwrapped.self is any FixedWidthInteger.Type: return fragment
    case .null?: return fragment
    default: break
    }
    guard let encodable = output as? any Encodable else { return embedded(fragment, as: type) }
    return encoded(encodable)
  }

  /// Any value as JSON.
  static func encoded(_ value: any Encodable) -> QueryFragment {
    do {
      let text = String(decoding: try JSONEncoder.document(value), as: UTF8.self)
      return .function("json", [.bind(.text(text))])
    } catch {
      return .bind(.invalid(error))
    }
  }
}
