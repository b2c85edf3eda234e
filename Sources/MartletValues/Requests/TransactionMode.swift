/// What an interactive transaction may do, with the numbers of the protocol.
public enum TransactionMode: UInt32, Sendable {
  /// A snapshot.
  case read = 1
  /// The database's one writer, for as long as the transaction is open.
  case write = 2
}
