/// Examples of patterns and functions of texts, and of full-text search.
import MartletQuery

extension MethodTopic {
  static var texts: MethodTopic {
    MethodTopic("Texts") {
      expression("QueryExpression.like", makes: "Operator.OPERATOR_LIKE") { $0.title.like("a%") }
      expression("QueryExpression.like", makes: "Operator.OPERATOR_LIKE", "Literal.text") {
        $0.title.like("100!%", escape: "!")
      }
      expression("QueryExpression.glob", makes: "Operator.OPERATOR_GLOB") { $0.title.glob("[A-M]*") }
      expression("QueryExpression.notLike", makes: "Operator.OPERATOR_NOT_LIKE") { $0.title.notLike("a%") }
      expression("QueryExpression.notGlob", makes: "Operator.OPERATOR_NOT_GLOB") { $0.title.notGlob("[A-M]*") }
      expression("QueryExpression.regexp", makes: "Operator.OPERATOR_REGEXP") { $0.title.regexp("^M") }
      expression("QueryExpression.notRegexp", makes: "Operator.OPERATOR_NOT_REGEXP") { $0.title.notRegexp("^M") }
      expression("QueryExpression.contains", makes: "Operator.OPERATOR_LIKE") { $0.title.contains("milk") }
      expression("QueryExpression.hasPrefix", makes: "Operator.OPERATOR_LIKE") { $0.title.hasPrefix("100%") }
      expression("QueryExpression.hasSuffix", makes: "Operator.OPERATOR_LIKE") { $0.title.hasSuffix("milk") }
      expression("QueryExpression.+", makes: "Operator.OPERATOR_CONCATENATE") { $0.title + "!" }
      expression("SQLQueryExpression.+", makes: "Operator.OPERATOR_CONCATENATE") { $0.title.upper() + $0.title.lower() }
      expression("QueryExpression.upper", makes: "upper()") { $0.title.upper() }
      expression("QueryExpression.lower", makes: "lower()") { $0.title.lower() }
      expression("QueryExpression.trim", makes: "trim()") { $0.title.trim() }
      expression("QueryExpression.ltrim", makes: "ltrim()") { $0.title.ltrim("-") }
      expression("QueryExpression.rtrim", makes: "rtrim()") { $0.title.rtrim() }
      expression("QueryExpression.substr", makes: "substr()") { $0.title.substr(1, 3) }
      expression("QueryExpression.substr", makes: "substr()") { $0.title.substr(-3) }
      expression("QueryExpression.replace", makes: "replace()") { $0.title.replace("a", "b") }
      expression("QueryExpression.length", makes: "length()") { $0.title.length() }
      expression("QueryExpression.instr", makes: "instr()") { $0.title.instr("milk") }
      expression("QueryExpression.unicode", makes: "unicode()") { $0.title.unicode() }
      expression("QueryExpression.octetLength", makes: "octet_length()", needs: "3.43") { $0.title.octetLength() }
      expression("QueryExpression.unhex", makes: "unhex()", needs: "3.41") { $0.title.unhex() }
      expression("QueryExpression.collate", "Collation.nocase", makes: "Expression.collate") {
        $0.title.collate(.nocase).eq("MILK")
      }
      expression("Collation.binary", makes: "Expression.collate") { $0.title.collate(.binary).eq("MILK") }
      expression("Collation.rtrim", makes: "Expression.collate") { $0.title.collate(.rtrim).eq("Milk  ") }
      expression("Collation.init", makes: "Expression.collate") {
        $0.title.collate(Collation(rawValue: "NOCASE")).eq("MILK")
      }
    }
  }

  static var search: MethodTopic {
    MethodTopic("Full-text search") {
      example("TableDefinition.match", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match("swift AND birds") }.select(\.title)
      }
      example("FTS5.matching", makes: "TableFunction.arguments", "Join.Kind.KIND_LEFT") {
        Reminder.leftJoin(DocumentText.matching("swift")) { $0.id.eq($1.rowid) }.select { ($0.title, $1.body) }
      }
      example("TableColumn.match", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.title.match("swift") }.select(\.title)
      }
      example("QueryExpression.match", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.title.match(.anyWord(in: "swift birds")) }.select(\.title)
      }
      example("QueryExpression.allWords", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match(.allWords(in: "swift \"birds\"")) }.select(\.title)
      }
      example("QueryExpression.anyWord", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match(.anyWord(in: "swift birds")) }.select(\.title)
      }
      example("QueryExpression.allPrefixes", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match(.allPrefixes(in: "swi bir")) }.select(\.title)
      }
      example("QueryExpression.anyPrefix", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match(.anyPrefix(in: "swi bir")) }.select(\.title)
      }
      example("QueryExpression.phrase", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match(.phrase("never lands")) }.select(\.title)
      }
      example("FTS5Pattern.init", makes: "Operator.OPERATOR_MATCH") {
        DocumentText.where { $0.match(FTS5Pattern(matchingAllWordsIn: "swift")) }.select(\.title)
      }
      example("TableDefinition.rank", makes: "Select.order_by") {
        DocumentText.where { $0.match("swift") }.order(by: \.rank).select(\.title)
      }
      example("TableDefinition.bm25", makes: "bm25()") {
        DocumentText.where { $0.match("swift") }.order { $0.bm25([\.title: 10]) }.select(\.title)
      }
      example("TableDefinition.bm25", makes: "bm25()") {
        DocumentText.where { $0.match("swift") }.select { $0.bm25(10, 1) }
      }
      example("TableColumn.highlight", makes: "highlight()") {
        DocumentText.where { $0.match("swift") }.select { $0.title.highlight("<b>", "</b>") }
      }
      example("TableColumn.snippet", makes: "snippet()") {
        DocumentText.where { $0.match("swift") }.select { $0.body.snippet("<b>", "</b>", "…", 16) }
      }
    }
  }
}
