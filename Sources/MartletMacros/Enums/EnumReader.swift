import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Makes an `EnumModel` of an enum's source.
///
/// Always true: it reports every mistake it finds, and returns a model only if no case was refused.
struct EnumReader {
  private let declaration: EnumDeclSyntax
  private let typeName: String
  private let naming: SelfNaming
  /// What the enum's `Codable` conformance calls its cases.
  private let codingKeys: CodingKeyNames
  private let reporter: Reporter

  private init(_ declaration: EnumDeclSyntax, _ reporter: Reporter) {
    self.declaration = declaration
    self.reporter = reporter
    typeName = declaration.name.text + (declaration.genericParameterClause?.arguments ?? "")
    naming = SelfNaming(typeName)
    codingKeys = CodingKeyNames(of: declaration.memberBlock)
  }

  /// Nil if something was reported.
  static func model(
    of declaration: EnumDeclSyntax, _ context: some MacroExpansionContext, _ reporter: Reporter
  ) -> EnumModel? {
    let lexicalContext = context.lexicalContext
    guard !lexicalContext.isLocal else {
      reporter(declaration.name, .localTable(declaration.name))
      return nil
    }
    var isHidden = false
    let noting = Reporter { diagnostic in
      isHidden = true
      reporter.report(diagnostic)
    }
    lexicalContext.checkVisible(declaration.name, declaration.modifiers, noting)
    guard !isHidden else { return nil }
    let reader = EnumReader(declaration, reporter)
    let members = ActiveMembers.of(declaration.memberBlock, context.buildConfiguration, reporter)
    guard let cases = reader.cases(among: members) else { return nil }
    return EnumModel(
      typeName: reader.typeName, access: Access(declaration.modifiers, in: lexicalContext), cases: cases,
      isGeneric: declaration.genericParameterClause != nil || lexicalContext.contains(where: \.isGenericScope))
  }

  /// Nil if one of them is no column, or if there is none.
  private func cases(among members: [DeclSyntax]) -> [EnumModel.Case]? {
    var cases: [EnumModel.Case] = []
    var failed = false
    for declared in members.compactMap({ $0.as(EnumCaseDeclSyntax.self) }) {
      let attributes = ColumnAttributes(declared.attributes, naming: naming, reporter)
      for element in declared.elements {
        if let one = column(of: element, declared, attributes) { cases.append(one) } else { failed = true }
      }
    }
    if cases.isEmpty, !failed {
      failed = true
      reporter(
        declaration.name,
        Message("noCases", "Give '\(declaration.name.text)' at least one case with a value: each is a column."))
    }
    let counting = Reporter { diagnostic in
      failed = true
      reporter.report(diagnostic)
    }
    ReservedNames.check(cases: cases.map(\.name), of: declaration, counting)
    return failed ? nil : cases
  }

  private func column(
    of element: EnumCaseElementSyntax, _ declared: EnumCaseDeclSyntax, _ attributes: ColumnAttributes
  ) -> EnumModel.Case? {
    guard let values = element.parameterClause?.parameters, let value = values.first, values.count == 1 else {
      refuse(element)
      return nil
    }
    guard isColumn(value.type, of: element, declared, attributes) else { return nil }
    let isOptional = value.type.wrappedType != nil
    var wrapped = naming.text(value.type.wrappedType ?? value.type)
    if let representation = attributes.representation {
      wrapped = TypeSyntax("\(raw: representation)").wrappedType?.trimmedDescription ?? representation
    }
    let label = value.firstName.flatMap { $0.text == "_" ? nil : $0.text }
    let name = element.name.text.unquoted
    let valueKeys = CodingKeyNames(
      "\(name.prefix(1).uppercased())\(name.dropFirst())CodingKeys", of: declaration.memberBlock)
    return EnumModel.Case(
      name: element.name.text, columnName: attributes.name ?? name, type: isOptional ? "\(wrapped)?" : wrapped,
      wrapped: wrapped, isOptional: isOptional, label: label.map { "\($0): " } ?? "",
      codingKeys: (codingKeys[name], valueKeys[label ?? "_0"]))
  }

  /// Whether the text of a case's type may mean a column or a group; reports if it cannot.
  private func isColumn(
    _ type: TypeSyntax, of element: EnumCaseElementSyntax, _ declared: EnumCaseDeclSyntax,
    _ attributes: ColumnAttributes
  ) -> Bool {
    let name = element.name.text.unquoted
    if type.isFunction || type.isTuple {
      let what = type.isFunction ? "A function" : "A tuple"
      reporter(
        type,
        Message("noCaseType", "\(what) cannot be stored in a column. Give '\(name)' a value, or a '@Selection' struct.")
      )
      return false
    }
    if (type.wrappedType ?? type).trimmedDescription == typeName {
      reporter(type, Message("recursive", "Give '\(name)' another value: a row has no end of columns."))
      return false
    }
    guard attributes.representation == nil, let collection = type.collection else { return true }
    let fix = "@Column(as: \(collection).JSONRepresentation.self)"
    let isAlone = declared.elements.count == 1 && attributes.attribute == nil
    reporter(
      type,
      Message("collection", "A column is one value. For JSON write '\(fix)' above '\(name)'."),
      fixIts: isAlone ? [.inserting(fix, before: declared, "Write '\(fix)'")] : [])
    return false
  }

  private func refuse(_ element: EnumCaseElementSyntax) {
    let name = element.name.text
    guard element.parameterClause == nil else {
      reporter(
        element,
        Message("caseValues", "Put the values of '\(name)' into one '@Selection struct': a case has one value."))
      return
    }
    reporter(
      element.name,
      Message("caseValue", "Give the case '\(name)' a value, which is its column: `case \(name)(Bool)`."),
      fixIts: [.replacing(element.name, with: "\(name)(Bool)", "Give it a 'Bool'")])
  }
}
