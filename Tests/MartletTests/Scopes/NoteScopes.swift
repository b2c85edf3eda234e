/// A default scope in another file than its table.
import Martlet

extension Notes.Ordered {
  static let all = unscoped.where { !$0.isDeleted }.order(by: \.position)
}
