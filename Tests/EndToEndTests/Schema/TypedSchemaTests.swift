/// Schemas that a client builds from types and a server carries out, without a word of raw SQL.
import MartletAST
import MartletClient
import MartletQuery
import MartletTestSupport
import MartletValues
import Testing

@Suite struct TypedSchemaTests {
  @Test func `a schema of every kind travels as trees`() async throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let database = try DatabaseClient(server.url("shop"), configuration: ClientConfiguration(createsDatabase: true))
    let triggers = ArticleText.synchronizingTriggers(with: Article.self, rowID: \.id)
    let view = CheapArticle.createView(
      as: Article.where { $0.price < 2 }.select { CheapArticle.Columns(title: $0.title) })
    let steps: [any MartletQuery.Statement] = [
      Article.createTable { t in t.price.check(named: "a price") { $0 >= 0 } },
      Article.createIndex(on: \.title, unique: true),
      view,
      ArticleText.createTable(tokenize: .porter(), content: .table(Article.self, rowID: \.id)),
      triggers[0], triggers[1], triggers[2],
      Article.createTrigger(
        "no gifts", before: .insert { new in Raise.abort("Nothing is free.").where { new.price.eq(0) } }),
    ]
    for step in steps { try await run(step, on: database) }
    try await run(
      Article.insert {
        Article(id: 1, title: "Running shoes", price: 50)
        Article(id: 2, title: "Milk", price: 1)
      }, on: database)
    #expect(try await rows(CheapArticle.select(\.title), on: database) == ["Milk"])
    #expect(try await rows(ArticleText.where { $0.match("run") }.select(\.title), on: database) == ["Running shoes"])
    let refused: [(any MartletQuery.Statement, String)] = [
      (Article.insert { Article(id: 3, title: "Bread", price: -1) }, "a price"),
      (Article.insert { Article(id: 3, title: "Milk", price: 3) }, "title"),
      (Article.insert { Article(id: 3, title: "Gift", price: 0) }, "Nothing is free"),
    ]
    for (statement, words) in refused {
      await #expect {
        try await run(statement, on: database)
      } throws: {
        "\($0)".contains(words)
      }
    }
    let later: [any MartletQuery.Statement] = [
      view.drop(), Article.alterTable.renameColumn(\.price, to: "cost"), Article.dropIndex("index_articles_on_title"),
      ArticleText.optimize(), ArticleText.dropTable(), Article.dropTrigger("no gifts"),
    ]
    for step in later { try await run(step, on: database) }
    await database.close()
  }

  @Test func `what nests too deeply for SQLite is told with its place`() async throws {
    let directory = TemporaryDirectory()
    let server = try TestServer(directory: directory.path)
    let database = try DatabaseClient(server.url("shop"), configuration: ClientConfiguration(createsDatabase: true))
    try await run(Article.createTable(), on: database)
    var nested = Article.columns.id.abs()
    for _ in 0..<60 { nested = nested.abs() }
    let query = try RemoteStatement(Article.select { _ in nested }.tree)
    // Parsers of SQLite since 3.46 grow instead.
    do {
      _ = try await database.fetchAll(query)
    } catch let error as RequestError {
      #expect(error.reason == .limit && error.message.contains("nests deeper"))
      #expect(error.path.hasPrefix("select.columns[0].expression.call.arguments[0].call.arguments[0]"))
    }
    await database.close()
  }

  private func run(_ statement: any MartletQuery.Statement, on database: DatabaseClient) async throws {
    let built = statement.built
    let rendered = try StatementRenderer().render(built.tree)
    #expect(!rendered.holdsRaw, "\(rendered.sql)")
    try await database.execute(RemoteStatement(built.tree), built.parameters)
  }

  private func rows<S: MartletQuery.Statement>(
    _ query: S, on database: DatabaseClient
  ) async throws -> [String] where S.QueryValue == String {
    let built = query.built
    return try await database.fetchAll(RemoteStatement(built.tree), built.parameters).map { try $0.get(String.self, 0) }
  }
}
