// A table with a key, an optional, a renamed and a represented column, and a generated one; and one in another type,
// whose properties have the names of the expansion.
import Foundation
import Martlet

@Table
struct Item: Equatable {
  let id: Int
  var title = ""
  @Column("list_id") var listID: UUID?
  @Column(as: Date.UnixTimeRepresentation.self) var madeAt: Date
  @Column(generated: .stored) let size: Int
}

enum Shelf {
  @Table
  struct Book {
    let id: Int
    var _fragments: String
    var __fragments: String
    var `Type`: String
    var `Protocol`: Int?
  }
}
