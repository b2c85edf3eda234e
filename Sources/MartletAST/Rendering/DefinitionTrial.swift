package import MartletValues

/// A statement that SQLite can only compile if it can compile a view, or triggers of a table, as well.
///
/// SQLite takes a view or a trigger without a look at what its text names, so one that came with a file may never run.
///
/// Always true: whoever compiles the statement and does not run it changes nothing and reads no row; names are quoted.
package struct DefinitionTrial: Equatable, Sendable {
  /// What fires a trigger.
  package enum Event: String, Sendable {
    case insert = "INSERT"
    case update = "UPDATE"
    case delete = "DELETE"

    /// Nil if the text is not that of a trigger as the catalogue keeps it: CREATE TRIGGER, its name, and what fires it.
    init?(trigger sql: String) {
      for token in SQLTokens(sql).dropFirst(3) {
        guard case .word(let word) = token else { continue }
        if word.uppercased() == "ON" { return nil }
        guard let event = Event(rawValue: word.uppercased()) else { continue }
        self = event
        return
      }
      return nil
    }
  }

  /// A view or a trigger as the catalogue has it.
  package struct Definition: Sendable {
    package var isView: Bool
    package var name: String
    /// What a trigger is for; of a view its own name.
    package var table: String
    package var sql: String

    package init(isView: Bool, name: String, table: String, sql: String) {
      (self.isView, self.name, self.table, self.sql) = (isView, name, table, sql)
    }
  }

  /// Why such a statement fails if what it tries does not compile; other failures say nothing of it.
  package static let reasons: Set<RequestError.Reason> = [.invalidStatement, .limit, .notAllowed]

  /// The view, or the triggers that one statement fires.
  package private(set) var names: [String]
  package let table: String
  /// Nil: the trial of a view.
  package let event: Event?

  /// The trials of views come before those of triggers, which may be for a view.
  package static func all(of definitions: [Definition]) -> [DefinitionTrial] {
    var trials = definitions.filter(\.isView).map { DefinitionTrial(names: [$0.name], table: $0.name, event: nil) }
    var places: [String: Int] = [:]
    for definition in definitions where !definition.isView {
      guard let event = Event(trigger: definition.sql) else { continue }
      let key = event.rawValue + definition.table.lowercasedASCII
      if let place = places[key] {
        trials[place].names.append(definition.name)
      } else {
        places[key] = trials.count
        trials.append(DefinitionTrial(names: [definition.name], table: definition.table, event: event))
      }
    }
    return trials
  }

  /// The statement of an UPDATE names each column, so that it fires the triggers of each.
  package var needsColumns: Bool { event == .update }

  /// `columns`: those of the table that take values. Nil without any, if they are needed.
  package func sql(_ columns: [String] = []) -> String? {
    let table = table.quoted()
    switch event {
    case nil: return "SELECT * FROM \(table) LIMIT 0"
    case .insert: return "INSERT INTO \(table) DEFAULT VALUES"
    case .delete: return "DELETE FROM \(table)"
    case .update where columns.isEmpty: return nil
    case .update:
      return "UPDATE \(table) SET " + columns.map { "\($0.quoted()) = \($0.quoted())" }.joined(separator: ", ")
    }
  }

  /// What is said of a trial that failed, with the words that SQLite has for it. Which of several triggers it is
  /// SQLite does not say.
  package func fault(_ words: String) -> String { event.map { "\($0.rawValue) on \(table): \(words)" } ?? words }
}
