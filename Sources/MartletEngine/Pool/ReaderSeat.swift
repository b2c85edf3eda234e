import MartletValues

/// What a read on one of a pool's connections asks of the pool, and tells it, while it has the connection.
///
/// Always true: it decides nothing; the rules are `LeaseQueue`'s.
final class ReaderSeat: ReadSeat {
  // `unowned` because the pool waits for every seat to be given back before it goes.
  private unowned let pool: ReaderPool
  private let number: Int

  init(pool: ReaderPool, number: Int) {
    self.pool = pool
    self.number = number
  }

  func becomeLong() -> Bool { pool.withQueue { $0.becameLong(number) } }

  var isWanted: Bool { pool.isWanted }

  var isWantedByOthers: Bool { pool.withQueue { $0.isWanted(byOthersThan: number) } }

  /// Its session has so many connections that one is due to another.
  var isOverShare: Bool { pool.withQueue { $0.isOverShare(number) } }

  /// The stream on the connection waits for its client.
  func paused(_ stream: ReadStream) { pool.paused(stream, on: number) }

  func resumed() { pool.withQueue { $0.resumed(number) } }
}
