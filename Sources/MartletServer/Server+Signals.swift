internal import Dispatch
internal import MartletLoop
internal import Synchronization

/// What a server does when its process gets a signal.
public struct SignalReaction: Sendable {
  let signal: Int32
  let action: @Sendable (Server) -> Void

  /// Stops gracefully on a signal such as SIGTERM.
  public static func stop(on signal: Int32) -> SignalReaction {
    SignalReaction(signal: signal) { server in server.stop() }
  }

  /// Calls `action` on a signal such as SIGHUP, on a thread of its own; one call at a time.
  public static func call(on signal: Int32, _ action: @escaping @Sendable (Server) -> Void) -> SignalReaction {
    let calls = DispatchQueue(label: "martlet-signal-\(signal)")
    return SignalReaction(signal: signal) { server in calls.async { action(server) } }
  }
}

extension Server {
  /// Returns when every signal is watched, so that whoever sees the server ready may send one at once. A signal that
  /// comes before the server has started is acted on when it has.
  func watch(_ reactions: [SignalReaction], on loop: EventLoop) throws(ServerError) {
    guard !reactions.isEmpty else { return }
    let thread = try startSignals()
    for reaction in reactions {
      let watched = Promise<Result<Void, LoopError>>()
      let isTaken = loop.post { [self] in
        watched.fulfil(
          Result { () throws(LoopError) in
            _ = try SignalWatcher(reaction.signal, on: loop) { [weak self] in
              // Not on the loop, because listening may take its time, and stopping waits for every loop to end.
              thread.act { [weak self] in self?.react(reaction) }
            }
          })
      }
      do throws(LoopError) {
        if !isTaken { throw .loopStopped }
        try watched.wait().get()
      } catch {
        throw .cannotWatch(signal: reaction.signal, error)
      }
    }
  }

  private func react(_ reaction: SignalReaction) {
    started.wait()
    reaction.action(self)
  }
}
