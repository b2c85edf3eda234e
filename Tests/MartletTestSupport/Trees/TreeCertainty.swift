/// Whether SQL defines the result of a tree, or leaves some of it open.
import Foundation
package import MartletAST

package enum TreeCertainty {
  /// What makes the result of a statement uncertain: LIMIT takes any of the rows that are equally early, a column
  /// beside an aggregate is any row's, an UPDATE takes any of several rows of its FROM, and uuid() is random.
  private static let openWords = [
    "LIMIT", "GROUP BY", "uuid()", "count(", "sum(", "avg(", "total(", "min(", "max(", "group_concat(", "OVER ",
    "json_group",
  ]

  /// A subquery that stands for a value is any of its rows.
  private static func hasScalarQuery(_ sql: String) -> Bool {
    let parts = sql.components(separatedBy: "(\n").dropLast()
    return parts.contains { part in
      !["FROM ", "JOIN ", "EXISTS ", "IN ", "AS ", "MATERIALIZED "].contains { part.hasSuffix($0) }
    }
  }

  /// Of two rows of a query with one key, the one that is found first is inserted.
  private static func isRace(_ sql: String) -> Bool {
    insertsQuery(sql) && (sql.contains("OR IGNORE") || sql.contains("ON CONFLICT"))
  }

  /// Whether the rows of a query are inserted: those without a key are numbered as they are found.
  package static func insertsQuery(_ sql: String) -> Bool { sql.contains("INSERT") && sql.contains("\nFROM ") }

  package static func isCertain(_ sql: String, _ tree: ASTStatement) -> Bool {
    let hasFrom = tree.update.hasFrom || tree.with.body.update.hasFrom
    return !hasFrom && !hasScalarQuery(sql) && !openWords.contains { sql.contains($0) } && !isRace(sql)
  }
}
