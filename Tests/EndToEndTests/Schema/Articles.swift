/// Tables as a macro would write them, for schemas that travel to a server.
import MartletQuery

struct Article: Table, Equatable {
  var id: Int
  var title: String
  var price: Double

  static let tableName = "articles"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = Article

    var id: TableColumn<Article, Int> { TableColumn("id") }
    var title: TableColumn<Article, String> { TableColumn("title") }
    var price: TableColumn<Article, Double> { TableColumn("price") }

    static let allColumns = [
      ColumnDescription("id", Int.self, primaryKey: true), ColumnDescription("title", String.self),
      ColumnDescription("price", Double.self),
    ]
  }

  var columnFragments: [QueryFragment] {
    Int.fragments(of: id) + String.fragments(of: title) + Double.fragments(of: price)
  }
}

extension Article {
  init(decoder: inout some QueryDecoder) throws {
    id = try decoder.value(Int.self)
    title = try decoder.value(String.self)
    price = try decoder.value(Double.self)
  }
}

/// Articles, seen through a view.
struct CheapArticle: Table, Equatable {
  var title: String

  static let tableName = "cheapArticles"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = CheapArticle

    var title: TableColumn<CheapArticle, String> { TableColumn("title") }
    static let allColumns = [ColumnDescription("title", String.self)]
  }

  struct Columns: QueryExpression {
    typealias QueryValue = CheapArticle

    let columnFragments: [QueryFragment]
    var queryFragment: QueryFragment { QueryFragment(row: columnFragments) }

    init(title: some QueryExpression<String>) { columnFragments = title.columnFragments(named: "title") }
  }

  var columnFragments: [QueryFragment] { String.fragments(of: title) }
}

extension CheapArticle {
  init(decoder: inout some QueryDecoder) throws { title = try decoder.value(String.self) }
}

/// Articles, by the words of their titles.
struct ArticleText: FTS5, Equatable {
  var title: String

  static let tableName = "articleTexts"
  static var defaultScope: DefaultScope { DefaultScope() }
  static var columns: TableColumns { TableColumns() }

  struct TableColumns: TableDefinition {
    typealias QueryValue = ArticleText

    var title: TableColumn<ArticleText, String> { TableColumn("title") }
    static let allColumns = [ColumnDescription("title", String.self)]
  }

  var columnFragments: [QueryFragment] { String.fragments(of: title) }
}

extension ArticleText {
  init(decoder: inout some QueryDecoder) throws { title = try decoder.value(String.self) }
}
