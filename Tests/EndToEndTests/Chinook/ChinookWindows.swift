/// Questions that need windows and recursion.
import MartletAST
import MartletValues

extension ChinookQuestion {
  private static let spent = Query(from: "Customer", as: "c")
    .join("Invoice", as: "i", on: op(.equal, col("i.CustomerId"), col("c.CustomerId")))
    .columns(
      col("c.CustomerId").named("id"), col("c.Country").named("country"), fn("sum", col("i.Total")).named("spent")
    )
    .group(col("c.CustomerId"))

  static let windows = [
    ChinookQuestion(
      name: "the top customers of each country",
      tree: with(
        "spent", spent.statement,
        Query(
          from: Query(from: "spent").columns(
            col("country").named(""), col("id").named(""), col("spent").named(""),
            fn("rank").over(partition: [col("country")], order: [col("spent").desc]).named("place")),
          as: "ranked"
        ).filter(op(.lessOrEqual, col("place"), param(1)))
          .order(col("country").asc, col("place").asc, col("id").asc).statement),
      parameters: [2],
      sql: """
        WITH spent AS (SELECT c.CustomerId AS id, c.Country AS country, sum(i.Total) AS spent FROM Customer c
          JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY c.CustomerId)
        SELECT * FROM (SELECT country, id, spent, rank() OVER (PARTITION BY country ORDER BY spent DESC) AS place
          FROM spent) AS ranked WHERE place <= 2 ORDER BY country, place, id
        """),
    ChinookQuestion(
      name: "genres ranked by revenue",
      tree: Query(from: "InvoiceLine", as: "l")
        .join("Track", as: "t", on: op(.equal, col("t.TrackId"), col("l.TrackId")))
        .join("Genre", as: "g", on: op(.equal, col("g.GenreId"), col("t.GenreId")))
        .columns(
          col("g.Name").named("genre"), revenue.named("revenue"),
          fn("dense_rank").over(order: [revenue.desc]).named("place")
        )
        .group(col("g.GenreId")).order(col("place").asc, col("g.GenreId").asc).statement,
      sql: """
        SELECT g.Name AS genre, sum(l.UnitPrice * l.Quantity) AS revenue,
          dense_rank() OVER (ORDER BY sum(l.UnitPrice * l.Quantity) DESC) AS place
        FROM InvoiceLine l JOIN Track t ON t.TrackId = l.TrackId JOIN Genre g ON g.GenreId = t.GenreId
        GROUP BY g.GenreId ORDER BY place, g.GenreId
        """),
    ChinookQuestion(
      name: "the running total of one customer, and what was paid before",
      tree: Query(from: "Invoice")
        .columns(
          col("InvoiceDate").named(""), col("Total").named(""),
          fn("sum", col("Total")).over(order: [col("InvoiceId").asc], frame: upToHere).named("running"),
          fn("lag", col("Total")).over(order: [col("InvoiceId").asc]).named("before")
        )
        .filter(op(.equal, col("CustomerId"), param(1))).order(col("InvoiceId").asc).statement,
      parameters: [14],
      sql: """
        SELECT InvoiceDate, Total,
          sum(Total) OVER (ORDER BY InvoiceId ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running,
          lag(Total) OVER (ORDER BY InvoiceId) AS before
        FROM Invoice WHERE CustomerId = 14 ORDER BY InvoiceId
        """),
  ]

  private static var revenue: ASTExpression { fn("sum", op(.multiply, col("l.UnitPrice"), col("l.Quantity"))) }

  private static var upToHere: ASTFrame {
    var frame = ASTFrame()
    frame.unit = .rows
    frame.start.kind = .unboundedPreceding
    frame.end.kind = .currentRow
    return frame
  }

  static let recursions = [
    ChinookQuestion(
      name: "the employee tree",
      tree: with(
        "tree", columns: ["id", "name", "depth"],
        compound(
          .unionAll,
          [
            Query(from: "Employee")
              .columns(col("EmployeeId").named(""), col("LastName").named(""), int(0).named(""))
              .filter(op(.is, col("ReportsTo"), nothing)),
            Query(from: "Employee", as: "e")
              .join("tree", as: "t", on: op(.equal, col("e.ReportsTo"), col("t.id")))
              .columns(
                col("e.EmployeeId").named(""),
                op(.concatenate, col("t.name"), text(" > "), col("e.LastName")).named(""),
                op(.add, col("t.depth"), int(1)).named("")),
          ]),
        recursive: true, Query(from: "tree").order(col("name").asc).statement),
      sql: """
        WITH RECURSIVE tree(id, name, depth) AS (
          SELECT EmployeeId, LastName, 0 FROM Employee WHERE ReportsTo IS NULL
          UNION ALL SELECT e.EmployeeId, t.name || ' > ' || e.LastName, t.depth + 1
          FROM Employee e JOIN tree t ON e.ReportsTo = t.id)
        SELECT * FROM tree ORDER BY name
        """),
    ChinookQuestion(
      name: "every month of a year, sold or not",
      tree: with(
        "months", columns: ["n"],
        compound(
          .unionAll,
          [
            Query(from: Query(from: "Genre").columns(int(1).named("x")).limit(int(1)), as: "one")
              .columns(int(1).named("")),
            Query(from: "months").columns(op(.add, col("n"), int(1)).named(""))
              .filter(op(.less, col("n"), param(1))),
          ]),
        recursive: true,
        Query(from: "months", as: "m")
          .join(
            "Invoice", as: "i", .left,
            on: op(
              .equal, fn("strftime", text("%Y-%m"), col("i.InvoiceDate")),
              fn("printf", text("2009-%02d"), col("m.n")))
          )
          .columns(col("m.n").named("month"), fn("count", col("i.InvoiceId")).named("invoices"))
          .group(col("m.n")).order(col("m.n").asc).statement),
      parameters: [14],
      sql: """
        WITH RECURSIVE months(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM months WHERE n < 14)
        SELECT m.n AS month, count(i.InvoiceId) AS invoices FROM months m
        LEFT JOIN Invoice i ON strftime('%Y-%m', i.InvoiceDate) = printf('2009-%02d', m.n) GROUP BY m.n ORDER BY m.n
        """),
  ]

  private static var nothing: ASTExpression {
    var expression = ASTExpression()
    expression.literal.keyword = .null
    return expression
  }
}
