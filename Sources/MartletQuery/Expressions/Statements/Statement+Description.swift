import MartletAST
public import MartletValues

@_exported public import struct MartletValues.RequestError

/// Statements for people: the SQL with its values in it, and which part of it an error means.
///
/// Always true: this text is for logs, tests and debuggers; what is sent is the tree with its parameters.
extension Statement {
  /// The SQL with its values in place of its parameters: to paste into a shell.
  public var description: String { serialized(inliningValues: true).rendered }

  public var debugDescription: String { description }

  /// The SQL that a server makes of the tree; the error's sentence if it would refuse the tree.
  public var sql: String { serialized.rendered }

  /// The part of the SQL that an error's `path` means, which is what the Swift expression at fault became; nil where
  /// the error names none, or is about a tree that cannot be written as SQL.
  public func part(at error: RequestError) -> String? {
    // A batch puts its step before the path, raw text its offset behind it.
    var path = error.path[...]
    if path.hasPrefix("steps[") { path = path.drop { $0 != "." }.dropFirst() }
    path = path.prefix { $0 != "@" }
    guard let rendered = try? StatementRenderer.newest.render(tree, collectsSpans: true) else { return nil }
    while !path.isEmpty {
      if let span = rendered.spans.last(where: { $0.path == path }) {
        return String(decoding: Array(rendered.sql.utf8)[span.range], as: UTF8.self)
      }
      path = path[..<(path.lastIndex(of: ".") ?? path.startIndex)]
    }
    return nil
  }

  /// An error with the part of the SQL that it means: `no such column: titel, at "reminders"."titel"`.
  public func explain(_ error: RequestError) -> String {
    guard let part = part(at: error) else { return error.message }
    return "\(error.message)\nat \(error.path):\n\(part)"
  }
}

extension SerializedStatement {
  /// The SQL; an error's sentence if a server would refuse the tree.
  var rendered: String {
    do { return try StatementRenderer.newest.render(ASTStatement.read(bytes)).sql } catch { return "-- \(error)" }
  }
}
