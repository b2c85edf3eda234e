import SwiftSyntax

/// A row before it has its key: the nested `Draft` of a table.
///
/// Always true: it has every property that a person can set, with the same default; the key comes first and may be nil,
/// as may what the database fills in. What the database computes is not there.
struct DraftExpansion {
  let model: StructModel

  /// Conformances that the compiler can write for a struct of the same properties.
  private static let synthesized: Set<String> = [
    "Equatable", "Hashable", "Sendable", "Codable", "Encodable", "Decodable", "BitwiseCopyable",
  ]

  private var access: String { model.access.prefix }

  var declaration: String {
    let conformances = ["MartletQuery.TableDraft"] + model.inherited.filter(isSynthesized)
    let parts = [properties, initializer, copying, width, fragments, decoding, selection]
    return """
      \(access)nonisolated struct Draft: \(conformances.joined(separator: ", ")) {
        \(access)typealias PrimaryTable = \(model.typeName)
        \(access)typealias TableColumns = MartletQuery.DraftColumns<\(model.typeName)>

      \(parts.joined(separator: "\n\n").indented())
      }
      """
  }

  /// False if the table implements the conformance itself: its draft has other properties.
  private func isSynthesized(_ conformance: String) -> Bool {
    guard Self.synthesized.contains(conformance) else { return false }
    if ["Equatable", "Hashable"].contains(conformance) {
      return model.declaredMembers.isDisjoint(with: ["==", "hash"])
    }
    if ["Codable", "Encodable", "Decodable"].contains(conformance) {
      return model.declaredMembers.isDisjoint(with: ["CodingKeys", "encode", "init(from:)"])
    }
    return true
  }

  /// The key first, then the others as they stand.
  private var columns: [ColumnModel] {
    let columns = model.writableColumns
    return columns.filter(\.isPrimaryKey) + columns.filter { !$0.isPrimaryKey }
  }

  private func isOptional(_ column: ColumnModel) -> Bool { column.isPrimaryKey || column.isLazyInitializable }

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
    columns.map { "\(prefix($0))var \($0.property): \(type($0))" }.joined(separator: "\n")
  }

  private var initializer: String {
    let parameters = columns.map { column in
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
    let rows = columns.map { "self.\($0.property) = \($0.property)" }
    let visible = columns.map(\.access).min().map { min($0, model.access) } ?? model.access
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
    let rows = columns.map { "self.\($0.property) = row.\($0.property)" }
    return """
      \(access)init(_ row: \(model.typeName)) {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }

  /// One expression for each property of the draft, and NULL for what the table computes.
  private var selection: String {
    let parameters = columns.map { column in
      let value =
        isOptional(column)
        ? "\(queryType(column).asExpression)(queryOutput: nil)"
        : column.hasDefault ? "\(queryType(column).asExpression)(queryOutput: \(column.defaultValue ?? "nil"))" : nil
      let written = model.isGeneric ? nil : value
      return "\(column.property): some MartletQuery.QueryExpression<\(queryType(column))>"
        + (written.map { " = \($0)" } ?? "")
    }
    let fragments = RowCode.freeName("_fragments", among: model.columns)
    let rows = model.columns.map { column in
      column.isGenerated
        ? "\(fragments).append(.bind(.null))"
        : "\(fragments) += \(column.property).columnFragments(named: \(column.name.quoted))"
    }
    let visible = columns.map(\.access).min().map { min($0, model.access) } ?? model.access
    return """
      \(access)nonisolated struct Columns: MartletQuery.QueryExpression {
        \(access)typealias QueryValue = Draft

        \(access)let columnFragments: [MartletQuery.QueryFragment]

        \(access)var queryFragment: MartletQuery.QueryFragment {
          MartletQuery.QueryFragment(row: columnFragments)
        }

        \(visible == .fileprivate ? "fileprivate " : visible.prefix)init(
      \(parameters.joined(separator: ",\n").indented(2))
        ) {
          var \(fragments): [MartletQuery.QueryFragment] = []
      \(rows.joined(separator: "\n").indented(2))
          self.columnFragments = \(fragments)
        }
      }

      \(access)typealias Selection = Columns
      """
  }

  private var width: String { RowCode.columnWidth(of: model.columns.map(queryType), access) }

  private var fragments: String {
    let rows = model.columns.map { column in
      column.isGenerated
        ? "fragments.append(.bind(.null))"
        : "\(queryType(column).asExpression).bind(self.\(column.property), into: &fragments)"
    }
    return RowCode.columnFragments(rows, access)
  }

  private var decoding: String {
    let rows = model.columns.map { column in
      // What the database computes is passed over.
      let type = column.isGenerated ? column.optionalQueryType : queryType(column)
      return "\(column.isGenerated ? "_" : "self.\(column.property)") = try decoder.value(\(type.asMetatype))"
    }
    return """
      \(access)init(decoder: inout some MartletQuery.QueryDecoder) throws {
      \(rows.joined(separator: "\n").indented())
      }
      """
  }
}
