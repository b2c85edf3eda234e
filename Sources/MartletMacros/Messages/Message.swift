import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What a macro tells a person: a sentence that says what to do, at the place where to do it, with a fix if one is
/// obvious.
///
/// Always true: a message says what to write, not only what is wrong.
struct Message: DiagnosticMessage, FixItMessage {
  var message: String
  var name: String
  var severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "MartletMacros", id: name) }
  var fixItID: MessageID { diagnosticID }

  init(_ name: String, _ message: String, severity: DiagnosticSeverity = .error) {
    self.name = name
    self.message = message
    self.severity = severity
  }

  static func localTable(_ type: TokenSyntax) -> Message {
    Message(
      "localTable",
      "Move '\(type.text)' out of the function, into a file or a type: a local type cannot conform later.")
  }

  /// A table of two keys, which is one all the same.
  static func twoKeys(_ sentence: String) -> Message { Message("twoKeys", sentence) }

  /// Whether nothing is written for a type of which this is said.
  var isRefusal: Bool { severity == .error && name != "twoKeys" }

  /// - Parameter type: the one that has the macro, or one around it.
  static func hiddenType(_ type: String) -> Message {
    Message("hiddenType", "Make '\(type)' 'fileprivate': the extension that the macro writes does not see it.")
  }
}

/// Where messages of one expansion go.
///
/// Always true: a macro with several roles speaks in one of them, so nobody reads a message twice.
struct Reporter {
  let report: (Diagnostic) -> Void

  static var silent: Reporter { Reporter { _ in } }

  func callAsFunction(_ node: some SyntaxProtocol, _ message: Message, fixIts: [FixIt] = []) {
    report(Diagnostic(node: Syntax(node), message: message, fixIts: fixIts))
  }
}

extension FixIt {
  /// Writes a word before a declaration.
  static func inserting(_ word: String, before node: some SyntaxProtocol, _ sentence: String) -> FixIt {
    let first = node.firstToken(viewMode: .sourceAccurate) ?? .identifier("")
    return replacing(first, with: "\(word) \(first.text)", sentence)
  }

  /// Writes another text in the place of a node; what stood around it stays.
  static func replacing(_ node: some SyntaxProtocol, with text: String, _ sentence: String) -> FixIt {
    var replacement = Syntax(TokenSyntax(.identifier(text), presence: .present))
    replacement.leadingTrivia = node.leadingTrivia
    replacement.trailingTrivia = node.trailingTrivia
    return FixIt(
      message: Message("fix", sentence), changes: [.replace(oldNode: Syntax(node), newNode: replacement)])
  }
}
