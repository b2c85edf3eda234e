internal import MartletProtocol
internal import MartletValues
internal import NIOCore

/// How a session writes its requests: by shape or by bytes, with the metadata that it holds, until when.
extension ClientSession {
  func encodedDeadline(_ deadline: MonotonicTime, now: MonotonicTime) -> UInt32 {
    guard deadline < .distantFuture else { return 0 }
    return UInt32(clamping: max(1, deadline.milliseconds(since: now)))
  }

  /// The request's frame. Notes in `entry` what the server was promised and how it was named.
  mutating func encode(_ entry: inout PendingRequest, id: UInt32, byShape: Bool, now: MonotonicTime) -> ByteBuffer {
    let request = entry.request
    let credit = UInt32(clamping: min(configuration.windowBytes, creditBytesMax))
    entry.credit = Int(credit)
    entry.unsentCredit = 0
    entry.isByShape = false
    let message = message(for: request, &entry, byShape: byShape && !request.isRequired)
      .with(deadlineMs: encodedDeadline(request.deadline, now: now), credit: credit)
    return ClientMessageEncoder.frame(ClientMessage(requestID: id, kind: .request(message)))
  }

  private mutating func message(
    for request: ClientRequest, _ entry: inout PendingRequest, byShape: Bool
  ) -> ClientMessage.Request {
    switch request.kind {
    case .execute(let statement, let parameters):
      let (source, version) = source(of: statement, step: 0, in: &entry, byShape: byShape)
      return .execute(
        ClientMessage.Execute(
          source: source, parameters: parameters, transaction: request.transaction, columnsVersion: version,
          mayShortenDeadline: request.mayShortenDeadline, isRequired: request.isRequired))
    case .batch(let steps, let isAtomic):
      var parts: [StatementStep] = []
      parts.reserveCapacity(steps.count)
      for (index, step) in steps.enumerated() {
        let (source, version) = source(of: step.statement, step: index + 1, in: &entry, byShape: byShape)
        parts.append(
          StatementStep(
            source: source, parameters: step.parameters, columnsVersion: version, conditions: step.conditions,
            isAnyEnough: step.isAnyEnough))
      }
      return .batch(
        ClientMessage.Batch(
          steps: parts, isAtomic: isAtomic, transaction: request.transaction,
          mayShortenDeadline: request.mayShortenDeadline))
    case .plain(let request): return request
    }
  }

  /// How the statement is named, and the version of the metadata that is known.
  private mutating func source(
    of statement: RemoteStatement, step: Int, in entry: inout PendingRequest, byShape: Bool
  ) -> (StatementSource, columnsVersion: UInt64) {
    let known = shapes[statement.shape]
    // The request keeps the layout that it promises to know, whatever the cache forgets meanwhile.
    entry.layouts[step] = known?.layout
    let isByShape = byShape && known?.isPrepared == true
    if isByShape { entry.isByShape = true }
    return (
      isByShape ? .shape(statement.shape) : .statement(statement.bytes), known?.layout?.columns.version ?? 0
    )
  }
}
