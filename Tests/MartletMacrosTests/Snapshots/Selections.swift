// Rows that no table has.
import Martlet

@Selection
struct Count {
  let title: String
  var items: Int
}
