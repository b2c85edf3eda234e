/// Examples of FTS5 tables, their options and what they are told.
import MartletQuery

extension MethodTopic {
  static var fullTextTables: MethodTopic {
    MethodTopic("FTS5 tables") {
      example("FTS5.createTable", "FullTextTokenizer.porter", makes: "CreateVirtualTable.arguments") {
        ArticleText.createTable(tokenize: .porter(), prefix: [2, 3], unindexed: { $0.notes })
      }
      example("Diacritics.keep", makes: "ModuleArgument.Option.value") {
        ArticleText.createTable(tokenize: .unicode61(diacritics: .keep))
      }
      example("Diacritics.removeSimple", makes: "ModuleArgument.Option.value") {
        ArticleText.createTable(tokenize: .porter(.unicode61(diacritics: .removeSimple)))
      }
      example("FullTextTokenizer.unicode61", "Diacritics.remove", makes: "ModuleArgument.Option.value") {
        ArticleText.createTable(tokenize: .unicode61(diacritics: .remove, tokenCharacters: "-"))
      }
      example("FullTextTokenizer.ascii", makes: "ModuleArgument.option") { ArticleText.createTable(tokenize: .ascii()) }
      example("FullTextTokenizer.trigram", makes: "ModuleArgument.option") {
        ArticleText.createTable(tokenize: .trigram(caseSensitive: true))
      }
      example("FullTextTokenizer.custom", makes: "ModuleArgument.option") {
        ArticleText.createTable(tokenize: .custom("ascii", "separators", "u"))
      }
      example("FullTextContent.own", makes: "ModuleArgument.column") { ArticleText.createTable(content: .own) }
      example("FullTextContent.none", makes: "ModuleArgument.option") { ArticleText.createTable(content: .none) }
      example("FullTextDetail.full", makes: "ModuleArgument.column") { ArticleText.createTable(detail: .full) }
      example("FullTextDetail.none", makes: "ModuleArgument.option") { ArticleText.createTable(detail: .none) }
      example("FullTextContent.table", "FullTextDetail.column", makes: "ModuleArgument.option") {
        ArticleText.createTable(content: .table(Note.self, rowID: \.id), columnSize: false, detail: .column)
      }
      example("FTS5.synchronizingTriggers", makes: "CreateTrigger.body", "Literal.text") {
        ReminderText.synchronizingTriggers(with: Note.self, rowID: \.id)[1]
      }
    }
  }

  static var fullTextCommands: MethodTopic {
    MethodTopic("Commands of FTS5 tables") {
      example("FTS5.optimize", makes: "Insert.values") { ReminderText.optimize() }
      example("FTS5.rebuild", makes: "Insert.values") { ReminderText.rebuild() }
      example("FTS5.integrityCheck", makes: "Insert.values") { ReminderText.integrityCheck() }
      example("FTS5.deleteAll", makes: "Insert.values") { ReminderText.deleteAll() }
      example("FTS5.merge", makes: "Literal.integer") { ReminderText.merge(pages: -16) }
      example("FTS5.setRank", makes: "Literal.text") { ReminderText.setRank(weights: 10, 1.5) }
      example("FTS5.configure", "FullTextSetting.automerge", makes: "Literal.integer") {
        ReminderText.configure(.automerge, to: 8)
      }
      example("FullTextSetting.crisisMerge", makes: "Insert.columns") { ReminderText.configure(.crisisMerge, to: 16) }
      example("FullTextSetting.userMerge", makes: "Insert.columns") { ReminderText.configure(.userMerge, to: 4) }
      example("FullTextSetting.pageSize", makes: "Insert.columns") { ReminderText.configure(.pageSize, to: 4096) }
      example("FullTextSetting.init", makes: "Insert.columns") {
        ReminderText.configure(FullTextSetting(rawValue: "usermerge"), to: 4)
      }
      example("FTS5.deleteFromIndex", makes: "Insert.columns", "Literal.text") {
        ReminderText.deleteFromIndex(rowid: 1) {
          ($0.title, $0.notes)
        } values: {
          ("Milk", "")
        }
      }
    }
  }
}
