/// A row before it has its key: the nested `Draft` of a table.
///
/// Always true: it has the table's columns in their order; the key, and what the database fills in, is optional.
import SwiftSyntax

struct DraftExpansion {
  let model: StructModel

  /// What a struct of the same properties has for the asking.
  private static let synthesized: Set<String> = [
    "Equatable", "Hashable", "Sendable", "Codable", "Encodable", "Decodable", "BitwiseCopyable",
  ]

  private var access: String { model.access.prefix }

  var declaration: String {
    let conformances = ["MartletQuery.TableDraft"] + model.inherited.filter(Self.synthesized.contains)
    let parts = [properties, initializer, copying, fragments, decoding]
    return """
      \(access)nonisolated struct Draft: \(conformances.joined(separator: ", ")) {
        \(access)typealias PrimaryTable = \(model.typeName)
        \(access)typealias TableColumns = MartletQuery.DraftColumns<\(model.typeName)>

      \(parts.joined(separator: "\n\n").indented())
      }
      """
  }

  private func isOptional(_ column: ColumnModel) -> Bool {
    column.isPrimaryKey || column.isLazyInitializable || column.isGenerated
  }

  private func type(_ column: ColumnModel) -> String {
    isOptional(column) ? column.optionalType : column.type.trimmedDescription
  }

  private func queryType(_ column: ColumnModel) -> String {
    isOptional(column) ? column.optionalQueryType : column.queryType
  }

  private func prefix(_ column: ColumnModel) -> String {
    column.access == .fileprivate ? "fileprivate " : min(column.access, model.access).prefix
  }

  private var properties: String {
    model.columns.map { "\(prefix($0))var \($0.property): \(type($0))" }.joined(separator: "\n")
  }

  private var initializer: String {
    let parameters = model.columns.map { column in
      var parameter = "\(column.property): \(type(column))"
      if isOptional(column) {
        parameter += " = nil"
      } else if let value = column.defaultValue {
        parameter += " = \(value)"
      } else if column.hasDefault {
        parameter += " = nil"
      }
      return parameter
    }
    let rows = model.columns.map { "self.\($0.property) = \($0.property)" }
    let visible = model.columns.map(\.access).min().map { min($0, model.access) } ?? model.access
    let opening = visible == .fileprivate ? "fileprivate " : visible.prefix
    return """
      \(opening)init(
      \(parameters.joined(separator: ",\n").indented())
      ) {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  private var copying: String {
    let rows = model.columns.map { "self.\($0.property) = row.\($0.property)" }
    return """
      \(access)init(_ row: \(model.typeName)) {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  private var fragments: String {
    let rows = model.columns.map { "fragments += (\(queryType($0))).fragments(of: \($0.property))" }
    return """
      \(access)var columnFragments: [MartletQuery.QueryFragment] {
        var fragments: [MartletQuery.QueryFragment] = []
        fragments.reserveCapacity(\(model.columns.count))
      \(rows.joined(separator: "\n").indented())
        return fragments
      }
      """
  }

  private var decoding: String {
    let rows = model.columns.map { "self.\($0.property) = try decoder.value(\(queryType($0).asMetatype))" }
    return """
      \(access)init(decoder: inout some MartletQuery.QueryDecoder) throws {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }
}
