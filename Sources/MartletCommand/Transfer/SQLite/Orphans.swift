import MartletSQLite
import MartletValues

/// The rows of a SQLite file whose foreign keys point nowhere, which a file may hold and a server does not take.
///
/// Always true: how many there are is counted to the last one; of each kind a few are remembered by their rowids.
struct Orphans {
  struct Kind: Equatable {
    var table: String
    var parent: String
    var count = 0
    /// Row ids of the first few; none if the table has no rowids.
    var rowIDs: [Int64] = []
  }

  private(set) var kinds: [Kind] = []

  mutating func found(table: String, parent: String, rowID: Int64?) {
    let index =
      kinds.firstIndex { $0.table == table && $0.parent == parent }
      ?? {
        kinds.append(Kind(table: table, parent: parent))
        return kinds.count - 1
      }()
    kinds[index].count += 1
    if let rowID, kinds[index].rowIDs.count < CommandLimits.orphanRowsMax { kinds[index].rowIDs.append(rowID) }
  }

  /// The rows as a sentence: which they are, and what they refer to.
  var sentence: String {
    var parts = kinds.prefix(CommandLimits.orphanKindsMax).map { kind in
      let more = kind.count > kind.rowIDs.count && !kind.rowIDs.isEmpty ? ", …" : ""
      let places = kind.rowIDs.isEmpty ? "" : " (rowid \(kind.rowIDs.map(String.init).joined(separator: ", "))\(more))"
      return "\(Count.rows(kind.count)) of \(CellText.escaped(kind.table))\(places) "
        + "\(kind.count == 1 ? "refers" : "refer") to rows of \(CellText.escaped(kind.parent)) that are not there"
    }
    if kinds.count > parts.count { parts.append("and so do rows of other tables") }
    return parts.joined(separator: ", ") + "."
  }
}

extension LocalFile {
  /// Looks at every foreign key of these tables, whose names are in lower case. None are found if SQLite cannot compare
  /// the keys; then it says so at each write, too.
  func orphans(among tables: Set<String>) throws -> Orphans {
    var orphans = Orphans()
    guard let check = try? statement("PRAGMA foreign_key_check") else { return orphans }
    while try check.step() {
      try Task.checkCancellation()
      guard tables.contains(check.text(at: 0).lowercasedASCII) else { continue }
      let rowID: Int64? = check.value(at: 1).type == .integer ? check.value(at: 1).integer : nil
      orphans.found(table: check.text(at: 0), parent: check.text(at: 2), rowID: rowID)
    }
    return orphans
  }

  /// Deletes the rows whose foreign keys point nowhere, and those that refer to them then, and so on. Returns how many
  /// went from each table. The file is a copy without triggers, whose foreign keys are not checked.
  func deleteOrphans() throws -> [(table: String, rows: Int)] {
    var counts: [(table: String, rows: Int)] = []
    while true {
      var targets: [(table: String, rowID: Int64?, key: Int64)] = []
      let check = try statement("PRAGMA foreign_key_check")
      while try check.step() {
        try Task.checkCancellation()
        let rowID: Int64? = check.value(at: 1).type == .integer ? check.value(at: 1).integer : nil
        targets.append((check.text(at: 0), rowID, check.value(at: 3).integer))
      }
      var deleted = 0
      for table in Set(targets.map(\.table)).sorted() {
        let rows = try delete(targets.filter { $0.table == table }, of: table)
        deleted += rows
        if let index = counts.firstIndex(where: { $0.table == table }) {
          counts[index].rows += rows
        } else {
          counts.append((table, rows))
        }
      }
      if targets.isEmpty { return counts }
      guard deleted > 0 else { throw CommandFailure.orphansLeft }
    }
  }

  private func delete(_ targets: [(table: String, rowID: Int64?, key: Int64)], of table: String) throws -> Int {
    let before = totalChanges
    let rowIDs = targets.compactMap(\.rowID)
    if !rowIDs.isEmpty {
      let name = try rowIDName(of: table)
      let deletion = try statement("DELETE FROM \(SQLLiteral.quoted(table)) WHERE \(SQLLiteral.quoted(name)) = ?1")
      for rowID in rowIDs {
        try Task.checkCancellation()
        try deletion.bind(rowID, at: 1)
        _ = try deletion.step()
        deletion.reset()
      }
    }
    // A table without rowids is not told by them, so its keys are compared once more.
    for key in Set(targets.filter { $0.rowID == nil }.map(\.key)) {
      _ = try statement(try deletion(ofKey: key, in: table)).step()
    }
    return totalChanges - before
  }

  /// A column may have one of the rowid's names.
  private func rowIDName(of table: String) throws -> String {
    let columns = try statement("SELECT lower(name) FROM pragma_table_xinfo(?1)")
    try columns.bindText(table, at: 1)
    var names: Set<String> = []
    while try columns.step() { names.insert(columns.text(at: 0)) }
    guard let name = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) else {
      throw CommandFailure.orphansWithoutRowID(of: CellText.escaped(table))
    }
    return name
  }

  private func deletion(ofKey key: Int64, in table: String) throws -> String {
    let list = try statement(
      "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) WHERE id = ?2 ORDER BY seq")
    try list.bindText(table, at: 1)
    try list.bind(key, at: 2)
    var parent = ""
    var columns: [(from: String, to: String?)] = []
    while try list.step() {
      parent = list.text(at: 0)
      columns.append((list.text(at: 1), list.value(at: 2).type == .null ? nil : list.text(at: 2)))
    }
    if columns.contains(where: { $0.to == nil }) {
      let primary = try statement("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")
      try primary.bindText(parent, at: 1)
      for index in columns.indices where try primary.step() { columns[index].to = primary.text(at: 0) }
    }
    let child = SQLLiteral.quoted(table)
    let isSet = columns.map { "\(child).\(SQLLiteral.quoted($0.from)) IS NOT NULL" }
    let matches = columns.map { "parent.\(SQLLiteral.quoted($0.to ?? "")) = \(child).\(SQLLiteral.quoted($0.from))" }
    return "DELETE FROM \(child) WHERE \(isSet.joined(separator: " AND ")) AND NOT EXISTS (SELECT 1 FROM "
      + "\(SQLLiteral.quoted(parent)) AS parent WHERE \(matches.joined(separator: " AND ")))"
  }
}

extension Statement {
  fileprivate func text(at index: Int) -> String { String(decoding: value(at: index).textBytes, as: UTF8.self) }
}
