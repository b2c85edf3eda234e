public import MartletValues

/// Rows of a result as values of the statement.
///
/// Always true: each row becomes one value, or the error says which column does not fit.
extension Statement where QueryValue: QueryRepresentable {
  /// The rows of a batch as values.
  @inlinable
  public func decode(_ batch: RowBatch) throws -> [QueryValue.QueryOutput] {
    var rows: [QueryValue.QueryOutput] = []
    rows.reserveCapacity(batch.rowCount)
    var decoder = RowDecoder(batch: batch)
    for row in 0..<batch.rowCount {
      decoder.move(toRow: row)
      do { rows.append(try QueryValue(decoder: &decoder).queryOutput) } catch { throw decoder.explain(error) }
    }
    return rows
  }
}

extension Statement {
  /// The rows of a batch as tuples.
  @inlinable
  public func decode<First: QueryRepresentable, Second: QueryRepresentable, each Other: QueryRepresentable>(
    _ batch: RowBatch
  ) throws -> [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)]
  where QueryValue == (First, Second, repeat each Other) {
    var rows: [(First.QueryOutput, Second.QueryOutput, repeat (each Other).QueryOutput)] = []
    rows.reserveCapacity(batch.rowCount)
    var decoder = RowDecoder(batch: batch)
    for row in 0..<batch.rowCount {
      decoder.move(toRow: row)
      do {
        rows.append(
          (
            try First(decoder: &decoder).queryOutput, try Second(decoder: &decoder).queryOutput,
            repeat try (each Other)(decoder: &decoder).queryOutput
          ))
      } catch {
        throw decoder.explain(error)
      }
    }
    return rows
  }
}
