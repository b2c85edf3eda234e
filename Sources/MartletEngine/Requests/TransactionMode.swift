/// What an interactive transaction may do, with the numbers of the wire.
public enum TransactionMode: UInt32, Sendable {
  /// A snapshot, on a reader connection.
  case read = 1
  /// The one writer, for as long as the transaction is open.
  case write = 2
}
