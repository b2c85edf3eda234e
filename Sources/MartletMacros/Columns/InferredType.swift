import SwiftSyntax
import SwiftSyntaxBuilder

/// The type of a property that is written without one, from the value that it begins with.
///
/// Always true: only what the text itself says is inferred; anything else asks for a type annotation.
enum InferredType {
  /// `""` is `String`, `-1` is `Int`, `Priority.low` is `Priority`, `[String]()` is `[String]`; nil: write the type.
  static func of(_ value: ExprSyntax) -> TypeSyntax? {
    if value.is(StringLiteralExprSyntax.self) { return "String" }
    if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if value.is(FloatLiteralExprSyntax.self) { return "Double" }
    if value.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    if let prefix = value.as(PrefixOperatorExprSyntax.self) { return of(prefix.expression) }
    if let tuple = value.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return of(only.expression)
    }
    if let sequence = value.as(SequenceExprSyntax.self) { return ofSequence(sequence) }
    if let forced = value.as(ForceUnwrapExprSyntax.self) {
      return ofFailable(forced.expression) ?? of(forced.expression)
    }
    if ofFailable(value) != nil { return nil }
    if let tried = value.as(TryExprSyntax.self), tried.questionOrExclamationMark?.text != "?" {
      return of(tried.expression)
    }
    if let array = value.as(ArrayExprSyntax.self), let first = array.elements.first {
      return of(first.expression).map { "[\($0)]" }
    }
    if let dictionary = value.as(DictionaryExprSyntax.self), case .elements(let elements) = dictionary.content,
      let first = elements.first, let key = of(first.key), let value = of(first.value)
    {
      return "[\(key): \(value)]"
    }
    if let call = value.as(FunctionCallExprSyntax.self) {
      let generic = call.calledExpression.trimmedDescription
      return isGeneric(generic) ? ofGeneric(generic, call.arguments) : ofCallee(call.calledExpression)
    }
    if let member = value.as(MemberAccessExprSyntax.self) { return ofMember(member) }
    return nil
  }

  /// The type of a call that may give nil: `Int("5")`, `URL(string: text)`. Only initializers of the standard library
  /// and of Foundation are known to.
  static func ofFailable(_ value: ExprSyntax) -> TypeSyntax? {
    if let tuple = value.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
      return ofFailable(only.expression)
    }
    guard let call = value.as(FunctionCallExprSyntax.self), let first = call.arguments.first else { return nil }
    var callee = call.calledExpression
    if let made = callee.as(MemberAccessExprSyntax.self), let base = made.base, made.declName.baseName.text == "init" {
      callee = base
    }
    guard isTypeName(callee) else { return nil }
    let name = callee.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
    let isNumber = FailableInitializers.numbers.contains(name)
    let label = first.label?.text
    let mayFail =
      label.map { FailableInitializers.labels[name]?.contains($0) == true || isNumber && $0 == "exactly" }
      ?? ((isNumber || name == "Bool") && first.expression.is(StringLiteralExprSyntax.self))
    return mayFail ? "\(callee.trimmed)" : nil
  }

  /// Types of the standard library that are incomplete without their parameters. The compiler would crash on their
  /// names alone.
  private static func isGeneric(_ name: String) -> Bool {
    let name = name.hasPrefix("Swift.") ? String(name.dropFirst(6)) : name
    return ["Optional", "Optional.some", "Array", "Set", "Dictionary", "ContiguousArray", "Range", "ClosedRange"]
      .contains(name)
  }

  /// `Optional("x")` is `String?`, `Array(repeating: 0, count: 3)` is `[Int]`, `Set([1])` is `Set<Int>`.
  private static func ofGeneric(_ name: String, _ arguments: LabeledExprListSyntax) -> TypeSyntax? {
    guard let first = arguments.first, let inner = of(first.expression)?.trimmedDescription else { return nil }
    switch (name.replacing("Swift.", with: ""), first.label?.text) {
    case ("Optional", nil), ("Optional.some", nil): return "\(raw: inner)?"
    case ("Array", "repeating"): return "[\(raw: inner)]"
    case ("Array", nil) where inner.hasPrefix("["): return "\(raw: inner)"
    case ("Set", nil) where inner.hasPrefix("[") && !inner.contains(":"):
      return "Set<\(raw: String(inner.dropFirst().dropLast()))>"
    default: return nil
    }
  }

  /// `x as T` and sums of literals.
  private static func ofSequence(_ sequence: SequenceExprSyntax) -> TypeSyntax? {
    let elements = Array(sequence.elements)
    if elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self) {
      return elements[2].as(TypeExprSyntax.self)?.type.trimmed
    }
    let types = stride(from: 0, to: elements.count, by: 2).map { of(elements[$0])?.trimmedDescription }
    guard let first = types.first, let type = first, types.allSatisfy({ $0 == type }) else { return nil }
    let operators = stride(from: 1, to: elements.count, by: 2).map { elements[$0].trimmedDescription }
    guard operators.allSatisfy({ ["+", "-", "*", "/", "%"].contains($0) }) else { return nil }
    return "\(raw: type)"
  }

  /// The type that a call makes, if what is called is a type, or a static function of one.
  private static func ofCallee(_ callee: ExprSyntax) -> TypeSyntax? {
    if let array = callee.as(ArrayExprSyntax.self), array.elements.count == 1 { return "\(callee.trimmed)" }
    if callee.is(DictionaryExprSyntax.self) || callee.is(OptionalChainingExprSyntax.self) {
      return "\(callee.trimmed)"
    }
    if let generic = callee.as(GenericSpecializationExprSyntax.self), isTypeName(generic.expression) {
      return "\(callee.trimmed)"
    }
    if isGeneric(callee.trimmedDescription) { return nil }
    if isTypeName(callee) { return "\(callee.trimmed)" }
    guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
    // A method of a value most often returns the same type: `Date().addingTimeInterval(60)`.
    if let call = member.base?.as(FunctionCallExprSyntax.self), isTypeName(call.calledExpression) {
      return "\(call.calledExpression.trimmed)"
    }
    return ofMember(member)
  }

  /// `Priority.low`, `Date.now`, `UUID.init`: the type before the last point.
  private static func ofMember(_ member: MemberAccessExprSyntax) -> TypeSyntax? {
    guard let base = member.base, member.declName.baseName.text != "self" else { return nil }
    if isGeneric(base.trimmedDescription) { return nil }
    if isTypeName(base) || base.is(GenericSpecializationExprSyntax.self) { return "\(base.trimmed)" }
    if let optional = base.as(OptionalChainingExprSyntax.self), isTypeName(optional.expression) {
      return "\(base.trimmed)"
    }
    return nil
  }

  /// A name, or names with points between them, whose last one begins with a capital.
  private static func isTypeName(_ expression: ExprSyntax) -> Bool {
    if let name = expression.as(DeclReferenceExprSyntax.self) {
      return name.baseName.text.first?.isUppercase == true
    }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base else { return false }
    return member.declName.baseName.text.first?.isUppercase == true && isTypeName(base)
  }
}

/// Initializers that may give nil.
private enum FailableInitializers {
  /// Types that are made of a text, and `exactly:` of another number.
  static let numbers: Set = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
  ]

  /// Types and their initializers' first labels.
  static let labels: [String: Set<String>] = [
    "URL": ["string"], "UUID": ["uuidString"], "Decimal": ["string", "exactly"], "Data": ["base64Encoded"],
    "String": ["data", "bytes", "validating", "validatingCString", "validatingUTF8"],
    "TimeZone": ["identifier", "abbreviation", "secondsFromGMT"],
  ]
}
