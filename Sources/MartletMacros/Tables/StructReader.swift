import SwiftDiagnostics
import SwiftIfConfig
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Makes a `StructModel` of a struct's source.
///
/// Always true: it reports every mistake it finds, and returns a model only if it found none, or just two keys.
struct StructReader {
  let declaration: StructDeclSyntax
  /// The members that the compiler sees.
  let members: [DeclSyntax]
  let role: StructModel.Role
  let naming: SelfNaming
  let typeName: String
  let reporter: Reporter

  init(
    _ declaration: StructDeclSyntax, role: StructModel.Role, configuration: (any BuildConfiguration)?,
    reporter: Reporter
  ) {
    self.declaration = declaration
    members = ActiveMembers.of(declaration.memberBlock, configuration, reporter)
    self.role = role
    self.reporter = reporter
    typeName = declaration.name.text + (declaration.genericParameterClause?.arguments ?? "")
    naming = SelfNaming(typeName)
  }

  /// Nil if an error was reported that is none of two keys.
  static func model(
    of declaration: StructDeclSyntax, role: StructModel.Role, attribute: AttributeSyntax,
    context: some MacroExpansionContext, reporter: Reporter
  ) -> StructModel? {
    guard !context.lexicalContext.isLocal else {
      reporter(declaration.name, .localTable(declaration.name))
      return nil
    }
    var failed = false
    let counting = Reporter { diagnostic in
      // Of two keys the first is taken, so that what uses the table compiles.
      let isRefusal = (diagnostic.diagMessage as? Message)?.isRefusal
      if isRefusal ?? (diagnostic.diagMessage.severity == .error) { failed = true }
      reporter.report(diagnostic)
    }
    let reader = StructReader(
      declaration, role: role, configuration: context.buildConfiguration, reporter: counting)
    let model = reader.model(attribute, context.lexicalContext)
    if role == .table { reader.checkScope(reporter) }
    context.lexicalContext.checkVisible(declaration.name, declaration.modifiers, counting)
    return failed ? nil : model
  }

  private func model(_ attribute: AttributeSyntax, _ lexicalContext: [Syntax]) -> StructModel {
    let names = TableNames(attribute, reporter)
    let codingKeys = CodingKeyNames(of: declaration.memberBlock)
    var columns: [ColumnModel] = []
    var keys: [(column: Int, attributes: ColumnAttributes, isExplicit: Bool)] = []
    for variable in members.compactMap({ $0.as(VariableDeclSyntax.self) }) {
      let attributes = ColumnAttributes(variable.attributes, naming: naming, reporter)
      for var column in self.columns(of: variable, attributes) {
        column.codingKey = codingKeys[column.property]
        let isKey = attributes.isPrimaryKey ?? (role == .table && column.property == "id")
        if isKey { keys.append((columns.count, attributes, attributes.isPrimaryKey != nil)) }
        if names.isLazyInitializable, attributes.isLazyInitializable == nil, !isKey, !column.isOptional,
          !column.isGenerated
        {
          column.isLazyInitializable = true
        }
        columns.append(column)
      }
    }
    if columns.isEmpty {
      reporter(
        declaration.name,
        Message("noColumns", "Give '\(declaration.name.text)' at least one stored property: each is a column."))
    }
    checkNames(columns)
    checkParameters(columns)
    checkKeys(keys, columns)
    if role == .table, let key = keys.first { columns[key.column].isPrimaryKey = true }
    ReservedNames.check(columns: columns, of: declaration, reporter)
    return StructModel(
      role: role, typeName: typeName, tableName: names.name ?? Plural.tableName(of: declaration.name.text.unquoted),
      schemaName: names.schema, columns: columns, access: Access(declaration.modifiers, in: lexicalContext),
      isGeneric: declaration.genericParameterClause != nil || lexicalContext.contains(where: \.isGenericScope),
      hasMemberwiseInitializer: MemberwiseInitializer.isThere(for: declaration, members),
      inherited: declaration.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? [],
      declaredMembers: Set(members.filter { !$0.isStaticVariable }.compactMap(\.declaredName)),
      declaredStatics: Set(members.filter(\.isStaticVariable).compactMap(\.declaredName)))
  }

  // MARK: - Properties

  private func columns(of variable: VariableDeclSyntax, _ attributes: ColumnAttributes) -> [ColumnModel] {
    let modifiers = variable.modifiers.map(\.name.text)
    let isStored = variable.bindings.allSatisfy(\.isStored)
    if modifiers.contains("static") || modifiers.contains("class") { return [] }
    if let attribute = attributes.attribute, !isStored || modifiers.contains("lazy") {
      let name = attribute.attributeName.trimmedDescription
      reporter(
        attribute,
        Message(
          "computedColumn", "A computed property is no column. Remove '@\(name)', or store the property."),
        fixIts: [.replacing(attribute, with: "", "Remove '@\(name)'")])
      return []
    }
    guard isStored, !modifiers.contains("lazy") else { return [] }
    if attributes.isEphemeral {
      checkEphemeral(variable)
      return []
    }
    var columns: [ColumnModel] = []
    for (index, binding) in variable.bindings.enumerated() {
      // `var x, y: Int` gives its type to both.
      let later = variable.bindings.dropFirst(index).first { $0.typeAnnotation != nil || $0.initializer != nil }
      let annotated = binding.initializer == nil ? later?.typeAnnotation : binding.typeAnnotation
      if let column = column(binding, annotated?.type, variable, attributes) { columns.append(column) }
    }
    return columns
  }

  private func column(
    _ binding: PatternBindingSyntax, _ annotation: TypeSyntax?, _ variable: VariableDeclSyntax,
    _ attributes: ColumnAttributes
  ) -> ColumnModel? {
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      reporter(binding.pattern, Message("pattern", "Declare each column by itself: `var title: String`."))
      return nil
    }
    let property = pattern.identifier.text
    let value = binding.initializer?.value
    guard let type = annotation ?? value.flatMap(inferredType) else {
      reportMissingType(of: property, binding.pattern, value)
      return nil
    }
    guard isColumn(type, of: property, variable, attributes) else { return nil }
    let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
    if !isVariable, value != nil {
      reporter(
        variable.bindingSpecifier,
        Message("constant", "'\(property)' would never be read from a row: a `let` keeps its value. Make it a `var`."),
        fixIts: [.replacing(variable.bindingSpecifier, with: "var", "Make it a `var`")])
      return nil
    }
    var access = Access(variable.modifiers)
    if access == .private { access = .fileprivate }
    // An implicitly unwrapped optional is stored as an optional.
    let unforced = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType.trimmed
    let written = unforced.map { TypeSyntax("\($0)?") }
    return ColumnModel(
      property: property, name: attributes.name ?? property.unquoted, type: "\(raw: naming.text(written ?? type))",
      representation: attributes.representation, defaultValue: value.map(defaultText),
      literal: value.flatMap { $0.isPlainLiteral ? $0.trimmedDescription : nil }, codingKey: property.unquoted,
      isVariable: isVariable, isGenerated: attributes.isGenerated,
      isLazyInitializable: attributes.isLazyInitializable ?? false, access: access)
  }

  private func reportMissingType(of property: String, _ pattern: PatternSyntax, _ value: ExprSyntax?) {
    guard let wrapped = value.flatMap(InferredType.ofFailable)?.trimmedDescription else {
      reporter(
        pattern, Message("missingType", "Write the type of '\(property)': `var \(property): <#Type#>`."),
        fixIts: [.replacing(pattern, with: "\(property): <#Type#>", "Write the type of '\(property)'")])
      return
    }
    reporter(
      pattern,
      Message("failable", "Write the type of '\(property)', which may be nil: `var \(property): \(wrapped)?`."),
      fixIts: [.replacing(pattern, with: "\(property): \(wrapped)?", "Write the type of '\(property)'")])
  }

  /// The value as an argument, where no `if` and no `switch` can stand by itself.
  private func defaultText(of value: ExprSyntax) -> String {
    let text = naming.text(value)
    return value.is(IfExprSyntax.self) || value.is(SwitchExprSyntax.self) ? "{ \(text) }()" : text
  }

  /// Whether the text of a property's type may mean a column or a group; reports if it cannot.
  private func isColumn(
    _ type: TypeSyntax, of property: String, _ variable: VariableDeclSyntax, _ attributes: ColumnAttributes
  ) -> Bool {
    if type.isFunction || type.isTuple {
      let what = type.isFunction ? "A function" : "A tuple"
      let remedy =
        type.isFunction ? "Mark '\(property)' with '@Ephemeral'." : "Make '\(property)' a '@Selection' struct."
      let fixIts = type.isFunction ? [FixIt.inserting("@Ephemeral", before: variable, "Write '@Ephemeral'")] : []
      reporter(type, Message("noColumnType", "\(what) cannot be stored in a column. \(remedy)"), fixIts: fixIts)
      return false
    }
    if attributes.representation == nil, let collection = type.collection {
      let fix = "@Column(as: \(collection).JSONRepresentation.self)"
      reporter(
        type,
        Message("collection", "A column is one value. For JSON write '\(fix)' above '\(property)'."),
        fixIts: attributes.attribute == nil ? [.inserting(fix, before: variable, "Write '\(fix)'")] : [])
      return false
    }
    return true
  }

  /// `Reminder.limit` and `Self.make()` within `Reminder` are static members, whose types the text may say.
  private func inferredType(_ value: ExprSyntax) -> TypeSyntax? {
    let call = value.as(FunctionCallExprSyntax.self)
    guard let member = (call?.calledExpression ?? value).as(MemberAccessExprSyntax.self), let base = member.base,
      ["Self", declaration.name.text].contains(base.trimmedDescription)
    else { return InferredType.of(value) }
    let name = member.declName.trimmedDescription
    if call != nil {
      let functions = members.compactMap { $0.as(FunctionDeclSyntax.self) }.filter { $0.name.text == name }
      return functions.count == 1 ? functions[0].signature.returnClause?.type : nil
    }
    let variables = members.filter(\.isStaticVariable).compactMap { $0.as(VariableDeclSyntax.self) }
    let binding = variables.flatMap(\.bindings).first { $0.pattern.trimmedDescription == name }
    return binding?.typeAnnotation?.type ?? binding?.initializer.flatMap { InferredType.of($0.value) }
  }
}

extension PatternBindingSyntax {
  /// Without accessors, or with observers only.
  fileprivate var isStored: Bool {
    guard let accessorBlock else { return true }
    guard case .accessors(let accessors) = accessorBlock.accessors else { return false }
    return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}

extension DeclSyntax {
  fileprivate var isStaticVariable: Bool {
    self.as(VariableDeclSyntax.self)?.modifiers.contains { ["static", "class"].contains($0.name.text) } == true
  }

  /// The name under which other members would collide with it.
  fileprivate var declaredName: String? {
    if let named = asProtocol((any NamedDeclSyntax).self) { return named.name.text }
    if let made = self.as(InitializerDeclSyntax.self) {
      return "init(\(made.signature.parameterClause.parameters.map { "\($0.firstName.text):" }.joined()))"
    }
    return self.as(VariableDeclSyntax.self)?.bindings.first?.pattern.trimmedDescription
  }
}
