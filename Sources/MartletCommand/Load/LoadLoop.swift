import Histogram
import MartletLoop
import MartletProtocol
import MartletTLS

/// One event loop's share of a load run: its connections, its templates and what it counted.
///
/// Always true: the clock starts when every connection has said hello; the run ends when its time is over and every
/// answer is in, or when no connection is left, and then `completion` is called exactly once.
// @unchecked because everything but `run` is touched on the loop's thread only.
final class LoadLoop: @unchecked Sendable {
  let plan: LoadPlan
  var result = LoadResult()

  private let loop: EventLoop
  private var completion: ((LoadResult) -> Void)?
  private var templates: [LoadPlan.Request?]
  private var credit = RequestTemplate(.credit(bytes: UInt32(CommandLimits.scanCreditStepBytes)))
  private var connections: [LoadConnection] = []
  private var timer: LoopTimer?
  private var attempts = 0
  private var readyCount = 0
  private var openCount = 0
  private var hasStarted = false
  private var ids: StandardOutput?
  let scratch = TLSScratch()

  private init(_ plan: LoadPlan, loop: EventLoop, completion: @escaping (LoadResult) -> Void) {
    self.plan = plan
    self.loop = loop
    self.completion = completion
    templates = plan.requests
    ids = plan.idsDescriptor.map { StandardOutput(descriptor: $0) }
  }

  /// Runs the plan on a loop and thread of its own.
  static func run(_ plan: LoadPlan) async throws -> LoadResult {
    let loop = try EventLoop(label: "bench.\(plan.connections.lowerBound)")
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<LoadResult, Never>) in
      let load = LoadLoop(plan, loop: loop) { continuation.resume(returning: $0) }
      loop.post { load.connect() }
    }
    loop.stop()
    loop.join()
    return result
  }

  // MARK: - Connecting

  private func connect() {
    attempts = plan.connections.count
    do {
      timer = try LoopTimer(on: loop) { [self] in timeIsOver() }
      timer?.start(afterMs: CommandLimits.connectDeadlineMs)
    } catch {
      return failedToConnect(error, count: attempts)
    }
    for number in plan.connections {
      do {
        try SocketStream.connect(to: plan.address, on: loop) { [self] result in
          switch result {
          case .success(let stream):
            openCount += 1
            open(number, on: stream)
          case .failure(let error): failedToConnect(error, count: 1)
          }
        }
      } catch {
        failedToConnect(error, count: 1)
      }
    }
  }

  private func open(_ number: Int, on stream: SocketStream) {
    do throws(TLSError) {
      connections.append(try LoadConnection(number: number, stream: stream, load: self))
    } catch {
      stream.close()
      connectionClosed()
      connectionLost(unanswered: 0, error.message)
    }
  }

  private func failedToConnect(_ error: LoopError, count: Int) {
    result.connectionsLost += count
    result.errors += count
    result.complaint = result.complaint ?? "A connection failed: \(error)."
    attempts -= count
    startWhenReady()
  }

  func connectionReady() {
    readyCount += 1
    startWhenReady()
  }

  /// Every connection that can still come is here.
  private func startWhenReady() {
    guard !hasStarted, readyCount >= attempts else { return }
    guard attempts > 0 else { return finish() }
    hasStarted = true
    result.startNanoseconds = EventLoop.nanoseconds
    result.endNanoseconds = result.startNanoseconds
    timer?.start(afterMs: Int(max(1, plan.seconds * 1_000)))
    for connection in connections { connection.start() }
  }

  // MARK: - Requests and answers

  /// Writes a request's frame behind what `output` holds.
  func append(_ kind: WorkloadKind, requestID: UInt32, value: Int64, isFull: Bool, to output: inout [UInt8]) {
    guard templates[kind.rawValue] != nil else { return }
    // `!` because the guard has seen that there is a template of this kind.
    if isFull {
      Self.append(&templates[kind.rawValue]!.full, requestID, value, to: &output)
    } else {
      Self.append(&templates[kind.rawValue]!.usual, requestID, value, to: &output)
    }
  }

  private static func append(
    _ template: inout RequestTemplate, _ requestID: UInt32, _ value: Int64, to output: inout [UInt8]
  ) {
    template.patch(requestID: requestID)
    template.patch(value: value)
    output.append(contentsOf: template.frame)
  }

  func appendCredit(requestID: UInt32, to output: inout [UInt8]) {
    credit.patch(requestID: requestID)
    output.append(contentsOf: credit.frame)
  }

  func acknowledged(_ kind: WorkloadKind, value: Int64, nanoseconds: UInt64, now: UInt64) {
    result.operations += 1
    result.rows += templates[kind.rawValue]?.rowsWritten ?? 0
    result.latencies.record(nanoseconds)
    result.endNanoseconds = now
    if kind == .insert && ids != nil {
      ids?.write("\(value)\n")
      if (try? ids?.flushIfLarge()) == nil { ids = nil }
    }
  }

  func failed(_ message: String?) {
    result.errors += 1
    result.complaint = result.complaint ?? message
  }

  // MARK: - The end

  private func timeIsOver() {
    guard hasStarted else { return loseAll("A connection was not answered in time.") }
    if connections.contains(where: { $0.state == .draining }) {
      return loseAll("The server stopped answering.")
    }
    for connection in connections {
      connection.drain()
      if connection.inFlight == 0 { connection.close() }
    }
    if completion != nil { timer?.start(afterMs: CommandLimits.drainDeadlineMs) }
  }

  private func loseAll(_ reason: String) {
    for connection in connections { connection.lose(reason) }
    if openCount == 0 { finish() }
  }

  func connectionLost(unanswered: Int, _ reason: String) {
    result.connectionsLost += 1
    result.errors += max(unanswered, hasStarted ? 0 : 1)
    result.complaint = result.complaint ?? reason
    if !hasStarted {
      attempts -= 1
      // From the next turn, because the connection that was lost is still closing.
      loop.post { [self] in startWhenReady() }
    }
  }

  func connectionClosed() {
    openCount -= 1
    if openCount == 0 && (hasStarted || attempts == 0) { finish() }
  }

  private func finish() {
    guard let completion else { return }
    self.completion = nil
    timer?.close()
    try? ids?.flush()
    completion(result)
  }
}
