public import MartletValues

/// What a server tells about itself: its counters and its busiest shapes.
public struct Inspection: Sendable, Equatable {
  public struct Counter: Sendable, Equatable {
    public var name: String
    public var value: Int64

    public init(name: String, value: Int64) {
      self.name = name
      self.value = value
    }
  }

  /// One shape of query, since the server started.
  public struct ShapeStatistics: Sendable, Equatable {
    public var shape: ShapeID
    public var database: String
    public var sql: String
    public var executions: UInt64
    public var errors: UInt64
    public var rows: UInt64
    public var microseconds: UInt64

    public init(
      shape: ShapeID, database: String, sql: String, executions: UInt64, errors: UInt64, rows: UInt64,
      microseconds: UInt64
    ) {
      self.shape = shape
      self.database = database
      self.sql = sql
      self.executions = executions
      self.errors = errors
      self.rows = rows
      self.microseconds = microseconds
    }
  }

  public var counters: [Counter]

  /// The shapes that took the most time first, as many as were asked for.
  public var shapes: [ShapeStatistics]

  /// How long requests took, by kind.
  public var latencies: [LatencyCounts] = []

  /// The sessions with the most requests first, as many as were asked for.
  public var sessions: [SessionInfo] = []

  public init(counters: [Counter] = [], shapes: [ShapeStatistics] = []) {
    self.counters = counters
    self.shapes = shapes
  }

  /// The counter called `name`.
  public subscript(name: String) -> Int64? { counters.first { $0.name == name }?.value }
}
