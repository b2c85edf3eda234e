import SwiftSyntax
import SwiftSyntaxBuilder

/// What a function that SQL calls expands to: a type that is registered with a database and called in queries.
///
/// Always true: it holds the Swift function and nothing else.
extension FunctionModel {
  var typeName: String { named("_$\(swiftName)") }

  /// A name made of the function's, in backticks if that one needs them.
  private func named(_ name: String) -> String { swiftName.isWord ? name : "`\(name)`" }

  /// The variable `$name`.
  var variable: String {
    let modifiers = "\(access)nonisolated \(isStatic ? "static " : "")"
    return "\(modifiers)var \(named("$\(swiftName)")): \(typeName) { \(typeName)(function: \(reference)) }"
  }

  var type: String {
    let kind = kind == .scalar ? "Scalar" : "Aggregate"
    let expression = isProperty ? ", MartletQuery.ComputedExpression" : ""
    var lines = ["\(access)nonisolated struct \(typeName): MartletQuery.\(kind)DatabaseFunction\(expression) {"]
    if isProperty {
      lines.append("  \(memberAccess)typealias QueryValue = \(result ?? "Void")")
      lines.append("  \(memberAccess)var queryFragment: MartletQuery.QueryFragment { self().queryFragment }")
    }
    lines.append("  let function: @Sendable (\(parameterTypes)) throws -> \(resultType)")
    lines.append("")
    lines.append("  \(memberAccess)var name: String { \(name.quoted) }")
    lines.append("  \(memberAccess)var argumentCount: Int? {")
    if arguments.isEmpty {
      lines.append("    0")
    } else {
      lines.append("    var count = 0")
      lines += arguments.map { "    count += \($0.queryType).columnWidth" }
      lines.append("    return count")
    }
    lines.append("  }")
    lines.append("  \(memberAccess)var isDeterministic: Bool { \(isDeterministic) }")
    lines.append("")
    lines += call(hasLabels: true)
    lines.append("")
    if arguments.contains(where: \.hasLabel) {
      lines += call(hasLabels: false)
      lines.append("")
    }
    lines += self.kind == .scalar ? scalarInvoke : aggregateInvoke
    lines.append("}")
    return lines.joined(separator: "\n")
  }

  private var parameterTypes: String {
    if case .aggregate(let element) = kind { return "[\(element)]" }
    return arguments.map(\.type.trimmedDescription).joined(separator: ", ")
  }

  // MARK: - In queries

  /// - Parameter hasLabels: those of the Swift function; SQL knows none, so a call may leave them out.
  private func call(hasLabels: Bool) -> [String] {
    let open = arguments.indices.filter { arguments[$0].isOpen }
    let generics = open.map { "Argument\($0): MartletQuery.QueryExpression" }
    let requirements = open.flatMap { index in
      let argument = arguments[index]
      return [
        "Argument\(index).QueryValue: MartletQuery.QueryRepresentable",
        "Argument\(index).QueryValue.QueryUnaliased\(argument.isOptional ? ".QueryOptional" : "")"
          + " == \(argument.queryType)",
      ]
    }
    var parameters = arguments.enumerated().map { $1.parameter(at: $0, hasLabel: hasLabels) }
    var lines: [String] = []
    if kind != .scalar {
      parameters += [
        "distinct isDistinct: Bool = false", "order: some MartletQuery.QueryExpression = MartletQuery.Unordered()",
        "filter: some MartletQuery.QueryExpression<Bool> = MartletQuery.Unfiltered()",
      ]
    }
    let clause = generics.isEmpty ? "" : "<\(generics.joined(separator: ", "))>"
    let requirement = requirements.isEmpty ? "" : " where \(requirements.joined(separator: ", "))"
    if !hasLabels { lines.append("  @_disfavoredOverload") }
    lines.append("  \(memberAccess)func callAsFunction\(clause)(")
    lines.append(parameters.map { "    \($0)" }.joined(separator: ",\n"))
    lines.append("  ) -> MartletQuery.SQLQueryExpression<\(result ?? "Void")>\(requirement) {")
    if arguments.isEmpty {
      lines.append("    let arguments: [MartletQuery.QueryFragment] = []")
    } else {
      lines.append("    var arguments: [MartletQuery.QueryFragment] = []")
      lines += arguments.indices.map { "    arguments += argument\($0).columnFragments" }
    }
    let call =
      kind == .scalar
      ? "scalar: self.name, arguments"
      : "aggregate: self.name, arguments, distinct: isDistinct, ordered: order, filtered: filter"
    lines.append("    return MartletQuery.SQLQueryExpression(\(call))")
    lines.append("  }")
    return lines
  }

  // MARK: - In the database

  private var values: [String] {
    arguments.indices.map { "    let value\($0) = try decoder.value(\(arguments[$0].queryType).self)" }
  }

  private var scalarInvoke: [String] {
    let signature = "invoke(_ decoder: inout some MartletQuery.QueryDecoder) throws -> MartletQuery.QueryBinding"
    let list = arguments.indices.map { "value\($0)" }.joined(separator: ", ")
    return ["  \(memberAccess)func \(signature) {"] + values + answer("self.function(\(list))") + ["  }"]
  }

  private var aggregateInvoke: [String] {
    guard case .aggregate(let element) = kind else { return [] }
    let list = arguments.indices.map { "value\($0)" }.joined(separator: ", ")
    var lines = ["  \(memberAccess)func step(_ decoder: inout some MartletQuery.QueryDecoder) throws -> \(element) {"]
    lines += values
    lines.append("    return \(arguments.count == 1 ? list : "(\(list))")")
    lines.append("  }")
    lines.append("")
    let rows = "_ rows: some Sequence<\(element)>"
    lines.append("  \(memberAccess)func invoke(\(rows)) throws -> MartletQuery.QueryBinding {")
    lines += answer("self.function(Array(rows))")
    return lines + ["  }"]
  }

  private func answer(_ call: String) -> [String] {
    guard let result else { return ["    try \(call)", "    return .null"] }
    return ["    let result = try \(call)", "    return \(result)(queryOutput: result).queryBinding"]
  }
}

extension FunctionModel.Argument {
  fileprivate var isOptional: Bool { TypeSyntax("\(raw: queryType)").wrappedType != nil }

  /// Whether several types of expressions fit: an optional argument also takes an expression that is never NULL, and a
  /// row also takes the row of an alias.
  fileprivate var isOpen: Bool { defaultValue == nil && !Self.scalars.contains(queryType) }

  /// Types of single values, whose expressions have one type.
  private static let scalars: Set<String> = [
    "Bool", "Data", "Date", "Decimal", "Double", "Duration", "Float", "Int", "Int16", "Int32", "Int64", "Int8",
    "String", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "UUID", "[UInt8]",
  ]

  fileprivate var hasLabel: Bool { label != "_" }

  fileprivate func parameter(at index: Int, hasLabel: Bool) -> String {
    let label = hasLabel ? self.label : "_"
    let type = isOpen ? "Argument\(index)" : "some MartletQuery.QueryExpression<\(queryType)>"
    let name = label == "argument\(index)" ? label : "\(label) argument\(index)"
    let value = defaultValue.map { " = \(queryType)(queryOutput: \($0))" } ?? ""
    return "\(name): \(type)\(value)"
  }
}
