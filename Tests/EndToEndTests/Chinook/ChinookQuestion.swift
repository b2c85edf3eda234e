/// The questions of any SQL course on the Chinook data, each as a tree and as SQL written by hand.
import MartletAST
import MartletValues

struct ChinookQuestion: Sendable {
  var name: String
  var tree: ASTStatement
  var parameters: [Value] = []
  /// Values stand in the text, so that nothing of it comes from the tree.
  var sql: String

  static let all = selections + aggregates + joins + windows + recursions
}

extension ChinookQuestion {
  static let selections = [
    ChinookQuestion(
      name: "customers outside of the USA",
      tree: Query(from: "Customer")
        .columns(col("CustomerId").named(""), col("FirstName").named(""), col("Country").named(""))
        .filter(op(.notEqual, col("Country"), param(1))).order(col("Country").asc, col("CustomerId").asc).statement,
      parameters: ["USA"],
      sql: "SELECT CustomerId, FirstName, Country FROM Customer WHERE Country <> 'USA' ORDER BY Country, CustomerId"),
    ChinookQuestion(
      name: "every column of every employee, NULLs included",
      tree: Query(from: "Employee").order(col("EmployeeId").asc).statement,
      sql: "SELECT * FROM Employee ORDER BY EmployeeId"),
    ChinookQuestion(
      name: "the longest tracks with love in their name",
      tree: Query(from: "Track").columns(col("Name").named(""), op(.divide, col("Milliseconds"), int(1000)).named("s"))
        .filter(op(.like, col("Name"), param(1))).order(col("Milliseconds").desc, col("TrackId").asc).limit(param(2))
        .statement,
      parameters: ["%love%", 10],
      sql: """
        SELECT Name, Milliseconds / 1000 AS s FROM Track WHERE Name LIKE '%love%'
        ORDER BY Milliseconds DESC, TrackId LIMIT 10
        """),
    ChinookQuestion(
      name: "tracks of some genres, by a list parameter",
      tree: Query(from: "Track").columns(col("TrackId").named(""), col("Composer").named(""))
        .filter(op(.in, col("GenreId"), param(1, isList: true))).order(col("TrackId").asc).statement,
      parameters: [.list([5, 10, 25])],
      sql: "SELECT TrackId, Composer FROM Track WHERE GenreId IN (5, 10, 25) ORDER BY TrackId"),
    ChinookQuestion(
      name: "tracks by price band",
      tree: Query(from: "Track")
        .columns(
          branch([(op(.less, col("UnitPrice"), param(1)), text("cheap"))], otherwise: text("dear")).named("band"),
          countAll.named("n"), fn("avg", col("Milliseconds")).named("length")
        )
        .group(col("band")).order(col("band").asc).statement,
      parameters: [1.5],
      sql: """
        SELECT CASE WHEN UnitPrice < 1.5 THEN 'cheap' ELSE 'dear' END AS band, count(*) AS n,
          avg(Milliseconds) AS length FROM Track GROUP BY band ORDER BY band
        """),
    ChinookQuestion(
      name: "the cities of customers and of employees",
      tree: compound(
        .union,
        [
          Query(from: "Customer").columns(col("City").named("place")),
          Query(from: "Employee").columns(col("City").named("place")),
        ], order: col("place").asc),
      sql: "SELECT City AS place FROM Customer UNION SELECT City AS place FROM Employee ORDER BY place"),
  ]

  static let aggregates = [
    ChinookQuestion(
      name: "sales per month",
      tree: Query(from: "Invoice")
        .columns(
          fn("strftime", text("%Y-%m"), col("InvoiceDate")).named("month"), countAll.named("invoices"),
          fn("sum", col("Total")).named("total")
        )
        .group(col("month")).order(col("month").asc).statement,
      sql: """
        SELECT strftime('%Y-%m', InvoiceDate) AS month, count(*) AS invoices, sum(Total) AS total
        FROM Invoice GROUP BY month ORDER BY month
        """),
    ChinookQuestion(
      name: "countries that bought for more than a sum",
      tree: Query(from: "Invoice")
        .columns(
          col("BillingCountry").named(""), fn("sum", col("Total")).named("total"),
          fn("count", col("CustomerId"), distinct: true).named("customers")
        )
        .group(col("BillingCountry")).having(op(.greater, fn("sum", col("Total")), param(1)))
        .order(col("total").desc, col("BillingCountry").asc).statement,
      parameters: [50],
      sql: """
        SELECT BillingCountry, sum(Total) AS total, count(DISTINCT CustomerId) AS customers
        FROM Invoice GROUP BY BillingCountry HAVING sum(Total) > 50 ORDER BY total DESC, BillingCountry
        """),
    ChinookQuestion(
      name: "short and long tracks per media type, by filtered counts",
      tree: Query(from: "Track")
        .columns(
          col("MediaTypeId").named(""),
          countAll.filter(op(.less, col("Milliseconds"), param(1))).named("short"),
          countAll.filter(op(.greaterOrEqual, col("Milliseconds"), param(1))).named("long")
        )
        .group(col("MediaTypeId")).order(col("MediaTypeId").asc).statement,
      parameters: [300_000],
      sql: """
        SELECT MediaTypeId, count(*) FILTER (WHERE Milliseconds < 300000) AS short,
          count(*) FILTER (WHERE Milliseconds >= 300000) AS long
        FROM Track GROUP BY MediaTypeId ORDER BY MediaTypeId
        """),
    ChinookQuestion(
      name: "values whose type varies from row to row",
      tree: Query(from: "Invoice")
        .columns(
          col("InvoiceId").named(""),
          branch(
            [
              (op(.equal, op(.modulo, col("InvoiceId"), int(3)), int(0)), col("BillingState")),
              (op(.equal, op(.modulo, col("InvoiceId"), int(3)), int(1)), col("Total")),
            ], otherwise: cast(col("BillingCity"), to: "BLOB")
          ).named("mixed")
        )
        .order(col("InvoiceId").asc).statement,
      sql: """
        SELECT InvoiceId, CASE WHEN InvoiceId % 3 = 0 THEN BillingState WHEN InvoiceId % 3 = 1 THEN Total
          ELSE CAST(BillingCity AS BLOB) END AS mixed
        FROM Invoice ORDER BY InvoiceId
        """),
  ]

  static let joins = [
    ChinookQuestion(
      name: "what each employee sold",
      tree: Query(from: "Employee", as: "e")
        .join("Customer", as: "c", .left, on: op(.equal, col("c.SupportRepId"), col("e.EmployeeId")))
        .join("Invoice", as: "i", .left, on: op(.equal, col("i.CustomerId"), col("c.CustomerId")))
        .columns(
          op(.concatenate, col("e.FirstName"), text(" "), col("e.LastName")).named("name"),
          fn("sum", col("i.Total")).named("total")
        )
        .group(col("e.EmployeeId")).order(col("total").desc, col("e.EmployeeId").asc).statement,
      sql: """
        SELECT e.FirstName || ' ' || e.LastName AS name, sum(i.Total) AS total
        FROM Employee e LEFT JOIN Customer c ON c.SupportRepId = e.EmployeeId
        LEFT JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY e.EmployeeId ORDER BY total DESC, e.EmployeeId
        """),
    ChinookQuestion(
      name: "playlists by genre",
      tree: Query(from: "Playlist", as: "p")
        .join("PlaylistTrack", as: "pt", on: op(.equal, col("pt.PlaylistId"), col("p.PlaylistId")))
        .join("Track", as: "t", on: op(.equal, col("t.TrackId"), col("pt.TrackId")))
        .join("Genre", as: "g", on: op(.equal, col("g.GenreId"), col("t.GenreId")))
        .columns(col("p.Name").named("playlist"), col("g.Name").named("genre"), countAll.named("tracks"))
        .group(col("p.PlaylistId"), col("g.GenreId"))
        .order(col("p.PlaylistId").asc, col("tracks").desc, col("g.GenreId").asc).statement,
      sql: """
        SELECT p.Name AS playlist, g.Name AS genre, count(*) AS tracks FROM Playlist p
        JOIN PlaylistTrack pt ON pt.PlaylistId = p.PlaylistId JOIN Track t ON t.TrackId = pt.TrackId
        JOIN Genre g ON g.GenreId = t.GenreId GROUP BY p.PlaylistId, g.GenreId
        ORDER BY p.PlaylistId, tracks DESC, g.GenreId
        """),
    ChinookQuestion(
      name: "the artists with the most albums",
      tree: Query(from: "Artist", as: "a")
        .join("Album", as: "b", on: op(.equal, col("b.ArtistId"), col("a.ArtistId")))
        .columns(col("a.Name").named(""), countAll.named("albums")).group(col("a.ArtistId"))
        .order(col("albums").desc, col("a.Name").asc).limit(param(1)).statement,
      parameters: [10],
      sql: """
        SELECT a.Name, count(*) AS albums FROM Artist a JOIN Album b ON b.ArtistId = a.ArtistId
        GROUP BY a.ArtistId ORDER BY albums DESC, a.Name LIMIT 10
        """),
    ChinookQuestion(
      name: "tracks never sold",
      tree: Query(from: "Track", as: "t").columns(col("t.TrackId").named(""), col("t.Name").named(""))
        .filter(
          op(
            .not,
            exists(
              Query(from: "InvoiceLine", as: "l").columns(int(1).named(""))
                .filter(op(.equal, col("l.TrackId"), col("t.TrackId")))))
        )
        .order(col("t.TrackId").asc).statement,
      sql: """
        SELECT t.TrackId, t.Name FROM Track t
        WHERE NOT EXISTS (SELECT 1 FROM InvoiceLine l WHERE l.TrackId = t.TrackId) ORDER BY t.TrackId
        """),
    ChinookQuestion(
      name: "artists without an album",
      tree: Query(from: "Artist", as: "a")
        .join("Album", as: "b", .left, on: op(.equal, col("b.ArtistId"), col("a.ArtistId")))
        .columns(col("a.Name").named(""), col("b.Title").named("")).filter(op(.is, col("b.AlbumId"), null))
        .order(col("a.Name").asc).statement,
      sql: """
        SELECT a.Name, b.Title FROM Artist a LEFT JOIN Album b ON b.ArtistId = a.ArtistId
        WHERE b.AlbumId IS NULL ORDER BY a.Name
        """),
    ChinookQuestion(
      name: "invoices above the average of their country",
      tree: Query(from: "Invoice", as: "i")
        .columns(col("i.InvoiceId").named(""), col("i.BillingCountry").named(""), col("i.Total").named(""))
        .filter(
          op(
            .greater, col("i.Total"),
            subquery(
              Query(from: "Invoice", as: "j").columns(fn("avg", col("j.Total")).named(""))
                .filter(op(.equal, col("j.BillingCountry"), col("i.BillingCountry")))))
        )
        .order(col("i.InvoiceId").asc).statement,
      sql: """
        SELECT i.InvoiceId, i.BillingCountry, i.Total FROM Invoice i
        WHERE i.Total > (SELECT avg(j.Total) FROM Invoice j WHERE j.BillingCountry = i.BillingCountry)
        ORDER BY i.InvoiceId
        """),
  ]

  private static var null: ASTExpression {
    var expression = ASTExpression()
    expression.literal.keyword = .null
    return expression
  }
}
