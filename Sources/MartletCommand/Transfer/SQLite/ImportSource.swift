import MartletAST
import MartletSQLite
import MartletValues

/// A SQLite file that is to be imported, looked at as a whole before anything is asked of a server.
///
/// Always true: what no server would take is said here, with the option that leaves it out, so that nothing is made for
/// a file that cannot come in; how many rows were left out of which table is said too.
final class ImportSource {
  /// What a person can leave out of an import.
  struct Omissions {
    var tables: [String] = []
    /// Rows whose foreign keys point nowhere.
    var orphans = false
  }

  let schema: DatabaseSchema
  /// Where the rows are: the file, or a copy of it without the rows that are left out.
  private(set) var file: LocalFile
  let bytes: Int
  /// What was left out, for people.
  private(set) var notes: [String] = []

  private let isDump: Bool
  /// Names of tables in lower case, with whether they are left out.
  private let omitted: [String: Bool]
  /// Names of virtual tables in lower case. A virtual table keeps other tables beside it.
  private let virtualTables: [String]
  private var folder: ScratchFolder?

  /// `isDump`: the file was made from a dump, and is not the person's.
  init(_ path: String, leavingOut omissions: Omissions = Omissions(), isDump: Bool = false) async throws {
    self.isDump = isDump
    bytes = try FileText.byteCount(of: path)
    file = try LocalFile(reading: path)
    let whole = try await SchemaReader(source: file).read()
    let names = Set(whole.tables.map { $0.name.lowercasedASCII })
    if let unknown = omissions.tables.first(where: { !names.contains($0.lowercasedASCII) }) {
      throw CommandFailure.noTableToSkip(
        CellText.escaped(unknown), question: Suggestion.question(unknown, among: whole.tables.map(\.name)))
    }
    schema = whole.leavingOut(omissions.tables)
    let kept = Set(schema.tables.map { $0.name.lowercasedASCII })
    omitted = Dictionary(uniqueKeysWithValues: names.map { ($0, !kept.contains($0)) })
    virtualTables = whole.tables.filter { $0.kind == .virtual }.map { $0.name.lowercasedASCII }
    try checkTables()
    guard schema.tables.contains(where: { !$0.parents.isEmpty }) else { return }
    let orphans = try await file.cancellable { try $0.orphans(among: kept) }
    guard !orphans.kinds.isEmpty else { return }
    guard omissions.orphans else {
      throw CommandFailure.orphansRefused(orphans.sentence, skip: option("--skip-orphans"))
    }
    try await leaveOrphansOut()
  }

  /// Tables, indexes, views and triggers that come in, those included that SQLite makes for them, and how many bytes
  /// their SQL has.
  var schemaSize: (objects: Int, bytes: Int) {
    get throws {
      var size = (objects: 0, bytes: 0)
      for row in try file.rows(of: .select(["tbl_name", "sql"], from: .table("sqlite_schema")), []) {
        if case .text(let table) = row[0], isLeftOut(table) { continue }
        size.objects += 1
        if case .text(let sql) = row[1] { size.bytes += sql.utf8.count }
      }
      return size
    }
  }

  /// Whether a table, or one that a virtual table keeps beside it, is left out.
  func isLeftOut(_ table: String) -> Bool {
    let name = table.lowercasedASCII
    if let isOmitted = omitted[name] { return isOmitted }
    let owner = virtualTables.filter { name.hasPrefix($0 + "_") }.max { $0.utf8.count < $1.utf8.count }
    return owner.flatMap { omitted[$0] } ?? false
  }

  /// How a person says what is to be left out.
  private func option(_ option: String) -> String {
    isDump ? "make a file of the dump with sqlite3, then martlet import \(option)" : option
  }

  private func checkTables() throws {
    let names = Set(schema.tables.map { $0.name.lowercasedASCII })
    for table in schema.tables {
      let name = CellText.escaped(table.name)
      if table.columns.contains("") {
        throw CommandFailure.columnNotNamed(of: name, skip: isDump ? nil : option("--skip \(name)"))
      }
      if case .impossible(let reason) = table.fill {
        throw CommandFailure.tableNotImported(name, reason, skip: option("--skip \(name)"))
      }
      guard let missing = table.parents.first(where: { !names.contains($0.lowercasedASCII) }) else { continue }
      guard try file.hasRows(table.name) else { continue }
      throw CommandFailure.tableRefersToMissing(name, CellText.escaped(missing), skip: option("--skip \(name)"))
    }
  }

  private func leaveOrphansOut() async throws {
    let folder = try ScratchFolder()
    let path = folder.file("file.sqlite")
    try file.copy(to: path)
    try Task.checkCancellation()
    let copy = try LocalFile(scratch: path)
    for object in schema.objects where object.kind == .trigger {
      try copy.execute(sql: "DROP TRIGGER \(SQLLiteral.quoted(object.name))")
    }
    for (table, rows) in try await copy.cancellable({ try $0.deleteOrphans() }) {
      notes.append(
        "\(Count.rows(rows)) of \(CellText.escaped(table)) left out, because \(rows == 1 ? "it points" : "they point") nowhere."
      )
    }
    try copy.commit()
    file = try LocalFile(reading: path)
    self.folder = folder
  }
}

extension LocalFile {
  func hasRows(_ table: String) throws -> Bool {
    try statement("SELECT 1 FROM \(SQLLiteral.quoted(table)) LIMIT 1").step()
  }
}
