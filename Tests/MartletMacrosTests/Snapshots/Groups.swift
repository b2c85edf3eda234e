// Columns that belong together, and a property that is no column.
import Martlet

@Selection
struct Address: Equatable {
  var street: String
  var town: String?
}

@Table
struct Person {
  let id: Int
  @Columns var address: Address
  @Ephemeral var isShown = false
}
