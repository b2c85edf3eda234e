/// The public declarations of a Swift file that the formatter has laid out, found by its lines.
///
/// Always true: a declaration begins a line; it belongs to the nearest line above that opens a type or an extension and
/// is indented less.
package struct PublicDeclaration: Sendable, Equatable {
  /// Counted from 1.
  package var line: Int
  /// The declaration's own word: `func`, `init`, `var`, `struct`, ...
  package var keyword: String
  /// Without backticks; of an initializer or a subscript, the word itself.
  package var name: String
  /// The first argument's label; empty if it has none.
  package var label = ""
  /// The type that it is a member of, or that is extended; empty outside of types.
  package var owner = ""
  package var isStatic = false
  package var isRequirement = false
  /// A comment that begins with `///` stands above it and its attributes.
  package var isDocumented = false
  /// It cannot be called; its message says what to do.
  package var isUnavailable = false

  package init(line: Int, keyword: String, name: String, owner: String = "") {
    self.line = line
    self.keyword = keyword
    self.name = name
    self.owner = owner
  }

  package var isOperator: Bool { keyword == "func" && name.first.map { !$0.isLetter && $0 != "_" } ?? false }

  /// `Owner.name`, or the name alone.
  package var member: String { owner.isEmpty ? name : "\(owner).\(name)" }
}

extension PublicDeclaration {
  // Made where it is used, because a `Regex` is not `Sendable`.
  private static var pattern: Regex<(Substring, modifiers: Substring, keyword: Substring, name: Substring?)> {
    #/
    ^\s*
    (?<modifiers>(?:(?:
      @\w+(?:\([^)]*\))?|public|open|static|class|final|indirect|mutating|nonmutating|nonisolated|consuming|borrowing
      |convenience|required|override|prefix|postfix|private\(set\)|fileprivate|private|internal|package
    )\s)*)
    (?<keyword>
      func|init|var|let|subscript|case|struct|enum|class|actor|protocol|extension|typealias|associatedtype|macro
    )\b\??\s*
    (?<name>`?\w[\w.]*`?|[^\s\w(<:{]+|<+=?)?
    /#
  }

  private static let containers: Set = ["struct", "enum", "class", "actor", "protocol", "extension"]

  private struct Container {
    var indentation: Int
    var keyword: String
    var name: String
    var isPublic: Bool
  }

  package static func all(in lines: [String]) -> [PublicDeclaration] {
    let pattern = pattern
    var containers: [Container] = []
    var found: [PublicDeclaration] = []
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.isComment && !line.continuesExtension {
      let indentation = line.indentation
      while let last = containers.last, indentation <= last.indentation { containers.removeLast() }
      guard let match = line.prefixMatch(of: pattern) else { continue }
      let modifiers = match.modifiers.split(separator: " ").map(String.init)
      let keyword = String(match.keyword)
      let name = String(match.name ?? "").replacing("`", with: "")
      let parent = containers.last
      if Self.containers.contains(keyword) {
        containers.append(
          Container(indentation: indentation, keyword: keyword, name: name, isPublic: modifiers.contains("public")))
      }
      let isMember = parent.map { $0.isPublic && indentation == $0.indentation + 2 } ?? false
      let isRequirement = isMember && parent?.keyword == "protocol"
      let isCase = isMember && parent?.keyword == "enum" && keyword == "case"
      guard modifiers.contains("public") || isRequirement || isCase, keyword != "extension" else { continue }
      let attributes = Self.above(index, in: lines)
      var declaration = PublicDeclaration(
        line: index + 1, keyword: keyword, name: keyword == "init" || keyword == "subscript" ? keyword : name,
        owner: parent?.name ?? "")
      declaration.label = Self.label(line, next: index + 1 < lines.count ? lines[index + 1] : "")
      declaration.isStatic = modifiers.contains("static") || modifiers.contains("class")
      declaration.isRequirement = isRequirement
      declaration.isDocumented = attributes.isDocumented
      declaration.isUnavailable = attributes.lines.contains { $0.contains("unavailable") || $0.contains("deprecated") }
      found.append(declaration)
    }
    return found
  }

  /// The lines of attributes above a declaration, up to its comment.
  private static func above(_ index: Int, in lines: [String]) -> (lines: [String], isDocumented: Bool) {
    var attributes: [String] = []
    for line in lines[..<index].reversed() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("///") { return (attributes, true) }
      let isAttribute = text.wholeMatch(of: /@\w+(\(.*)?/) != nil
      // An attribute over several lines: the formatter indents what follows its first line.
      let continues = text.hasSuffix(",") || text.hasSuffix(")")
      guard isAttribute || (continues && line.indentation > lines[index].indentation) else { break }
      attributes.append(line)
    }
    return (attributes, false)
  }

  private static func label(_ line: String, next: String) -> String {
    guard let parenthesis = line.firstIndex(of: "(") else { return "" }
    let rest = line[line.index(after: parenthesis)...]
    let first = rest.isEmpty ? next.drop { $0 == " " } : rest[...]
    return String(first.prefix { $0.isLetter || $0.isNumber })
  }
}

extension String {
  fileprivate var indentation: Int { prefix { $0 == " " }.count }
  /// The conditions of an extension may stand on lines of their own.
  fileprivate var continuesExtension: Bool { hasPrefix("where ") || self == "where" || self == "{" }
  fileprivate var isComment: Bool { drop { $0 == " " }.hasPrefix("//") }
}
