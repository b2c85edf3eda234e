/// JSON: members by key path, changes, elements as rows, and rows as JSON.
import Foundation
import MartletAST
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct JSONTests {
  let sample: Sample
  init() throws {
    sample = try Sample()
    try sample.addDocuments()
  }

  private let first = Document.find(1)

  @Test func `members are reached by key paths`() throws {
    #expect(try sample.all(first.select { $0.author.jsonExtract(\.name) }) == ["Blob"])
    #expect(
      try sample.all(first.select { $0.author.jsonExtract(\.links[0].homepage) }) == [
        URL(string: "https://a.example/x")!
      ])
    #expect(try sample.all(first.select { $0.author.jsonExtract(\.links[-1]) }) == [Document.swift.author.links[0]])
    #expect(try sample.all(first.select { $0.author.jsonExtract(\.links) }) == [Document.swift.author.links])
    #expect(try sample.all(first.select { $0.author.jsonExtract(\.isActive) }) == [true])
    #expect(try sample.all(first.select { $0.author.jsonExtract(\.links[7].title) }) == [nil])
    #expect(try sample.all(first.select { $0.author.jsonArrayLength(\.links) }) == [1])
    #expect(try sample.all(first.select { $0.tags.jsonArrayLength() }) == [2])
    #expect(try sample.all(first.select { $0.tags.jsonExtract(\.[1]) }) == ["sql"])
    #expect(try sample.all(first.select { $0.author.jsonType(\.links) }) == ["array"])
    #expect(try sample.all(Document.where { $0.author[\.name].eq("Ada") }.select(\.id)) == [2])
    #expect(
      Document.columns.author.jsonExtract(\.links[0].homepage).text
        == "json_extract(\"documents\".\"author\", '$.links[0].homepage')")
  }

  @Test func `a member is JSON, or its value`() throws {
    #expect(try sample.all(first.select { $0.author.jsonMember(\.name) }) == ["Blob"])
    #expect(try sample.run(first.select { $0.author.jsonMember(\.name) }).row(0)[0] == .text("\"Blob\""))
    #expect(try sample.run(first.select { $0.author.jsonMemberValue(\.name) }).row(0)[0] == .text("Blob"))
    #expect(try sample.all(first.select { $0.author.jsonMember(\.links) }) == [Document.swift.author.links])
    #expect(try sample.all(first.select { $0.author.jsonMemberValue(\.links) }) == [Document.swift.author.links])
    #expect(try sample.all(first.select { $0.author.jsonMember(\.links[7].title) }) == [nil])
    #expect(try sample.all(first.select { $0.author.jsonMemberValue(\.isActive) }) == [true])
    let nested = first.select { jsonArray($0.author.jsonMember(\.name), $0.author.jsonMemberValue(\.name)) }
    #expect(try sample.run(nested).row(0) == [.text("[\"Blob\",\"Blob\"]")])
    // A null that the document holds is not a member that it lacks.
    try sample.run(first.update { $0.author = $0.author.jsonSet(\.name, SQLQueryExpression("NULL", as: String.self)) })
    #expect(try sample.run(first.select { $0.author.jsonMember(\.name) }).row(0) == [.text("null")])
    #expect(try sample.run(first.select { $0.author.jsonMemberValue(\.name) }).row(0) == [.null])
    #expect(
      Document.columns.author.jsonMember(\.links[0].title).text == "(\"documents\".\"author\") -> ('$.links[0].title')")
  }

  @Test(arguments: [4_294_967_296, -4_294_967_296, Int.max, .min])
  func `an index that SQLite would take for another one is refused`(index: Int) {
    let failures = [
      first.select { $0.tags.jsonExtract(\.[index]) }.serialized.failure,
      first.update { $0.tags = $0.tags.jsonSet(\.[index], "x") }.serialized.failure,
      first.update { $0.tags = $0.tags.jsonRemove(\.[index]) }.serialized.failure,
    ]
    #expect(failures.allSatisfy { $0?.description.hasPrefix("SQLite finds no element of a list beyond") == true })
    #expect(first.select { $0.tags.jsonExtract(\.[4_294_967_295]) }.serialized.failure == nil)
  }

  @Test func `changes keep the document what its type decodes`() throws {
    let link = Link(title: "New", homepage: URL(string: "https://b.example")!)
    try sample.run(
      first.update {
        $0.author = $0.author.jsonSet(\.name, "Blobby").jsonSet(\.isActive, false)
        $0.tags = $0.tags.jsonAppend(\.self, "ast")
      })
    try sample.run(first.update { $0.author = $0.author.jsonAppend(\.links, link) })
    var author = try #require(try sample.all(first.select(\.author)).first)
    #expect(author == Author(name: "Blobby", links: Document.swift.author.links + [link]))
    #expect(try sample.all(first.select(\.tags)) == [["swift", "sql", "ast"]])
    try sample.run(
      first.update {
        $0.author = $0.author.jsonReplace(\.links[0].title, "Old").jsonInsert(\.name, "x").jsonRemove(\.links[1])
      })
    author = try #require(try sample.all(first.select(\.author)).first)
    #expect(author.links.map(\.title) == ["Old"] && author.name == "Blobby")
    try sample.run(first.update { $0.author = $0.author.jsonPatch(["name": "Patched"]) })
    #expect(try sample.all(first.select { $0.author.jsonExtract(\.name) }) == ["Patched"])
  }

  @Test func `members that are set one after the other are one call`() throws {
    let update = first.update {
      $0.author[\.name] = "A" + $0.author[\.name]
      $0.author[\.isActive] = false
    }
    #expect(update.description.components(separatedBy: "json_set").count == 2)
    try sample.run(update)
    let author = try #require(try sample.all(first.select(\.author)).first)
    #expect(author.name == "ABlob" && !author.isActive)
  }

  @Test func `elements are rows to filter, to join and to name`() throws {
    let tagged = Document.where { $0.tags.jsonEach().where { $0.value.eq("sql") }.exists() }
    #expect(try sample.all(tagged.select(\.id)) == [1])
    let pairs = Document.join { $0.tags.jsonEach() }.select { ($0.id, $1.index, $1.value) }
    #expect(
      try pairs.decode(try sample.run(pairs)).map { "\($0.0) \($0.1 ?? -1) \($0.2)" } == ["1 0 swift", "1 1 sql"])
    let left = Document.leftJoin { $0.tags.jsonEach() }.order { row, _ in row.id }.select { ($0.id, $1.value) }
    #expect(try left.decode(try sample.run(left)).map(\.1) == ["swift", "sql", nil])
    enum Tag: AliasName {}
    let named = Document.join { $0.tags.jsonEach().as(Tag.self) }.where { $1.value.eq("sql") }.select { $1.value }
    #expect(named.sql.contains("AS \"tags\""))
    #expect(try sample.all(named) == ["sql"])
    let links = first.join { $0.author.jsonEach(\.links) }.select { $1.value.jsonExtract(\.title) }
    #expect(try sample.all(links) == ["Home"])
    let whole = first.join { $0.tags.jsonEach() }.select { $1 }
    #expect(try sample.all(whole).map(\.key) == [0, 1])
  }

  @Test func `whole rows and groups become JSON`() throws {
    #expect(try sample.all(Document.select { $0.jsonObject() }) == [.swift, .empty])
    #expect(try sample.all(Document.select { $0.jsonGroupArray() }) == [[.swift, .empty]])
    #expect(try sample.all(Document.select { $0.jsonGroupArray(filter: $0.isOpen) }) == [[.swift]])
    #expect(try sample.all(Document.select { $0.isOpen.jsonGroupArray() }) == [[true, false]])
    #expect(try sample.all(Document.select { $0.postedAt.jsonGroupArray(distinct: true) }) == [[Document.posted]])
    #expect(
      try sample.all(Document.select { $0.author.jsonExtract(\.name) }.map { $0 ?? "" }.map { $0.jsonGroupArray() })
        == [["Blob", "Ada"]])
    let byName = Reminder.where { $0.id < 3 }.select { $0.title.jsonGroupObject($0.position) }
    #expect(try sample.all(byName) == [["Milk": 10, "Bread": 20]])
    let joined = Reminder.group(by: \.id).leftJoin(Document.all) { $0.id.eq($1.id) }.order { row, _ in row.id }
      .limit(3)
    #expect(try sample.all(joined.select { $1.jsonObject() }) == [.swift, .empty, nil])
    #expect(try sample.all(joined.select { $1.jsonGroupArray() }) == [[.swift], [.empty], []])
  }

  @Test func `objects of chosen values, in both spellings`() throws {
    let object = "{\"id\":1,\"title\":\"Milk\",\"done\":false}"
    #expect(
      try sample.all(
        Reminder.find(1).select { jsonObject("id", $0.id, "title", $0.title, "done", $0.isCompleted) }) == [object])
    #expect(
      try sample.all(Reminder.find(1).select { jsonObject(["id": $0.id, "title": $0.title, "done": $0.isCompleted]) })
        == [object])
    #expect(try sample.all(Reminder.find(1).select { jsonArray($0.id, $0.isCompleted, "x") }) == ["[1,false,\"x\"]"])
  }

  @Test func `the binary functions are refused with the version that has them`() {
    let queries: [ASTStatement] = [
      Document.update { $0.author = $0.author.jsonbSet(\.name, "x") }.tree,
      Document.select { $0.jsonbObject() }.tree,
      SQLQueryExpression<Author.JSONBRepresentation>(Author.JSONBRepresentation(queryOutput: Author(name: "x"))).tree,
    ]
    for query in queries {
      let error = #expect(throws: RequestError.self) { try StatementRenderer().render(query) }
      #expect(error?.message.contains("3.45") == true)
      #expect(throws: Never.self) { try StatementRenderer(sqliteVersion: 3_045_000).render(query) }
    }
  }

  @Test func `rows without an element that a join's query asks for stay`() throws {
    let query = Document.leftJoin { $0.tags.jsonEach().where { $0.value.eq("sql") } }.order { document, _ in document.id
    }
    .select { ($0.id, $1.value) }
    #expect(query.sql.contains("ON (\"json_each\".\"value\") = (?1)"), "\(query.sql)")
    let rows = try query.decode(try sample.run(query))
    #expect(rows.map(\.0) == [1, 2] && rows.map(\.1) == ["sql", nil])
    let every = Document.leftJoin { $0.tags.jsonEach() }.select { ($0.id, $1.value) }
    #expect(try sample.run(every).rowCount == 3)
  }
}
