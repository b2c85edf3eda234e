internal import MartletLoop
internal import MartletValues

/// Begins the TLS handshakes of one loop, when there is time for them.
///
/// A client that connects, asks for a handshake and leaves has cost nothing but a look, if it is gone by its turn.
///
/// Always true: touched on the loop only; each connection that comes is opened, or refused, once.
final class HandshakeTurns {
  private var queue: HandshakeQueue<Int32>
  private let helloMs: Int
  private var timer: LoopTimer?
  private var open: ((Int32) -> Void)?
  private var refuse: ((Int32) -> Void)?

  init(limits: Limits) {
    queue = HandshakeQueue(capacity: limits.handshakesMax)
    helloMs = limits.helloDeadlineMs
  }

  /// `open` gets a descriptor whose handshake may begin, `refuse` one that gets none. Either owns it from then on.
  func begin(
    on loop: EventLoop, open: @escaping (Int32) -> Void, refuse: @escaping (Int32) -> Void
  ) throws(LoopError) {
    self.open = open
    self.refuse = refuse
    // `unowned` because the shard owns this, and stops its loop before it goes.
    timer = try LoopTimer(on: loop) { [unowned self] in goOn() }
  }

  func arrived(_ descriptor: Int32, of address: UInt64) {
    let now = ServerClock.now
    if let unlucky = queue.arrived(descriptor, of: address, deadline: now.advanced(milliseconds: helloMs)) {
      refuse?(unlucky)
    }
    goOn()
  }

  func began(of address: UInt64) { queue.began(of: address, ServerClock.now) }

  func ended(nanoseconds: UInt64) { queue.ended(nanoseconds: nanoseconds) }

  /// The loop takes nothing more.
  func close() {
    for descriptor in queue.closed() { refuse?(descriptor) }
    timer?.stop()
  }

  private func goOn() {
    let now = ServerClock.now
    for descriptor in queue.ticked(now) { refuse?(descriptor) }
    // Those that have left cost little, but a flood leaves many.
    var left = ServerLimits.handshakeLooksPerTurnMax
    while left > 0, let descriptor = queue.next(now) {
      left -= 1
      if SocketStream.hasPeerLeft(descriptor) { refuse?(descriptor) } else { open?(descriptor) }
    }
    if let ms = queue.waitMs(now) { timer?.start(afterMs: ms) }
  }
}
