import Foundation
import MartletClient

/// A check's report as text for people and as JSON for programs.
///
/// Always true: every entry of the report is in the JSON; what is fine is summed up in the text.
enum CheckText {
  static func text(_ report: CheckReport) -> String {
    var lines: [String] = []
    // The schema is looked at like a table, and is none of the person's.
    let tables = report.entries.filter { $0.check == "integrity" && $0.isOk && $0.object != "sqlite_schema" }
    for entry in report.entries where !entry.isOk {
      lines.append(problem(entry))
    }
    if tables.contains(where: \.object.isEmpty) {
      lines.append("The whole file is in order.")
    } else if !tables.isEmpty {
      lines.append("\(tables.count) \(tables.count == 1 ? "table is" : "tables are") in order.")
    }
    let numbers = report.entries.compactMap { entry in
      entry.message.isEmpty ? entry.value.map { (entry.object, $0) } : nil
    }
    for (name, number) in numbers {
      lines.append("  \(name.replacingOccurrences(of: "_", with: " ")): \(number)")
    }
    for entry in report.entries where entry.isOk && !entry.message.isEmpty { lines.append("Note: \(entry.message).") }
    lines.append(report.isOk ? "Nothing is wrong." : "Something is wrong: see above.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// What is said of a view, or of triggers that one statement fires, which SQLite cannot compile.
  static func definitionFault(of kind: String, _ names: String, _ words: String) -> String {
    names.contains(", ")
      ? "One of the \(kind)s \(names) does not compile: \(words)" : "The \(kind) \(names) does not compile: \(words)"
  }

  private static func problem(_ entry: CheckReport.Entry) -> String {
    let object = CellText.escaped(entry.object)
    switch entry.check {
    case "view", "trigger": return definitionFault(of: entry.check, object, entry.message)
    default:
      return object.isEmpty ? "\(entry.check): \(entry.message)" : "\(entry.check) of \(object): \(entry.message)"
    }
  }

  private struct Entry: Encodable {
    var check: String
    var object: String
    var ok: Bool
    var message: String?
    var value: Int64?
  }

  private struct Report: Encodable {
    var ok: Bool
    var entries: [Entry]
  }

  static func json(_ report: CheckReport) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let entries = report.entries.map { entry in
      Entry(
        check: entry.check, object: entry.object, ok: entry.isOk,
        message: entry.message.isEmpty ? nil : entry.message, value: entry.value)
    }
    let data = try encoder.encode(Report(ok: report.isOk, entries: entries))
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
