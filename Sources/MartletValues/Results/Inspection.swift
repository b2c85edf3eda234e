/// What a server tells about itself: its counters and its busiest shapes.
public struct Inspection: Sendable, Equatable {
  /// A number of the server, under its name.
  public struct Counter: Sendable, Equatable {
    public var name: String
    public var value: Int64

    public init(name: String, value: Int64) {
      self.name = name
      self.value = value
    }
  }

  public var counters: [Counter]

  /// The shapes that took the most time first, as many as were asked for.
  public var shapes: [ShapeStatistics]

  /// How long requests took, by kind.
  public var latencies: [LatencyCounts]

  /// The sessions with the most requests first, as many as were asked for.
  public var sessions: [SessionInfo]

  public init(
    counters: [Counter] = [], shapes: [ShapeStatistics] = [], latencies: [LatencyCounts] = [],
    sessions: [SessionInfo] = []
  ) {
    self.counters = counters
    self.shapes = shapes
    self.latencies = latencies
    self.sessions = sessions
  }

  /// About how many bytes the shapes and sessions take.
  package var byteCount: Int {
    shapes.reduce(0) { $0 + $1.byteCount } + sessions.reduce(0) { $0 + $1.byteCount }
  }

  /// The counter called `name`.
  public subscript(name: String) -> Int64? { counters.first { $0.name == name }?.value }
}
