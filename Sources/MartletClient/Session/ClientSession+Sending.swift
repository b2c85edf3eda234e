internal import MartletValues
internal import NIOCore

/// How a session writes its requests: by shape or by bytes, with the metadata that it holds, until when.
extension ClientSession {
  func encodedDeadline(_ deadline: MonotonicTime, now: MonotonicTime) -> UInt32 {
    guard deadline < .distantFuture else { return 0 }
    return UInt32(clamping: max(1, deadline.milliseconds(since: now)))
  }

  /// The request's frame. Notes in `entry` what the server was promised and how it was named.
  mutating func encode(_ entry: inout RequestEntry, id: UInt32, byShape: Bool, now: MonotonicTime) -> ByteBuffer {
    let request = entry.request
    let deadlineMs = encodedDeadline(request.deadline, now: now)
    let credit = UInt32(clamping: min(configuration.windowBytes, creditBytesMax))
    let options = ClientMessageEncoder.Options(
      transaction: request.transaction, deadlineMs: deadlineMs, credit: credit,
      mayShortenDeadline: request.mayShortenDeadline)
    entry.credit = Int(credit)
    entry.unsentCredit = 0
    entry.isByShape = false
    switch request.kind {
    case .execute(let statement, let parameters):
      let source = source(of: statement, step: 0, in: &entry, byShape: byShape)
      return ClientMessageEncoder.execute(id: id, source, parameters, options)
    case .batch(let steps, let isAtomic):
      let sources = steps.enumerated().map { index, step in
        source(of: step.statement, step: index + 1, in: &entry, byShape: byShape)
      }
      return ClientMessageEncoder.batch(id: id, steps, sources, isAtomic: isAtomic, options)
    case .begin(let mode): return ClientMessageEncoder.begin(id: id, mode, deadlineMs: deadlineMs)
    case .finish(let commit):
      return ClientMessageEncoder.finish(id: id, transaction: request.transaction, commit: commit)
    case .savepoint(let action, let number):
      return ClientMessageEncoder.savepoint(id: id, transaction: request.transaction, action, number: number)
    case .ping: return ClientMessageEncoder.ping(id: id)
    case .maintain(let task):
      return ClientMessageEncoder.maintain(id: id, task, deadlineMs: deadlineMs, credit: credit)
    case .administer(let task): return ClientMessageEncoder.administer(id: id, task)
    case .inspect(let shapes, let sessions):
      return ClientMessageEncoder.inspect(
        id: id, shapes: UInt32(clamping: shapes), sessions: UInt32(clamping: sessions))
    }
  }

  private mutating func source(
    of statement: RemoteStatement, step: Int, in entry: inout RequestEntry, byShape: Bool
  ) -> ClientMessageEncoder.Source {
    let known = shapes[statement.shape]
    // The request keeps the layout that it promises to know, whatever the cache forgets meanwhile.
    entry.layouts[step] = known?.layout
    let isByShape = byShape && known?.isPrepared == true
    if isByShape { entry.isByShape = true }
    return ClientMessageEncoder.Source(
      statement: statement, isByShape: isByShape, columnsVersion: known?.layout?.columns.version ?? 0)
  }
}
