/// What a check of a database found.
///
/// Always true: the entries are in the order in which the server looked.
public struct CheckReport: Sendable, Equatable {
  /// One look, and what it found.
  public struct Entry: Sendable, Equatable {
    /// What was looked at: `integrity`, `foreign_keys`, `view`, `trigger`, `definitions` (views and triggers that
    /// were left out), `checks` (CHECK constraints that were left out), `pages` or `files`. Later servers may have
    /// more.
    public var check: String
    /// The table, the view, the triggers that one statement fires, or the name of the number.
    public var object: String
    public var isOk: Bool
    /// What is wrong, in SQLite's words; empty if nothing is.
    public var message: String
    /// A number, such as how many pages are free; nil if there is none.
    public var value: Int64?

    public init(check: String, object: String, isOk: Bool, message: String = "", value: Int64? = nil) {
      self.check = check
      self.object = object
      self.isOk = isOk
      self.message = message
      self.value = value
    }
  }

  public var entries: [Entry]

  public init(entries: [Entry]) { self.entries = entries }

  init(_ rows: [Row]) throws {
    entries = try rows.map { row in
      Entry(
        check: try row.get(String.self, 0), object: try row.get(String.self, 1), isOk: try row.get(Int64.self, 2) != 0,
        message: try row.get(String?.self, 3) ?? "", value: try row.get(Int64?.self, 4))
    }
  }

  /// Nothing is wrong.
  public var isOk: Bool { entries.allSatisfy(\.isOk) }
}
