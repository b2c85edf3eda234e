import SwiftParser
import SwiftSyntax

/// What a type's `Codable` conformance calls its properties or cases: their names, unless a nested enum `CodingKeys`
/// says otherwise.
///
/// Always true: only what the text of the type says is known; a conformance that is written by hand is not looked into.
struct CodingKeyNames {
  private let names: [String: String]

  /// - Parameter type: `CodingKeys`, or of an enum's case `NoteCodingKeys`.
  init(_ type: String = "CodingKeys", of members: MemberBlockSyntax) {
    var names: [String: String] = [:]
    for member in members.members {
      guard let keys = member.decl.as(EnumDeclSyntax.self), keys.name.text == type else { continue }
      for case let declared in keys.memberBlock.members.compactMap({ $0.decl.as(EnumCaseDeclSyntax.self) }) {
        for element in declared.elements {
          let raw = element.rawValue?.value.as(StringLiteralExprSyntax.self)?.representedLiteralValue
          names[element.name.text.unquoted] = raw
        }
      }
    }
    self.names = names
  }

  subscript(name: String) -> String { names[name.unquoted] ?? name.unquoted }
}

extension ExprSyntax {
  /// Whether it is a text, a number or a truth value as it stands, which means the same whenever it is read.
  var isPlainLiteral: Bool {
    if let text = self.as(StringLiteralExprSyntax.self) {
      return text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
    if let signed = self.as(PrefixOperatorExprSyntax.self) {
      return signed.operator.text == "-" && signed.expression.isNumber
    }
    return isNumber || self.is(BooleanLiteralExprSyntax.self)
  }

  private var isNumber: Bool { self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self) }
}
