import MartletAST
import MartletSQLite
import MartletServer
import MartletValues

/// The tables that a role may use: `[roles.NAME.tables.TABLE]`.
///
/// Always true: names that differ in the case of their letters alone are one, and a mistake if both stand.
struct RoleTableReader {
  /// The tables by their names in lower case.
  private(set) var tables: [String: RoleDraft.Table] = [:]

  init(_ table: TableReader, role: String) {
    for name in table.keys {
      let place = "roles.\(role).tables.\(name)"
      guard !name.isEmpty, !name.utf8.contains(0) else {
        table.complain(name, "A table's name is missing. Write [roles.\(CellText.escaped(role)).tables.NAME].")
        continue
      }
      if !name.isComposed { table.complain(name, Self.decomposed(name)) }
      guard let one = table.table(name, name: place, keys: ConfigurationKeys.roleTable) else { continue }
      let rule = Self.rule(one, of: name)
      let named = one.has("allow") ? rule.permissions : nil
      if tables.updateValue(RoleDraft.Table(rule: rule, named: named), forKey: name.lowercasedASCII) != nil {
        table.complain(
          name, "The table '\(CellText.escaped(name))' stands there twice: SQLite ignores the case of names.")
      }
    }
  }

  /// Clients with rules send composed names only, so that two names are one to Swift if they are one to SQLite.
  private static func decomposed(_ name: String) -> String {
    "The name '\(CellText.escaped(name))' is not in Unicode's composed form (NFC). Write it so, and call the table or "
      + "column so."
  }

  private static func rule(_ table: TableReader, of name: String) -> TableRule {
    var rule = TableRule()
    if let permissions = ConfigurationReader.permissions("allow", table) {
      if !permissions.isSubset(of: .rows) {
        table.complain(
          "allow", "A table's allow has select, insert, update and delete only: the others are the role's.")
      }
      rule.permissions = permissions
    }
    rule.readColumns = columns("read", table)
    rule.writeColumns = columns("write", table)
    rule.rows = condition("rows", table, of: name)
    rule.changedRows = condition("change-rows", table, of: name)
    rule.newRows = condition("new-rows", table, of: name) ?? rule.rows
    return rule
  }

  private static func columns(_ key: String, _ table: TableReader) -> [String]? {
    guard let names = table.texts(key) else { return nil }
    if names.isEmpty { table.complain(key, "\(key) names no column. Name one, or take the permission out of allow.") }
    for name in names where name.text.isEmpty || name.text.utf8.contains(0) {
      table.mistakes.add(name.line, "A column's name is missing.")
    }
    for name in names where !name.text.isComposed { table.mistakes.add(name.line, Self.decomposed(name.text)) }
    return names.map(\.text)
  }

  private static func condition(_ key: String, _ table: TableReader, of name: String) -> RowRule? {
    guard let text = table.text(key) else { return nil }
    do throws(RowRule.Invalid) {
      let rule = try RowRule(text)
      let trial = TableRule(rows: rule).trial(of: name) ?? ""
      if let words = SQLiteLibrary.fault(of: trial, naming: rule.words.union([name.lowercasedASCII])) {
        table.complain(key, "\(key): SQLite does not take the condition: \(words).")
      }
      return rule
    } catch {
      table.complain(key, "\(key): \(error.sentence)")
      return nil
    }
  }
}
