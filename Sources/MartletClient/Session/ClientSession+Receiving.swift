internal import MartletValues

/// What a session makes of the server's messages.
///
/// Always true: a message that names no request in flight, or rows that do not fit their columns, end the connection.
extension ClientSession {
  mutating func handle(
    _ message: ServerMessage, now: MonotonicTime, _ actions: inout [SessionAction]
  ) throws(FrameReader.Violation) {
    if let end = message.transactionEnd {
      if transactions[end.transaction] != nil { transactions[end.transaction] = .ended(end.error) }
      return
    }
    if message.closing != nil { drainStarted(&actions) }
    if message.requestID == 0 || (message.requestID == Self.helloID && phase == .greeting) {
      return handleConnection(message, now: now, &actions)
    }
    guard var entry = entries[message.requestID], entry.phase != .waiting else {
      throw FrameReader.Violation(message: "The server answered a request that is not in flight.")
    }
    try learn(from: message, entry: &entry)
    try deliverRows(of: message, entry: &entry, &actions)
    entries[message.requestID] = entry
    finishIfOver(message, entry, now: now, &actions)
  }

  private mutating func handleConnection(
    _ message: ServerMessage, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    if let hello = message.hello {
      greeted(hello, now: now, &actions)
    } else if let error = message.error {
      if phase == .greeting {
        refused(error, &actions)
      } else {
        actions += ended(ClientError(.connectionLost, "The server ended the connection: \(error.message)"))
      }
    }
  }

  /// Takes the metadata of columns and the ids of shapes.
  private mutating func learn(
    from message: ServerMessage, entry: inout RequestEntry
  ) throws(FrameReader.Violation) {
    guard entry.layouts.indices.contains(message.step) else {
      throw FrameReader.Violation(message: "The server answered a step that the batch does not have.")
    }
    guard let statement = entry.statement(step: message.step) else {
      if let columns = message.columns { entry.layouts[message.step] = ColumnLayout(columns) }
      return
    }
    if let columns = message.columns {
      let layout = ColumnLayout(columns)
      entry.layouts[message.step] = layout
      var known = shapes[statement.shape] ?? ShapeCache.Entry()
      known.layout = layout
      shapes[statement.shape] = known
    }
    if let shape = message.completion?.shape, shape == statement.shape {
      var known = shapes[shape] ?? ShapeCache.Entry()
      known.isPrepared = true
      shapes[shape] = known
    }
  }

  private mutating func deliverRows(
    of message: ServerMessage, entry: inout RequestEntry, _ actions: inout [SessionAction]
  ) throws(FrameReader.Violation) {
    guard let rows = message.rows else { return }
    guard let layout = entry.layouts[message.step], layout.columns.columns.count == rows.columns.count else {
      throw FrameReader.Violation(message: "The server sent rows that do not fit their columns.")
    }
    let bytes = rows.byteCount
    entry.credit -= bytes
    guard entry.credit > -configuration.frameBytesMax else {
      throw FrameReader.Violation(message: "The server sent more rows than it had credit for.")
    }
    guard entry.phase == .sent, !entry.isCancelled else { return }
    if rows.rowCount > 0 {
      entry.hasDelivered = true
      actions.append(.deliver(message.requestID, .rows(step: message.step, rows, layout)))
    }
    // Rows that nobody will take, because there are none, give their bytes back at once.
    guard entry.request.creditPolicy == .automatic || rows.rowCount == 0 else { return }
    entries[message.requestID] = entry
    actions += consumed(message.requestID, bytes: bytes)
    entry = entries[message.requestID] ?? entry
  }

  private mutating func finishIfOver(
    _ message: ServerMessage, _ entry: RequestEntry, now: MonotonicTime, _ actions: inout [SessionAction]
  ) {
    let id = message.requestID
    if let completion = message.completion {
      let part = ReplyPart.completed(step: message.step, completion, entry.layouts[message.step])
      if message.step == 0 { return finish(id, part, now: now, &actions) }
      if entry.phase == .sent { actions.append(.deliver(id, part)) }
    } else if let error = message.error {
      if message.step == 0, error.reason == .unprepared, resend(id, entry, now: now, &actions) { return }
      let part = ReplyPart.failed(step: message.step, .request(error))
      if message.step == 0 { return finish(id, part, now: now, &actions) }
      if entry.phase == .sent, error.reason != .unprepared { actions.append(.deliver(id, part)) }
    } else if message.isPong {
      finish(id, .answered, now: now, &actions)
    } else if let inspection = message.inspection {
      finish(id, .inspected(inspection), now: now, &actions)
    } else if let list = message.databases {
      finish(id, .listed(list), now: now, &actions)
    }
  }

  /// The server does not have a shape that the request named: sends it again with the bytes. False where it may not.
  private mutating func resend(
    _ id: UInt32, _ entry: RequestEntry, now: MonotonicTime, _ actions: inout [SessionAction]
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
