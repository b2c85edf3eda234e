// A table with a key, an optional, a renamed and a represented column, and a generated one.
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
