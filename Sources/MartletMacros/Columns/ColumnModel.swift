import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// One stored property of a table as a column, or as a group of columns.
///
/// Always true: the property's type decides what kind of column it is, and only the compiler knows the type; the macro
/// knows only its text.
struct ColumnModel {
  /// The property, with backticks if it is written with them.
  var property: String
  /// The column's name in the database.
  var name: String
  /// The property's type.
  var type: TypeSyntax
  /// How the value is stored, if `@Column(as:)` says so.
  var representation: String?
  /// The value that the property begins with.
  var defaultValue: String?
  /// That value if it is a literal, and so the same for every row.
  var literal: String?
  /// What the type's `Codable` conformance calls the property.
  var codingKey: String
  var isVariable: Bool
  var isPrimaryKey = false
  var isGenerated = false
  var isLazyInitializable = false
  var access: Access

  var isOptional: Bool { type.wrappedType != nil }

  /// What the database's value is read as: the representation, or the type itself. The representation of an optional
  /// property is optional, whether it is written so or not.
  var queryType: String {
    guard let representation else { return type.trimmedDescription }
    // `[String]?.JSONRepresentation` is the representation of the wrapped type.
    if let member = TypeSyntax("\(raw: representation)").as(MemberTypeSyntax.self),
      let wrapped = member.baseType.wrappedType
    {
      return "\(wrapped.trimmedDescription).\(member.name.text)?"
    }
    return isOptional && ColumnModel.wrapped(representation) == nil ? "\(representation)?" : representation
  }

  /// The member type that is a column for a plain value and a group of columns for a table.
  func columnType(root: String) -> String {
    if isGenerated { return "MartletQuery.GeneratedColumn<\(root), \(queryType)>" }
    if let wrapped = ColumnModel.wrapped(queryType) {
      return "\(wrapped).OptionalQueryColumn<\(root)>"
    }
    return "\(queryType).QueryColumn<\(root)>"
  }

  /// The representation with one `Optional` around it.
  var optionalQueryType: String { ColumnModel.wrapped(queryType) == nil ? "\(queryType)?" : queryType }

  /// An optional variable is nil by default.
  var hasDefault: Bool { defaultValue != nil || (isVariable && isOptional) }

  /// The Swift type with one `Optional` around it.
  var optionalType: String { isOptional ? type.trimmedDescription : "\(type.trimmedDescription)?" }

  private static func wrapped(_ type: String) -> String? {
    TypeSyntax("\(raw: type)").wrappedType?.trimmedDescription
  }
}

/// What `@Column`, `@Columns` and `@Ephemeral` above a property say.
struct ColumnAttributes {
  var name: String?
  var representation: String?
  var isPrimaryKey: Bool?
  var isGenerated = false
  var isLazyInitializable: Bool?
  var isEphemeral = false
  /// The attribute itself, for messages.
  var attribute: AttributeSyntax?

  init(_ attributes: AttributeListSyntax, naming: SelfNaming, _ reporter: Reporter) {
    for case .attribute(let attribute) in attributes {
      switch attribute.attributeName.lastName {
      case "Ephemeral": isEphemeral = true
      case "Column", "Columns":
        self.attribute = attribute
        read(attribute, naming, reporter)
      default: break
      }
    }
  }

  private mutating func read(_ attribute: AttributeSyntax, _ naming: SelfNaming, _ reporter: Reporter) {
    guard case .argumentList(let arguments) = attribute.arguments else { return }
    for argument in arguments {
      let value = argument.expression
      switch argument.label?.text {
      case nil:
        if let text = value.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
          name = text
          if text.isEmpty {
            let attributeName = "@\(attribute.attributeName.trimmedDescription)"
            reporter(
              value, Message("emptyName", "Write the column's name between the quotes, or nothing at all."),
              fixIts: arguments.count == 1 ? [.replacing(attribute, with: attributeName, "Remove the quotes")] : [])
          }
        } else if !value.is(NilLiteralExprSyntax.self) {
          reporter(value, Message("nameLiteral", "Write the column's name as a plain text: \"is_completed\"."))
        }
      case "as":
        guard let member = value.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "self",
          let base = member.base
        else {
          reporter(
            value,
            Message("representation", "Write the representation as a type: `as: Date.UnixTimeRepresentation.self`."))
          continue
        }
        representation = naming.text(base)
      case "primaryKey": isPrimaryKey = value.flag("primaryKey", reporter)
      case "lazyInitializable": isLazyInitializable = value.flag("lazyInitializable", reporter)
      case "generated": isGenerated = !value.is(NilLiteralExprSyntax.self)
      default: break
      }
    }
  }
}
