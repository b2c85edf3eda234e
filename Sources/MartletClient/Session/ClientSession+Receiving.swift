internal import MartletProtocol
internal import MartletValues

/// What a session makes of the server's messages.
///
/// Always true: a message that names no request in flight, or rows that do not fit their columns, end the connection.
extension ClientSession {
  mutating func handle(
    _ message: ServerMessage, now: MonotonicTime, _ actions: inout [ClientAction]
  ) throws(FrameReader.Violation) {
    for part in message.parts {
      switch part {
      case .transactionEnded(let transaction, let error, _):
        if transactions[transaction] != nil { transactions[transaction] = .ended(error) }
        return
      case .closing(let sentence): drainStarted(sentence, &actions)
      default: break
      }
    }
    if message.requestID == 0 || (message.requestID == ProtocolLimits.helloID && phase == .greeting) {
      return handleConnection(message, now: now, &actions)
    }
    guard let entry = entries[message.requestID], entry.phase != .waiting else {
      throw FrameReader.Violation(message: "The server answered a request that is not in flight.")
    }
    guard entry.layouts.indices.contains(Int(message.step)) else {
      throw FrameReader.Violation(message: "The server answered a step that the batch does not have.")
    }
    for part in message.parts {
      try handle(part, of: message.requestID, step: Int(message.step), now: now, &actions)
    }
  }

  private mutating func handleConnection(
    _ message: ServerMessage, now: MonotonicTime, _ actions: inout [ClientAction]
  ) {
    for part in message.parts {
      switch part {
      case .hello(let hello): greeted(hello, now: now, &actions)
      case .error(let error) where phase == .greeting: refused(error, &actions)
      case .error(let error): endedByServer(error, &actions)
      default: break
      }
    }
  }

  /// Parts that come behind a request's end in the same message belong to no request any more.
  private mutating func handle(
    _ part: ServerMessage.Part, of id: UInt32, step: Int, now: MonotonicTime, _ actions: inout [ClientAction]
  ) throws(FrameReader.Violation) {
    guard let entry = entries[id] else { return }
    switch part {
    case .columns(let columns): learn(columns, of: id, step: step)
    case .rows(let rows): try deliver(rows, of: id, step: step, &actions)
    case .completion(let completion):
      if let shape = completion.shape, shape == entry.statement(step: step)?.shape {
        shapes[shape, default: ShapeCache.Entry()].isPrepared = true
      }
      end(id, step: step, .completed(step: step, completion, entry.layouts[step]), now: now, &actions)
    case .error(let error):
      if error.reason == .unprepared {
        // A step's is answered by sending the whole batch again, when that has ended.
        guard step == 0 else { return }
        if resend(id, entry, now: now, &actions) { return }
      }
      end(id, step: step, .failed(step: step, .request(known(error, of: entry))), now: now, &actions)
    case .hello, .transactionEnded, .closing: break
    case .pong, .inspection, .databases: if step == 0 { finish(id, .answered(part), now: now, &actions) }
    }
  }

  /// The server, which ends a session before its answers, does not know of each statement whether it only reads.
  private func known(_ error: RequestError, of entry: PendingRequest) -> RequestError {
    guard error.isOutcomeUnknown, !entry.isOutcomeUnknown(in: mode(of: entry.request.transaction)) else { return error }
    var error = error
    error.isOutcomeUnknown = false
    return error
  }

  /// A step has ended, or the request.
  private mutating func end(
    _ id: UInt32, step: Int, _ part: ReplyPart, now: MonotonicTime, _ actions: inout [ClientAction]
  ) {
    if step == 0 { return finish(id, part, now: now, &actions) }
    if entries[id]?.phase == .sent { actions.append(.deliver(id, part)) }
  }

  private mutating func learn(_ columns: ResultColumns, of id: UInt32, step: Int) {
    let layout = ColumnLayout(columns)
    entries[id]?.layouts[step] = layout
    guard let shape = entries[id]?.statement(step: step)?.shape else { return }
    shapes[shape, default: ShapeCache.Entry()].layout = layout
  }

  private mutating func deliver(
    _ rows: RowBatch, of id: UInt32, step: Int, _ actions: inout [ClientAction]
  ) throws(FrameReader.Violation) {
    guard var entry = entries[id] else { return }
    guard let layout = entry.layouts[step], layout.columns.columns.count == rows.columns.count else {
      throw FrameReader.Violation(message: "The server sent rows that do not fit their columns.")
    }
    let bytes = rows.byteCount
    entry.credit -= bytes
    guard entry.credit > -configuration.frameBytesMax else {
      throw FrameReader.Violation(message: "The server sent more rows than it had credit for.")
    }
    let isWanted = entry.phase == .sent
    if isWanted, rows.rowCount > 0 {
      entry.hasDelivered = true
      actions.append(.deliver(id, .rows(step: step, rows, layout)))
    }
    entries[id] = entry
    // Rows that nobody will take, because there are none, give their bytes back at once.
    guard isWanted, entry.request.creditPolicy == .automatic || rows.rowCount == 0 else { return }
    consumed(id, bytes: bytes, &actions)
  }

  /// The server does not have a shape that the request named: sends it again with the bytes. False if it may not.
  private mutating func resend(
    _ id: UInt32, _ entry: PendingRequest, now: MonotonicTime, _ actions: inout [ClientAction]
  ) -> Bool {
    guard entry.isByShape, !entry.hasDelivered, entry.phase == .sent else { return false }
    switch entry.request.kind {
    case .execute(let statement, _): shapes[statement.shape]?.isPrepared = false
    case .batch(let steps, _): for step in steps { shapes[step.statement.shape]?.isPrepared = false }
    default: return false
    }
    if entry.isCancelled {
      finish(id, .failed(step: 0, .cancelled), now: now, &actions)
    } else {
      send(id, byShape: false, now: now, &actions)
    }
    return true
  }
}
