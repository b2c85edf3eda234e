/// What can be done to a database as a whole, with the numbers of the wire.
///
/// Always true: a task is one permission, `maintain`.
public enum MaintenanceTask: UInt32, Sendable, Equatable {
  /// Each table with its indexes and its foreign keys, one after another.
  case check = 1
  /// The whole file in one snapshot, its free pages included.
  case checkWhole = 2
  /// A fenced database takes writes again, once its files and its content are in order.
  case unfence = 3
}
