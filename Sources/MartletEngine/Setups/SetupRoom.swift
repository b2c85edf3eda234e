import MartletSQLite
import MartletValues
import Synchronization

/// What the setups of one engine hold of the process's memory, by the subjects that brought them.
///
/// Always true: up to a part of the budget setups are let in as they come. Beyond that all setups of one subject are
/// one holder with one share, however many connections brought them. Before one is refused, those go that nobody has.
final class SetupRoom: Sendable {
  private struct State {
    var totalBytes = 0
    var bySubject: [UInt64: Int] = [:]
    var letGo: (@Sendable () -> Void)?
  }

  private let budgetBytes: Int
  private let processBytes: @Sendable () -> Int
  /// For all of them, so that small ones count together.
  private let account = MemoryAccount()
  private let state = Mutex(State())

  /// `budgetBytes`: the engine's budget, 0 for none; that of the process holds, too. `processBytes`: what all holders
  /// of the process have.
  init(budgetBytes: Int, processBytes: @escaping @Sendable () -> Int = { MemoryBudget.totalBytes }) {
    self.budgetBytes = budgetBytes > 0 ? budgetBytes : .max
    self.processBytes = processBytes
  }

  private var shares: MemoryShares { MemoryShares(budgetBytes: min(budgetBytes, MemoryBudget.bytes)) }

  /// What all setups may hold together before they are shared out. Setups that no session has are closed until they
  /// hold less.
  var freeBytes: Int { shares.budgetBytes / EngineLimits.memorySetupParts }

  /// What the setups hold at this moment.
  var usedBytes: Int { state.withLock { $0.totalBytes } }

  /// Sets what closes the setups that nobody has. It is called on a thread that brings a setup.
  func whenFull(_ letGo: @escaping @Sendable () -> Void) { state.withLock { $0.letGo = letGo } }

  /// A place for a setup of the subject; nil if there is no room, even without the setups that nobody has.
  func place(forBytes bytes: Int, of subject: UInt64) -> SetupPlace? {
    if let place = placeIfRoom(forBytes: bytes, of: subject) { return place }
    state.withLock { $0.letGo }?()
    return placeIfRoom(forBytes: bytes, of: subject)
  }

  private func placeIfRoom(forBytes bytes: Int, of subject: UInt64) -> SetupPlace? {
    guard bytes <= MemoryBudget.allowanceBytes else { return nil }
    let (freeBytes, allowance) = (freeBytes, shares.allowanceBytes(totalBytes: processBytes()))
    let isTaken = state.withLock { state in
      let own = state.bySubject[subject] ?? 0
      guard state.totalBytes &+ bytes <= freeBytes || own &+ bytes <= allowance else { return false }
      Self.count(bytes, of: subject, in: &state)
      return true
    }
    guard isTaken else { return nil }
    account.add(bytes)
    return SetupPlace(bytes: bytes, subject: subject, in: self)
  }

  /// A place for what is held in any case.
  fileprivate func placeInAnyCase(forBytes bytes: Int, of subject: UInt64) -> SetupPlace {
    state.withLock { Self.count(bytes, of: subject, in: &$0) }
    account.add(bytes)
    return SetupPlace(bytes: bytes, subject: subject, in: self)
  }

  fileprivate func left(_ place: SetupPlace) {
    state.withLock { Self.count(-place.bytes, of: place.subject, in: &$0) }
    account.add(-place.bytes)
  }

  private static func count(_ bytes: Int, of subject: UInt64, in state: inout State) {
    state.totalBytes += bytes
    let own = (state.bySubject[subject] ?? 0) + bytes
    state.bySubject[subject] = own > 0 ? own : nil
  }
}

/// The place that one setup has in the room for setups.
///
/// Always true: it is given back once, when the last who has it lets go of it.
final class SetupPlace: Sendable {
  let bytes: Int
  /// The subject that brought the setup, as of `Subject.share`.
  let subject: UInt64
  private let room: SetupRoom

  fileprivate init(bytes: Int, subject: UInt64, in room: SetupRoom) {
    self.bytes = bytes
    self.subject = subject
    self.room = room
  }

  deinit { room.left(self) }

  /// One more place of the same size, for one who keeps the setup while it is closed.
  func another() -> SetupPlace { room.placeInAnyCase(forBytes: bytes, of: subject) }
}
