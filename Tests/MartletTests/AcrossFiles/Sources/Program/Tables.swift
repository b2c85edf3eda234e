import Bookshelf
// Tables of the second module, one of which nothing but its own macro mentions.
import Foundation
import Martlet

@Table struct Shelf: Identifiable {
  let id: Int
  var name = ""
  var place: Place?
}

@Table struct Loose { var name = "" }

@Table struct Wish: Identifiable {
  let id: UUID
  @Column(as: Note.JSONRepresentation.self) var note: Note
}
