internal import Foundation
internal import Logging
internal import MartletEngine
internal import MartletThreads
internal import Synchronization

/// The audit log of a server: takes events from every thread, and writes them on one of its own.
///
/// Always true: `note` waits for no file; what is queued is bounded, in events and in bytes, and what did not fit is
/// counted, in the log as well; lines stand in the order in which their events came. If no file is named it does
/// nothing.
final class AuditLog: Sendable {
  private struct State {
    var file: AuditFile?
    var parameters: Set<AuditedColumn> = []
    var events: [AuditEvent] = []
    /// Of these events.
    var bytes = 0
    /// Since the last events were taken.
    var lost = 0
    /// The thread has events that it has not written.
    var isWriting = false
    var hasThread = false
    var isStopping = false
  }

  private let state: Mutex<State>
  /// 0: there is no log. Otherwise 1 and the place of the level.
  private let rank: Atomic<UInt8>
  private let asksForValues: Atomic<Bool>
  private let wakes = TimedSemaphore()
  private let ended = TimedSemaphore()
  private let logger: Logger
  private let eventsMax: Int
  private let eventBytesMax: Int

  private let written = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)

  /// A log with that file; none if it is nil.
  init(
    file: AuditFile? = nil, level: AuditLevel = .refused, parameters: Set<AuditedColumn> = [],
    logger: Logger = Logger(label: "martlet"), eventsMax: Int = AuditLimits.eventsMax,
    eventBytesMax: Int = AuditLimits.eventBytesMax
  ) {
    self.logger = logger
    self.eventsMax = eventsMax
    self.eventBytesMax = eventBytesMax
    state = Mutex(State(file: file, parameters: parameters))
    asksForValues = Atomic(!parameters.isEmpty)
    rank = Atomic(Self.rank(file, level))
  }

  private static func rank(_ file: AuditFile?, _ level: AuditLevel) -> UInt8 {
    guard file != nil else { return 0 }
    return 1 + UInt8(AuditLevel.allCases.firstIndex(of: level) ?? 0)
  }

  /// Opens the file that the settings name; nil if there are none.
  static func file(of settings: AuditSettings?) throws(ServerError) -> AuditFile? {
    guard let settings else { return nil }
    return try AuditFile(opening: settings.file)
  }

  // MARK: - What is wanted

  /// Whether there is a log at all: each request asks.
  @inline(__always)
  var isOn: Bool { rank.load(ordering: .relaxed) > 0 }

  /// The columns whose values are shown.
  var parameters: Set<AuditedColumn> {
    asksForValues.load(ordering: .relaxed) ? state.withLock { $0.parameters } : []
  }

  /// Nil if there is no log.
  var level: AuditLevel? {
    let rank = Int(rank.load(ordering: .relaxed))
    return rank > 0 ? AuditLevel.allCases[rank - 1] : nil
  }

  /// Whether a request stands in the log.
  func wants(writes: Bool, isRefused: Bool) -> Bool { level?.wants(writes: writes, isRefused: isRefused) ?? false }

  var counters: [(name: String, value: Int64)] {
    [
      ("audit_events", Int64(written.load(ordering: .relaxed))),
      ("audit_events_lost", Int64(lost.load(ordering: .relaxed))),
      ("audit_write_failures", Int64(failures.load(ordering: .relaxed))),
    ]
  }

  // MARK: - Events come

  func note(_ event: AuditEvent) { note([event]) }

  /// From any thread; returns at once.
  func note(_ events: [AuditEvent]) {
    guard isOn, !events.isEmpty else { return }
    // Before the lock is held, for which others wait.
    let sizes = events.map(\.byteCount)
    let (wakes, starts, missed) = state.withLock { state in
      guard !state.isStopping else { return (false, false, events.count) }
      let isFirst = state.events.isEmpty
      let taken = sizes.prefix(max(0, eventsMax - state.events.count)).prefix { bytes in
        guard state.bytes + bytes <= eventBytesMax else { return false }
        state.bytes += bytes
        return true
      }.count
      state.events.append(contentsOf: events.prefix(taken))
      state.lost += events.count - taken
      defer { state.hasThread = true }
      return (isFirst, !state.hasThread, events.count - taken)
    }
    if missed > 0 { lost.add(missed, ordering: .relaxed) }
    if starts { start() }
    if wakes { self.wakes.signal() }
  }

  private func start() {
    ThreadStarter.shared.start(named: "martlet-audit") { [self] in
      run()
      ended.signal()
    }
  }

  // MARK: - The file changes

  /// Goes on with that file, or the same one opened anew, that level and those columns' values. What is queued is
  /// written to the former one, as far as it takes it soon; the rest goes to the new one. Not on a loop: may wait
  /// `AuditLimits.settleMs`.
  func goOn(with file: AuditFile?, level: AuditLevel, parameters: Set<AuditedColumn> = []) {
    settle()
    let former = state.withLock { state in
      state.parameters = parameters
      defer { state.file = file }
      return state.file
    }
    asksForValues.store(!parameters.isEmpty, ordering: .relaxed)
    rank.store(Self.rank(file, level), ordering: .relaxed)
    // Closed here, after the lock is free.
    withExtendedLifetime(former) {}
  }

  /// The path that lines go to.
  var path: String? { state.withLock { $0.file?.path } }

  /// Waits until what is queued is written, at most `AuditLimits.settleMs`.
  func settle() {
    let end = DispatchTime.now() + .milliseconds(AuditLimits.settleMs)
    while state.withLock({ $0.isWriting || !$0.events.isEmpty }), DispatchTime.now() < end {
      usleep(AuditLimits.settleLookMicroseconds)
    }
  }

  /// Writes what is queued, as far as the file takes it soon, and ends. Nothing is taken any more.
  func close() {
    let hasThread = state.withLock { state in
      state.isStopping = true
      return state.hasThread
    }
    guard hasThread else { return }
    wakes.signal()
    // The system may not have had the thread.
    ThreadStarter.shared.tryAgain()
    if ended.wait(by: .now() + .milliseconds(AuditLimits.settleMs)) { ended.signal() }
  }
}

// MARK: - The thread that writes

extension AuditLog {
  private func run() {
    var events: [AuditEvent] = []
    while true {
      let (lost, mustEnd) = take(&events)
      if !events.isEmpty || lost > 0 {
        var rest = events[...]
        repeat {
          let piece = rest.prefix(AuditLimits.writeEventsMax)
          rest = rest.dropFirst(piece.count)
          write(piece, lost: rest.isEmpty ? lost : 0)
        } while !rest.isEmpty
      } else if mustEnd {
        return
      } else {
        wakes.wait()
      }
    }
  }

  /// What waits, and how many did not fit behind it. The two arrays change places, so that whoever notes an event never
  /// waits for copies.
  private func take(_ events: inout [AuditEvent]) -> (lost: Int, mustEnd: Bool) {
    // What a burst took is not kept.
    events.removeAll(keepingCapacity: events.count <= AuditLimits.writeEventsMax)
    return state.withLock { state in
      swap(&events, &state.events)
      state.bytes = 0
      let lost = state.lost
      state.lost = 0
      state.isWriting = !events.isEmpty || lost > 0
      return (lost, state.isStopping)
    }
  }

  private func write(_ events: ArraySlice<AuditEvent>, lost: Int) {
    var bytes: [UInt8] = []
    for event in events { event.write(to: &bytes) }
    if lost > 0 {
      var event = AuditEvent(.eventsLost)
      event.count = lost
      event.write(to: &bytes)
    }
    let count = events.count + (lost > 0 ? 1 : 0)
    if write(bytes) {
      written.add(count, ordering: .relaxed)
    } else {
      self.lost.add(events.count, ordering: .relaxed)
    }
  }

  /// Writes until the file has taken all bytes; false if it does not and the server ends, or the log does.
  private func write(_ bytes: [UInt8]) -> Bool {
    var done = 0
    var hasFailed = false
    var file: AuditFile?
    while true {
      let (current, isStopping) = state.withLock { ($0.file, $0.isStopping) }
      guard let current else { return false }
      if let file, file !== current {
        // A line that the former file has the beginning of stands in the new one as a whole.
        done = bytes[..<done].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      }
      file = current
      let (count, failure) = bytes.withUnsafeBytes { current.write(UnsafeRawBufferPointer(rebasing: $0[done...])) }
      done += count
      guard let failure else {
        if hasFailed { logger.notice("The audit log is written again", metadata: ["file": "\(current.path)"]) }
        return true
      }
      failures.add(1, ordering: .relaxed)
      if !hasFailed {
        hasFailed = true
        logger.error(
          "The audit log cannot be written; it is tried again until it can",
          metadata: ["file": "\(current.path)", "reason": "\(failure)"])
      }
      guard !isStopping else { return false }
      // A new event or the server's end wakes it sooner, and either is no harm.
      _ = wakes.wait(by: .now() + .milliseconds(AuditLimits.retryMs))
    }
  }
}
