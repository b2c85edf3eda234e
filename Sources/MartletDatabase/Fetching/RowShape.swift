public import MartletQuery
public import MartletValues

/// What one row becomes: a value, or a tuple of values.
///
/// Always true: it takes the row's columns in their order from any decoder, so that the compiler can make one straight
/// piece of code of a statement, its decoder and the program's type.
@usableFromInline
protocol RowShape {
  associatedtype Output
  static func row(_ decoder: inout some QueryDecoder) throws -> Output
}

/// One value, which may take many columns.
@usableFromInline
enum SingleRow<Value: QueryRepresentable>: RowShape {
  @inlinable
  static func row(_ decoder: inout some QueryDecoder) throws -> Value.QueryOutput {
    try Value(decoder: &decoder).queryOutput
  }
}

/// Several values, one after the other.
@usableFromInline
struct TupleRow<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>: RowShape {
  @inlinable
  static func row(
    _ decoder: inout some QueryDecoder
  ) throws -> (First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput) {
    (
      try First(decoder: &decoder).queryOutput, try Second(decoder: &decoder).queryOutput,
      repeat try (each Other)(decoder: &decoder).queryOutput
    )
  }
}

extension Array {
  /// Reserves more than is asked for, because the rows move each time. Of many rows it is four times as much: what
  /// is reserved and never used takes addresses and no memory.
  @inlinable
  mutating func makeRoom(for more: Int) {
    reserveCapacity(Swift.max(count + more, count < 8_192 ? 2 * count : 4 * count))
  }
}

extension SerializedStatement {
  /// An error of decoding with the statement, and the column's name. Others as they are.
  @usableFromInline
  func explain(_ error: any Error, _ columns: @autoclosure () -> [ResultColumns.Column]) -> any Error {
    (error as? QueryDecodingError)?.explained(by: columns(), in: sql) ?? error
  }
}

extension Database {
  /// The rows of a query, at most `limit`.
  @inlinable
  func fetch<Shape: RowShape>(
    _ shape: Shape.Type, _ statement: SerializedStatement, limit: Int = .max
  ) throws -> [Shape.Output] {
    var output: [Shape.Output] = []
    switch try openHome().open(statement, outlivesCall: false) {
    case .statement(let rows):
      defer { rows.finish() }
      var decoder = StatementDecoder(rows)
      do {
        while output.count < limit, try rows.step() {
          decoder.rewind()
          if output.count == output.capacity { output.makeRoom(for: 1) }
          output.append(try Shape.row(&decoder))
        }
      } catch {
        throw statement.explain(decoder.explain(error), rows.resultColumns)
      }
    case .batches(let source):
      defer { source.abandon() }
      while output.count < limit, let batch = try source.next() {
        var decoder = RowDecoder(batch: batch)
        let count = min(batch.rowCount, limit - output.count)
        if output.capacity - output.count < count { output.makeRoom(for: count) }
        do {
          for row in 0..<count {
            decoder.move(toRow: row)
            output.append(try Shape.row(&decoder))
          }
        } catch {
          throw statement.explain(decoder.explain(error), source.resultColumns)
        }
      }
    }
    return output
  }

  /// A cursor over the rows of a query.
  @inlinable
  func cursor<Shape: RowShape>(_ shape: Shape.Type, _ statement: SerializedStatement) throws -> QueryCursor<
    Shape.Output
  > {
    switch try openHome().open(statement, outlivesCall: true) {
    case .statement(let rows):
      var decoder = StatementDecoder(rows)
      return QueryCursor(onEnd: { rows.finish() }) {
        do {
          try self.checkOpen()
          guard try rows.step() else { return nil }
          decoder.rewind()
          return try Shape.row(&decoder)
        } catch {
          throw statement.explain(decoder.explain(error), rows.resultColumns)
        }
      }
    case .batches(let source):
      var decoder = RowDecoder(batch: RowBatch())
      var row = 0
      var count = 0
      return QueryCursor(onEnd: { source.abandon() }) {
        try self.checkOpen()
        while row >= count {
          guard let batch = try source.next() else { return nil }
          decoder = RowDecoder(batch: batch)
          row = 0
          count = batch.rowCount
        }
        decoder.move(toRow: row)
        row += 1
        do { return try Shape.row(&decoder) } catch {
          throw statement.explain(decoder.explain(error), source.resultColumns)
        }
      }
    }
  }
}
