internal import MartletValues
internal import Synchronization

/// Decodes rows into `Decodable` types: each coding key takes the column of its name.
///
/// Always true: a decoder that is kept finds the columns of a type once, and then reads them by position in the order
/// in which the type asked for them.
public final class RowDecoder: Sendable {
  /// How a coding key finds its column.
  public enum KeyStrategy: Sendable {
    /// A key finds the column of its own text.
    case asWritten
    /// `unitPrice` finds `unit_price`.
    case snakeCase
    /// Whatever the case of its ASCII letters.
    case caseInsensitive
  }

  private let plan = Mutex<RowDecodingPlan?>(nil)
  private let keyStrategy: KeyStrategy

  public init(keyStrategy: KeyStrategy = .asWritten) { self.keyStrategy = keyStrategy }

  /// Decodes a row. A type that decodes itself from a single value (such as `Int` or `String`) takes the first column.
  ///
  /// Throws if a column is missing, or its value is not what the type asks for. A property that is optional is nil
  /// if its column is NULL or missing.
  public func decode<T: Decodable>(_ type: T.Type, from row: Row) throws(RowDecodingError) -> T {
    let plan = plan(for: row.page.layout)
    let cursor = RowDecodingCursor(plan: plan)
    do {
      let value = try RowValueDecoder.decode(type, row: row, cursor: cursor)
      if plan.steps == nil { learn(cursor.noted, for: plan) }
      return value
    } catch let error as RowDecodingError {
      throw error
    } catch let error as DecodingError {
      throw RowDecodingError(decoding: error, as: "\(T.self)")
    } catch {
      throw RowDecodingError(column: "", position: nil, "The type \(T.self) refused the row.", underlying: error)
    }
  }

  private func plan(for layout: ColumnLayout) -> RowDecodingPlan {
    plan.withLock { current in
      if let current, current.layout === layout { return current }
      let made = RowDecodingPlan(layout: layout, keyStrategy: keyStrategy)
      current = made
      return made
    }
  }

  private func learn(_ steps: [RowDecodingPlan.Step], for known: RowDecodingPlan) {
    let made = RowDecodingPlan(layout: known.layout, keyStrategy: keyStrategy, steps: steps)
    plan.withLock { current in
      if current === known { current = made }
    }
  }
}

extension RowDecodingError {
  /// What a type's own `init(from:)` said, with the column that it was about.
  fileprivate init(decoding error: DecodingError, as type: String) {
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default:
      self.init(column: "", position: nil, "The row cannot be decoded as \(type).", underlying: error)
      return
    }
    let column = context.codingPath.first?.stringValue ?? ""
    let place = column.isEmpty ? "The row" : "The column \(column)"
    self.init(column: column, position: nil, "\(place) cannot be decoded as \(type) wants it.", underlying: error)
  }
}
