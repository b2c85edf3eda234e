import MartletAST
import MartletValues

/// Names that a statement brings, where the rules write names of their own: the table that is written to, its row's
/// number, the tables and columns of conditions.
enum NameAttempts {
  static let all = targets + implicit + realColumns + elsewhere + withoutRowid

  private static let numbers = ["rowid", "oid", "_rowid_", "RowID", "id", "martlet_rowid"]

  /// `SELECT 1 AS "rowid", …`: the number of a row of the tenant's own, under every name that a row's number has.
  private static let own: ASTStatement = .select {
    $0.columns = numbers.map { .expression(.literal(Int64(1)), as: $0) } + [.expression(.literal("a"), as: "tenant")]
  }

  private static func takes(_ change: (inout ASTUpdate) -> Void) -> ASTStatement {
    Ask.update {
      $0.assignments = [.set("tenant", .literal("a"))]
      $0.returning = [.expression(.column("id")), .expression(.column("body"))]
      change(&$0)
    }
  }

  private static func mine(_ name: String) -> ASTCommonTable { .named(name, as: own) }

  /// Where a source stands in the FROM of an update.
  private static let places: [(String, @Sendable (ASTTableSource, inout ASTUpdate) -> Void)] = [
    ("alone", { source, update in update.from = source }),
    (
      "in a join",
      { source, update in
        update.from = .table("plain", as: "p")
        update.joins = [.join(.inner, source)]
      }
    ),
    ("in parentheses", { source, update in update.from = .joined(.table("plain", as: "p"), [.join(.cross, source)]) }),
    (
      "in parentheses in parentheses with a name",
      { source, update in
        update.from = .table("plain", as: "p")
        let inner = ASTTableSource.joined(.table("plain", as: "q"), [.join(.left, source)])
        update.joins = [.join(.inner, .joined(.table("plain", as: "r"), [.join(.inner, inner)], as: "s"))]
      }
    ),
  ]

  /// The table's alias, and the name of the source beside it.
  private static let names = [("n", "n"), ("n", "N"), ("", "notes"), ("", "NOTES"), ("n", "notes"), ("notes", "notes")]

  private static let targets: [Attempt] =
    places.flatMap { place, put in
      names.map { alias, name in
        .refused("an update of '\(alias)' beside a query called '\(name)', \(place)") { _ in
          takes {
            $0.alias = alias
            put(.subquery(own, as: name), &$0)
          }
        }
      }
    } + [
      .refused("an update beside a common table that is called as its target") { _ in
        .with(
          [mine("n")],
          takes {
            $0.alias = "n"
            $0.from = .table("n")
          })
      },
      .refused("an update beside a common table with its target's alias") { _ in
        .with([mine("mine")], takes { $0.from = .table("mine", as: "notes") })
      },
      .refused("an update beside an open table with its target's alias") { _ in
        takes {
          $0.alias = "n"
          $0.from = .table("odd", as: "n")
        }
      },
      .refused("an update beside an open table that is called as its target") { _ in
        takes {
          $0.alias = "odd"
          $0.from = .table("odd", schema: "main")
        }
      },
      .refused("an update beside itself under its own alias") { _ in
        takes {
          $0.alias = "n"
          $0.from = .table("notes", as: "n")
        }
      },
      .refused("an update beside a function that is called as its target") { _ in
        takes {
          $0.alias = "json_each"
          $0.from = .function("json_each", [.literal("[1]")])
        }
      },
      .refused("an update beside a list that is called as its target") { _ in
        takes {
          $0.alias = "Martlet_Rows"
          $0.from = .rows(1, columns: 1)
        }
      },
      .refused("an update of documents by a row's number from beside") { _ in
        .update("docs") {
          $0.alias = "d"
          $0.assignments = [.set("team", .literal("red"))]
          $0.from = .subquery(own, as: "d")
          $0.returning = [.all()]
        }
      },
      .changes("an update beside a query with another name", 3) {
        takes {
          $0.alias = "n"
          $0.from = .subquery(own, as: "s")
        }
      },
    ]

  /// SQLite has names of its own for a query without one, and for a join in parentheses.
  private static let implicit: [Attempt] =
    ["(subquery-", "(join-", "subquery_", "sqlite_subquery_", "(query-"].flatMap { beginning in
      (1...6).flatMap { number -> [Attempt] in
        let name = beginning + "\(number)" + (beginning.hasPrefix("(") ? ")" : "")
        return [
          .changes("an update of '\(name)' beside a query without a name", 3) {
            takes {
              $0.alias = name
              $0.from = .subquery(own)
            }
          },
          .changes("an update of '\(name)' beside a join without a name", 3) {
            takes {
              $0.alias = name
              $0.from = .joined(.subquery(own), [.join(.cross, .subquery(Ask.value(.literal(Int64(1)))))])
            }
          },
        ]
      }
    }

  private static let realColumns: [Attempt] = [
    .changes("an update beside an open table with a column called rowid", 3) {
      takes { $0.from = .table("odd") }
    },
    .refused("a join by a hidden column of the target", .tenant, "secret") { hidden in
      takes {
        $0.from = .table("plain", as: "p")
        var join = ASTJoin.join(
          .inner, .subquery(.select { $0.columns = [.expression(.literal("x"), as: hidden)] }, as: "g"))
        join.using = [hidden]
        $0.joins = [join]
      }
    },
    .changes("a natural join with a column that is called as a hidden one of the target", 3) {
      takes {
        $0.from = .table("plain", as: "p")
        var join = ASTJoin.join(
          .inner, .subquery(.select { $0.columns = [.expression(.literal("x"), as: "secret")] }, as: "g"))
        join.natural = true
        $0.joins = [join]
      }
    },
  ]

  private static let elsewhere: [Attempt] = [
    .changes("a delete whose condition has a query that is called as its target", 3) {
      Ask.delete {
        $0.alias = "n"
        $0.where = .exists(.select { $0.from = .subquery(own, as: "n") })
      }
    },
    .refused("an update whose value has a query that is called as its target") { _ in
      takes {
        $0.alias = "n"
        $0.assignments = [
          .set(
            "body",
            .subquery(
              .select {
                $0.columns = [.expression(.column("n", "tenant"))]
                $0.from = .subquery(own, as: "n")
              }))
        ]
      }
    },
    .changes("an upsert by an alias of SQLite's own", 0) {
      .insert(into: "notes", ["title", "tenant"]) {
        $0.alias = "(subquery-1)"
        $0.query = .select {
          $0.columns = [.expression(.literal("n2")), .expression(.literal("a"))]
          $0.from = .subquery(own)
          $0.where = .literal(Int64(1))
        }
        $0.upserts = [.on(["title"], set: [.set("body", .literal("taken"))])]
      }
    },
    .changes("an upsert of rows from a query that is called as its target", 0) {
      .insert(into: "notes", ["title", "tenant"]) {
        $0.alias = "n"
        $0.query = .select {
          $0.columns = [.expression(.literal("n2")), .expression(.literal("a"))]
          $0.from = .subquery(own, as: "n")
          $0.where = .literal(Int64(1))
        }
        $0.upserts = [.on(["title"], set: [.set("tenant", .literal("a"))])]
      }
    },
    .refused("RETURNING with a column that is called as one of the condition's") { _ in
      Ask.insert("b") { $0.returning = [.expression(.literal("a"), as: "tenant"), .expression(.column("id"))] }
    },
    .gives("reading under a column that is called as one of the condition's", []) {
      .select {
        $0.columns = [.expression(.literal("b"), as: "tenant"), .expression(.column("id"))]
        $0.from = .table("notes", as: "main")
        $0.where = Ask.equal(.column("id"), .literal(Int64(2)))
      }
    },
    .gives("a query inside of one that has the condition's columns", [[.integer(3)]]) {
      Ask.select(
        .subquery(
          .select {
            $0.columns = [.expression(.countAll)]
            $0.from = .table("notes", as: "tenant")
          }), from: "plain"
      ) {
        $0.from = .subquery(own, as: "notes")
      }
    },
    .changes("a delete by an alias that is called as a table of the condition", 1) {
      .delete(from: "docs") { $0.alias = "members" }
    },
  ]

  private static let withoutRowid: [Attempt] = [
    .changes("a delete by an alias from a table without rowid", 1) {
      .delete(from: "keyed") {
        $0.alias = "z"
        $0.where = .call(.in, .column("z", "k"), .list([.literal("x"), .literal("y")]))
      }
    },
    .changes("an update by an alias of a table without rowid", 1) {
      .update("keyed") {
        $0.alias = "z"
        $0.assignments = [.set("tenant", .literal("a"))]
      }
    },
    .fails("an update of a table without rowid beside another", .unsupported) { _ in
      .update("keyed") {
        $0.assignments = [.set("tenant", .literal("a"))]
        $0.from = .table("plain")
      }
    },
  ]
}
