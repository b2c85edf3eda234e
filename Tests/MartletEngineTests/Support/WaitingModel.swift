import MartletEngine

/// Who waits, and who gives way in a full queue: counted anew each time, in the simplest way.
struct WaitingModel {
  private(set) var waiting: [(id: UInt64, share: SessionShare)] = []

  var count: Int { waiting.count }

  mutating func arrived(_ id: UInt64, of share: SessionShare) { waiting.append((id, share)) }

  /// Whose it was; nil if it did not wait.
  @discardableResult mutating func left(_ id: UInt64) -> SessionShare? {
    waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).share }
  }

  /// The fullest session of the fullest subject, or of the newcomer's own if no other has more than it would have.
  func victim(of newcomer: SessionShare) -> SessionShare? {
    var subjects: [UInt64: Int] = [:]
    var sessions: [SessionShare: Int] = [:]
    for one in waiting {
      subjects[one.share.subject, default: 0] += 1
      sessions[one.share, default: 0] += 1
    }
    guard let most = subjects.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
    let isOthers = most.value > (subjects[newcomer.subject] ?? 0) + 1
    let own = sessions.filter { $0.key.subject == (isOthers ? most.key : newcomer.subject) }
    guard let fullest = own.max(by: { ($0.value, $0.key.session) < ($1.value, $1.key.session) }) else { return nil }
    return isOthers || fullest.value > (sessions[newcomer] ?? 0) + 1 ? fullest.key : nil
  }

  /// The last one of that session.
  func last(of share: SessionShare) -> UInt64? { waiting.last { $0.share == share }?.id }
}
