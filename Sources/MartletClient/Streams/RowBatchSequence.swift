public import MartletValues

/// The rows of a query in the batches in which they arrive. Iterate it once: two iterators would share the rows.
///
/// Always true: the server sends no more than the stream's window ahead of the consumer; the query ends at the server
/// when the sequence and its iterators are gone, or the consuming task is cancelled.
public struct RowBatchSequence: AsyncSequence, Sendable {
  public typealias Element = RowBatch

  let owner: RowStreamOwner

  /// What the columns are called and where they come from.
  public var columns: ResultColumns { owner.stream.layout.columns }

  /// What the server said at the end; nil before that.
  public var completion: Completion? { owner.stream.completion }

  public func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

  /// Returns the batches as they arrive.
  public struct Iterator: AsyncIteratorProtocol {
    let owner: RowStreamOwner

    /// The next batch, or nil after the last. Throws `RequestError`, `ClientError` or `CancellationError`.
    public mutating func next() async throws -> RowBatch? { try await owner.stream.next()?.batch }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> RowBatch? {
      try await owner.stream.next()?.batch
    }
  }
}

/// The rows of a query one by one. Iterate it once: two iterators would share the rows.
public struct RowSequence: AsyncSequence, Sendable {
  public typealias Element = Row

  let owner: RowStreamOwner

  /// What the columns are called and where they come from.
  public var columns: ResultColumns { owner.stream.layout.columns }

  /// What the server said at the end; nil before that.
  public var completion: Completion? { owner.stream.completion }

  public func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

  /// Returns the rows one by one.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let owner: RowStreamOwner
    @usableFromInline var page: RowPage?
    @usableFromInline var index = 0
    @usableFromInline var count = 0

    init(owner: RowStreamOwner) { self.owner = owner }

    /// The next row, or nil after the last. Throws `RequestError`, `ClientError` or `CancellationError`.
    @inlinable
    public mutating func next() async throws -> Row? {
      // Most calls end here, without a suspension.
      if index < count, let page {
        index &+= 1
        return Row(page: page, index: index &- 1)
      }
      return try await nextPage(isolation: nil)
    }

    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Row? {
      if index < count, let page {
        index &+= 1
        return Row(page: page, index: index &- 1)
      }
      return try await nextPage(isolation: actor)
    }

    @usableFromInline
    mutating func nextPage(isolation actor: isolated (any Actor)?) async throws -> Row? {
      repeat {
        page = try await owner.stream.next()
        guard let page else {
          count = 0
          return nil
        }
        count = page.batch.rowCount
        index = 0
      } while count == 0
      index = 1
      return page.map { Row(page: $0, index: 0) }
    }
  }
}

/// Ends the stream when the last sequence or iterator that could read it is gone.
@usableFromInline
final class RowStreamOwner: Sendable {
  let stream: RowStream
  init(_ stream: RowStream) { self.stream = stream }
  deinit { stream.abandon() }
}
