internal import MartletLoop

/// Calls its body after a whole round of a loop, in which every socket that had something to read was read.
///
/// A timer fires before the loop has read what came meanwhile, so a loop that was busy would take its clients for
/// silent.
///
/// Always true: used on its loop only; asked again before the body has run, it runs once.
final class LoopRound {
  private var left = 0
  /// Nil only while the loop is being prepared.
  private var bell: WakeUp?

  func open(on loop: EventLoop, _ body: @escaping () -> Void) throws(LoopError) {
    // `unowned` because who owns this stops the loop before it goes.
    bell = try WakeUp(on: loop) { [unowned self] in
      left -= 1
      if left > 0 { bell?.signal() } else { body() }
    }
  }

  /// The bell that rings in this round may come before some of its sockets, so the second one counts.
  func begin() {
    // One that is under way comes to its end first: a loop that is late in every round would never see another one.
    guard left == 0 else { return }
    left = 2
    bell?.signal()
  }
}
