import MartletAST
import MartletClient
import MartletValues

/// Finds the views and triggers that a server has taken and cannot run.
///
/// SQLite takes them without a look at what they name. Those of old programs have texts in double quotes, which a
/// server takes for names, or call functions that the program had.
///
/// Always true: SQLite explains what would run them, and nothing of it runs; what cannot be asked is not found.
struct DefinitionFaults {
  private let database: DatabaseClient

  init(_ database: DatabaseClient) { self.database = database }

  /// A sentence for each, in the order of the views and then of what fires the triggers.
  func found(in objects: [DatabaseSchema.Object]) async -> [String] {
    let definitions = objects.filter { $0.kind != .index }.map {
      DefinitionTrial.Definition(isView: $0.kind == .view, name: $0.name, table: $0.table, sql: $0.sql)
    }
    var sentences: [String] = []
    var faulty: Set<String> = []
    for trial in DefinitionTrial.all(of: definitions) {
      // What is for a view that does not compile cannot be looked at.
      if trial.event != nil, faulty.contains(trial.table.lowercasedASCII) { continue }
      guard let words = await fault(of: trial) else { continue }
      if trial.event == nil { faulty.insert(trial.table.lowercasedASCII) }
      let names = trial.names.map { CellText.escaped($0) }.joined(separator: ", ")
      sentences.append(CheckText.definitionFault(of: trial.event == nil ? "view" : "trigger", names, words))
    }
    return sentences
  }

  private func fault(of trial: DefinitionTrial) async -> String? {
    guard let sql = trial.sql(trial.needsColumns ? await columns(of: trial.table) : []) else { return nil }
    do {
      _ = try await database.fetchAll(.sql("EXPLAIN QUERY PLAN " + sql, isRead: true))
      return nil
    } catch {
      guard let error = error as? RequestError, DefinitionTrial.reasons.contains(error.reason) else { return nil }
      return trial.fault(CommandFailure.sentence(error))
    }
  }

  private func columns(of table: String) async -> [String] {
    await RemoteColumn.all(of: table, through: database).filter { $0.kind == .settable }.map(\.name)
  }
}
