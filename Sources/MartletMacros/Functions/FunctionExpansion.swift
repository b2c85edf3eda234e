/// What `@DatabaseFunction` writes: a type that reads arguments, calls the Swift function and binds the result, and the
/// value `$name` of it.
///
/// Always true: `$name(…)` takes the labels of the Swift function and expressions in the place of values.
struct FunctionExpansion {
  let model: FunctionModel

  private var typeName: String { "_$\(model.swiftName.unquoted)" }
  private var access: String { model.access == .private ? "fileprivate " : model.access.prefix }
  private var result: String { model.result ?? "Void" }

  var declarations: [String] { [type, value] }

  private var value: String {
    let owner = model.isStatic && model.isMember ? "static " : ""
    let place = model.isMember && !model.isStatic ? "self." : ""
    let call: String
    if model.isProperty {
      call = "{ \(place)\(model.swiftName) }"
    } else {
      let arguments = model.parameters.indices.map { index in
        let label = model.parameters[index].label.map { "\($0): " } ?? ""
        return "\(label)$\(index)"
      }
      call = "{ \(model.isThrowing ? "try " : "")\(place)\(model.swiftName)(\(arguments.joined(separator: ", "))) }"
    }
    return "\(access)nonisolated \(owner)var $\(model.swiftName.unquoted): \(typeName) { \(typeName)(body: \(call)) }"
  }

  private var type: String {
    let kind = model.elements == nil ? "ScalarDatabaseFunction" : "AggregateDatabaseFunction"
    let members = model.elements.map(aggregate) ?? scalar
    let widths = (model.elements ?? model.parameters.map(\.queryType)).map { "(\($0)).columnWidth" }
    return """
      \(access)nonisolated struct \(typeName): MartletQuery.\(kind) {
        \(access)var name: String { \(model.sqlName.quoted) }
        \(access)var argumentCount: Int? { \(widths.isEmpty ? "0" : widths.joined(separator: " + ")) }
        \(access)var isDeterministic: Bool { \(model.isDeterministic) }

      \(members.joined(separator: "\n\n").indented())
      }
      """
  }

  // MARK: - Of one row

  private var scalar: [String] {
    let types = model.parameters.map { "(\($0.queryType)).QueryOutput" }
    let output = model.result.map { "(\($0)).QueryOutput" } ?? "Void"
    let effect = model.isProperty ? "" : "throws "
    return [
      "fileprivate let body: @Sendable (\(types.joined(separator: ", "))) \(effect)-> \(output)", scalarCall,
      scalarInvoke,
    ]
  }

  private var scalarCall: String {
    let parameters = model.parameters.map { parameter in
      let value = parameter.defaultValue.map { $0 == "nil" ? " = nil as \(parameter.queryType)" : " = \($0)" } ?? ""
      return "\(labelled(parameter)): some MartletQuery.QueryExpression<\(parameter.queryType)>\(value)"
    }
    return call(parameters, of: model.parameters.map(\.name), "function")
  }

  private var scalarInvoke: String {
    let names = model.parameters.indices.map { "value\($0)" }
    let reads = zip(names, model.parameters).map { "let \($0) = try decoder.value((\($1.queryType)).self)" }
    let call = "body(\(names.joined(separator: ", ")))"
    let lines = reads + answer(call, throws: !model.isProperty)
    return """
      \(access)func invoke(_ decoder: inout some MartletQuery.QueryDecoder) throws -> MartletQuery.QueryBinding {
      \(lines.joined(separator: "\n").indented())
      }
      """
  }

  // MARK: - Of many rows

  private func aggregate(_ elements: [String]) -> [String] {
    let outputs = elements.map { "(\($0)).QueryOutput" }
    let element = outputs.count == 1 ? outputs[0] : "(\(outputs.joined(separator: ", ")))"
    let output = model.result.map { "(\($0)).QueryOutput" } ?? "Void"
    let reads = elements.map { "try decoder.value((\($0)).self)" }
    let label = model.parameters.first.map(labelled) ?? "_ rows"
    let name = model.parameters.first?.name ?? "rows"
    let names = elements.indices.map { $0 == 0 ? name : "\(name)\($0)" }
    var parameters = elements.indices.map { index in
      "\(index == 0 ? label : "_ \(names[index])"): some MartletQuery.QueryExpression<\(elements[index])>"
    }
    parameters += [
      "distinct: Bool = false", "filter: some MartletQuery.QueryExpression<Bool> = MartletQuery.Unfiltered()",
    ]
    return [
      "\(access)typealias Element = \(element)",
      "fileprivate let body: @Sendable (AnySequence<\(element)>) throws -> \(output)",
      call(parameters, of: names, "aggregate"),
      """
      \(access)func step(_ decoder: inout some MartletQuery.QueryDecoder) throws -> \(element) {
        \(reads.count == 1 ? reads[0] : "(\(reads.joined(separator: ", ")))")
      }
      """,
      """
      \(access)func invoke(_ rows: some Sequence<\(element)>) throws -> MartletQuery.QueryBinding {
      \(answer("body(AnySequence(rows))", throws: true).joined(separator: "\n").indented())
      }
      """,
    ]
  }

  // MARK: - Both

  private func call(_ parameters: [String], of names: [String], _ kind: String) -> String {
    let rows = names.map { "arguments += \($0).columnFragments" }
    let clauses =
      kind == "aggregate"
      ? ", distinct: distinct, filter: filter is MartletQuery.Unfiltered ? nil : filter.queryFragment" : ""
    return """
      \(access)func callAsFunction(
      \(parameters.joined(separator: ",\n").indented())
      ) -> MartletQuery.SQLQueryExpression<\(result)> {
        \(names.isEmpty ? "let" : "var") arguments: [MartletQuery.QueryFragment] = []
      \(rows.joined(separator: "\n").indented())
        return MartletQuery.SQLQueryExpression<\(result)>(\(kind): name, arguments\(clauses))
      }
      """
  }

  private func answer(_ call: String, throws isThrowing: Bool) -> [String] {
    let call = isThrowing ? "try \(call)" : call
    guard let result = model.result else { return [call, "return .null"] }
    return ["return (\(result))(queryOutput: \(call)).queryBinding"]
  }

  private func labelled(_ parameter: FunctionParameter) -> String {
    guard let label = parameter.label else { return "_ \(parameter.name)" }
    return label == parameter.name ? label : "\(label) \(parameter.name)"
  }
}
