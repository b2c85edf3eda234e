/// One example of a public method of the builder: what it calls, the nodes that it claims to make, the statement, and
/// the text of the closure as it stands in the source, which docs/METHODS.md shows.
///
/// Always true: the text is read from the file at the line of the call, so the page shows what was compiled.
import Foundation
import MartletQuery

struct MethodExample {
  /// What it shows, as `Owner.name`.
  let members: [String]
  /// Fields and values of the grammar, such as `Operator.OPERATOR_LIKE`, and functions, such as `upper()`.
  let makes: [String]
  /// The version of SQLite that has it, such as `3.45`; nil: the oldest that Martlet runs on.
  let needs: String?
  /// The Swift text between the closure's braces.
  let spelling: String
  let statement: any Statement
  /// The page shows what stands between SELECT and FROM only.
  let isExpression: Bool

  /// The SQL that the page shows.
  var sql: String {
    guard isExpression else { return statement.sql }
    let lines = statement.sql.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let end = lines.lastIndex { $0.hasPrefix("FROM ") } ?? lines.count
    return lines[..<end].joined(separator: " ").replacing("SELECT ", with: "", maxReplacements: 1)
  }
}

/// A statement as an example.
func example<S: Statement>(
  _ members: String..., makes nodes: String..., needs version: String? = nil, file: String = #filePath,
  line: Int = #line, _ statement: () -> S
) -> MethodExample {
  MethodExample(
    members: members, makes: nodes, needs: version, spelling: ClosureText.ofCall(in: file, line: line),
    statement: statement(), isExpression: false)
}

/// An expression over the columns of a table as an example.
func expression<T: Table, E: QueryExpression>(
  _ members: String..., makes nodes: String..., needs version: String? = nil, of table: T.Type = Reminder.self,
  file: String = #filePath, line: Int = #line, _ expression: (T.TableColumns) -> E
) -> MethodExample {
  MethodExample(
    members: members, makes: nodes, needs: version, spelling: ClosureText.ofCall(in: file, line: line),
    statement: T.unscoped.select { expression($0) }, isExpression: true)
}

/// A heading of the page with its examples.
struct MethodTopic {
  let title: String
  let examples: [MethodExample]

  init(_ title: String, @MethodTopicBuilder _ examples: () -> [MethodExample]) {
    self.title = title
    self.examples = examples()
  }
}

/// Examples one after the other; each is type-checked by itself.
@resultBuilder
enum MethodTopicBuilder {
  static func buildExpression(_ example: MethodExample) -> [MethodExample] { [example] }
  static func buildBlock(_ parts: [MethodExample]...) -> [MethodExample] { parts.flatMap { $0 } }
}

/// Finds the text of a trailing closure in a source file.
enum ClosureText {
  /// The closure of the call that begins at a line, without its braces and its indentation.
  static func ofCall(in file: String, line: Int) -> String {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return "" }
    let lines = text.components(separatedBy: "\n").dropFirst(line - 1)
    return unindented(closure(of: lines.joined(separator: "\n")))
  }

  /// What stands between the first brace outside of parentheses and its partner.
  private static func closure(of code: String) -> String {
    var depth = 0
    var isInText = false
    var isEscaped = false
    var braces = 0
    var result = ""
    for character in code {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isInText = false
        }
      } else {
        switch character {
        case "\"": isInText = true
        case "(": depth += 1
        case ")": depth -= 1
        case "}":
          braces -= 1
          if braces == 0 { return result }
        default: break
        }
      }
      if braces > 0 { result.append(character) }
      if !isInText, character == "{", braces > 0 || depth == 0 { braces += 1 }
    }
    return result
  }

  private static func unindented(_ closure: String) -> String {
    var lines = closure.components(separatedBy: "\n")
    if lines.count == 1 { return closure.trimmingCharacters(in: .whitespaces) }
    lines = lines.filter { !$0.allSatisfy(\.isWhitespace) }
    let indentation = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }
}
