internal import MartletEngine
internal import MartletProtocol
internal import MartletValues
internal import Synchronization

/// Answers what the server is asked about itself, on a thread that no loop waits for.
///
/// Always true: one answer is made at a time, from sums that are a moment old at most; the next one waits until a loop
/// has taken it; its shapes and sessions are bounded in bytes.
final class Inspector: Sendable {
  private struct Sums {
    var inspection: Inspection
    var shapes: Int
    var sessions: Int
    var madeAt: MonotonicTime
  }

  private let worker = FairWorker(label: "martlet-inspect")
  private let latest = Mutex<Sums?>(nil)

  /// `make` returns the sums with that many shapes and sessions. `answer` hands an answer over to a loop, which opens
  /// the gate when it has taken the answer.
  func inspect(
    shapes: Int, sessions: Int, for asker: Asker, seenBy identity: Identity?,
    make: @escaping @Sendable (_ shapes: Int, _ sessions: Int) -> Inspection,
    answer: @escaping @Sendable (Result<Inspection, RequestError>, Gate?) -> Void
  ) {
    worker.submit(for: asker, refuse: { answer(.failure($0), nil) }) { [self] in
      var inspection = sums(shapes: shapes, sessions: sessions, make).seen(by: identity)
      inspection.cut(shapes: shapes, sessions: sessions, bytesMax: WorkLimits.inspectionBytesMax)
      let taken = Gate()
      answer(.success(inspection), taken)
      taken.wait(ms: WorkLimits.handOverMsMax)
    }
  }

  /// The sums of a moment ago, if they tell enough; otherwise new ones, which tell what those did, too: whoever asks
  /// for shapes and sessions in turns has both from the second time on.
  private func sums(shapes: Int, sessions: Int, _ make: (_ shapes: Int, _ sessions: Int) -> Inspection) -> Inspection {
    let now = ServerClock.now
    let known = latest.withLock { $0 }.flatMap { sums in
      now <= sums.madeAt.advanced(milliseconds: WorkLimits.inspectionAgeMsMax) ? sums : nil
    }
    if let known, known.shapes >= shapes, known.sessions >= sessions { return known.inspection }
    let (shapes, sessions) = (max(shapes, known?.shapes ?? 0), max(sessions, known?.sessions ?? 0))
    let made = make(shapes, sessions)
    latest.withLock { $0 = Sums(inspection: made, shapes: shapes, sessions: sessions, madeAt: now) }
    return made
  }
}

extension Inspection {
  /// Keeps the first shapes and sessions, so many and within so many bytes: half of them for each. What does not fit is
  /// left out.
  mutating func cut(shapes shapesMax: Int, sessions sessionsMax: Int, bytesMax: Int) {
    shapes = Self.first(shapesMax, of: shapes, within: bytesMax / 2, \.byteCount)
    sessions = Self.first(sessionsMax, of: sessions, within: bytesMax / 2, \.byteCount)
  }

  private static func first<Part>(_ most: Int, of parts: [Part], within bytesMax: Int, _ size: (Part) -> Int) -> [Part]
  {
    var left = bytesMax
    // One that is too large makes room for those behind it, which would be hidden otherwise.
    return parts.prefix(max(0, most)).filter { part in
      let size = size(part)
      guard size <= left else { return false }
      left -= size
      return true
    }
  }
}
