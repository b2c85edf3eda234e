/// What to do with a savepoint of an open transaction, with the numbers of the protocol.
public enum SavepointAction: UInt32, Sendable {
  case set = 1
  case release = 2
  /// Undoes what came after the savepoint and keeps it set.
  case rollBackTo = 3
}
