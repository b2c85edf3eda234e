internal import MartletLoop
internal import MartletValues

/// The sockets of one loop that had more to read than a turn has time for: they go on after the others had their turn.
///
/// Always true: touched on the loop only; each round goes on with one at least, and with the others as far as there is
/// time, and with no more that only read than `ServerLimits.readBytesPerRoundMax` allows; who waits goes on in order.
final class TransportTurns {
  private let microseconds: Int
  private var waiting: [NativeTransport] = []
  /// Those that have more bytes to bring than their turn.
  private var reading: [NativeTransport] = []
  /// Nil only while the loop is being prepared.
  private var bell: WakeUp?
  private var readCapacity: () -> Int = { ServerLimits.readBytesPerTurnMax }

  init(limits: Limits) { microseconds = limits.loopTurnMicroseconds }

  /// `bell` calls `goOn` in the next turn of the loop; `readCapacity` is what one read may bring.
  func open(bell: WakeUp, readCapacity: @escaping () -> Int) {
    self.bell = bell
    self.readCapacity = readCapacity
  }

  /// When a socket whose turn begins now makes room for others.
  func ends(from now: MonotonicTime) -> MonotonicTime {
    MonotonicTime(nanoseconds: now.nanoseconds &+ UInt64(microseconds) &* 1_000)
  }

  /// Goes on with a socket after the others had their turn.
  func continueSoon(_ transport: NativeTransport) {
    waiting.append(transport)
    bell?.signal()
  }

  /// Goes on reading a socket after the others had their turn.
  func readOnSoon(_ transport: NativeTransport) {
    reading.append(transport)
    bell?.signal()
  }

  private func readOn() {
    let each = max(ServerLimits.readBytesPerTurnMax, readCapacity())
    let count = min(reading.count, max(1, ServerLimits.readBytesPerRoundMax / each))
    let turn = reading[..<count]
    reading = Array(reading[count...])
    for transport in turn { transport.continueAfterYield() }
    if !reading.isEmpty { bell?.signal() }
  }

  /// Goes on with as many sockets as there is time for; the others wait until the sockets that have something to read
  /// had their turn.
  func goOn() {
    readOn()
    guard !waiting.isEmpty else { return }
    let turn = waiting
    waiting = []
    let end = ends(from: ServerClock.now)
    var next = 0
    while next < turn.count, next == 0 || ServerClock.now < end {
      turn[next].continueAfterYield()
      next += 1
    }
    guard next < turn.count else { return }
    waiting = turn[next...] + waiting
    bell?.signal()
  }
}
