/// Examples of JSON: members, changes, elements as rows, rows as JSON.
import MartletQuery

extension MethodTopic {
  static var jsonMembers: MethodTopic {
    MethodTopic("JSON: reading") {
      expression("QueryExpression.jsonExtract", makes: "json_extract()", of: Document.self) {
        $0.author.jsonExtract(\.links[0].title)
      }
      expression("QueryExpression.jsonExtract", makes: "json_extract()", of: Document.self) {
        $0.author.jsonExtract("$.name", as: String.self)
      }
      expression("QueryExpression.jsonMember", makes: "Operator.OPERATOR_JSON_EXTRACT", of: Document.self) {
        $0.author.jsonMember(\.links)
      }
      expression("QueryExpression.jsonMemberValue", makes: "Operator.OPERATOR_JSON_EXTRACT_VALUE", of: Document.self) {
        $0.author.jsonMemberValue(\.name)
      }
      expression("ComputedExpression.subscript", makes: "json_extract()", of: Document.self) { $0.author[\.name] }
      expression("JSONDocument.subscript", makes: "json_extract()", of: Document.self) { $0.tags[\.[-1]] }
      expression("QueryExpression.jsonArrayLength", makes: "json_array_length()", of: Document.self) {
        $0.author.jsonArrayLength(\.links)
      }
      expression("QueryExpression.jsonType", makes: "json_type()", of: Document.self) { $0.author.jsonType(\.name) }
      expression("QueryExpression.jsonValid", makes: "json_valid()", of: Document.self) { $0.author.jsonValid() }
      expression("QueryExpression.jsonbExtract", makes: "jsonb_extract()", needs: "3.45", of: Document.self) {
        $0.author.jsonbExtract(\.links)
      }
    }
  }

  static var jsonChanges: MethodTopic {
    MethodTopic("JSON: changing") {
      expression("QueryExpression.jsonSet", makes: "json_set()", of: Document.self) {
        $0.author.jsonSet(\.name, "Blob")
      }
      expression("QueryExpression.jsonSet", makes: "json_set()", of: Document.self) {
        $0.author.jsonSet("$.name", "Blob")
      }
      expression("QueryExpression.jsonInsert", makes: "json_insert()", of: Document.self) {
        $0.author.jsonInsert(\.name, "Blob")
      }
      expression("QueryExpression.jsonReplace", makes: "json_replace()", of: Document.self) {
        $0.author.jsonReplace(\.isActive, false)
      }
      expression("QueryExpression.jsonRemove", makes: "json_remove()", of: Document.self) {
        $0.author.jsonRemove(\.links[0])
      }
      expression("QueryExpression.jsonAppend", makes: "json_insert()", of: Document.self) {
        $0.tags.jsonAppend(\.self, "new")
      }
      expression("QueryExpression.jsonArrayInsert", makes: "json_array_insert()", needs: "3.53", of: Document.self) {
        $0.tags.jsonArrayInsert(\.[0], "new")
      }
      expression("QueryExpression.jsonPatch", makes: "json_patch()", of: Document.self) {
        $0.author.jsonPatch(["name": "Blob"])
      }
      example("SQLQueryExpression.subscript", makes: "json_set()", "Statement.update") {
        Document.find(1).update {
          $0.author[\.name] = "Blob"
          $0.author[\.isActive] = false
        }
      }
      expression("QueryExpression.jsonbSet", makes: "jsonb_set()", needs: "3.45", of: Document.self) {
        $0.author.jsonbSet(\.name, "Blob")
      }
      expression("QueryExpression.jsonbInsert", makes: "jsonb_insert()", needs: "3.45", of: Document.self) {
        $0.author.jsonbInsert(\.name, "Blob")
      }
      expression("QueryExpression.jsonbReplace", makes: "jsonb_replace()", needs: "3.45", of: Document.self) {
        $0.author.jsonbReplace(\.name, "Blob")
      }
      expression("QueryExpression.jsonbRemove", makes: "jsonb_remove()", needs: "3.45", of: Document.self) {
        $0.author.jsonbRemove(\.links[0])
      }
      expression("QueryExpression.jsonbAppend", makes: "jsonb_insert()", needs: "3.45", of: Document.self) {
        $0.tags.jsonbAppend(\.self, "new")
      }
    }
  }

  static var jsonRows: MethodTopic {
    MethodTopic("JSON: elements as rows") {
      example("QueryExpression.jsonbEach", makes: "TableFunction.name", needs: "3.51") {
        Document.where { $0.tags.jsonbEach().where { $0.value.eq("sql") }.exists() }.select(\.id)
      }
      example("QueryExpression.jsonbEach", makes: "TableFunction.arguments", needs: "3.51") {
        Document.join { $0.author.jsonbEach(\.links) }.select { ($0.id, $1.value) }
      }
      example("QueryExpression.jsonEach", "TableColumns.value", makes: "TableFunction.name", "Expression.exists") {
        Document.where { $0.tags.jsonEach().where { $0.value.eq("sql") }.exists() }.select(\.id)
      }
      example("TableColumns.key", "TableColumns.index", makes: "TableFunction.arguments") {
        Document.join { $0.tags.jsonEach() }.select { ($1.key, $1.index) }
      }
      example("TableColumns.type", "TableColumns.fullkey", "TableColumns.path", makes: "TableFunction.arguments") {
        Document.join { $0.author.jsonEach(\.links) }.select { ($1.type, $1.fullkey, $1.path) }
      }
    }
  }

  static var jsonValues: MethodTopic {
    MethodTopic("JSON: rows as documents") {
      expression("jsonObject", makes: "json_object()") { jsonObject("id", $0.id, "done", $0.isCompleted) }
      expression("jsonArray", makes: "json_array()") { jsonArray($0.id, $0.title) }
      expression("TableDefinition.jsonObject", makes: "json_object()", of: Document.self) { $0.jsonObject() }
      expression("TableDefinition.jsonbObject", makes: "jsonb_object()", needs: "3.45", of: Document.self) {
        $0.jsonbObject()
      }
      expression("TableDefinition.jsonGroupArray", makes: "json_group_array()", of: Document.self) {
        $0.jsonGroupArray(distinct: true, filter: $0.isOpen)
      }
      expression("QueryExpression.jsonGroupArray", makes: "json_group_array()") {
        $0.title.jsonGroupArray(order: $0.position.desc())
      }
      expression("QueryExpression.jsonbGroupArray", makes: "jsonb_group_array()", needs: "3.45") {
        $0.title.jsonbGroupArray()
      }
      expression("QueryExpression.jsonGroupObject", makes: "json_group_object()") {
        $0.title.jsonGroupObject($0.position)
      }
      expression("QueryExpression.jsonbGroupObject", makes: "jsonb_group_object()", needs: "3.45") {
        $0.title.jsonbGroupObject($0.position)
      }
      example("OptionalColumns.jsonObject", makes: "json_object()", "Expression.case") {
        Reminder.leftJoin(Document.all) { $0.id.eq($1.id) }.select { $1.jsonObject() }
      }
      example("OptionalColumns.jsonGroupArray", makes: "json_group_array()", "Call.filter") {
        Reminder.leftJoin(Document.all) { $0.id.eq($1.id) }.select { $1.jsonGroupArray() }
      }
    }
  }
}
