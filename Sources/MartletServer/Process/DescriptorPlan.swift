internal import MartletValues

/// How the descriptors that the system grants are shared out between connections and the files of databases.
///
/// Always true: pure; the plan fits what was granted and leaves room for a database and some connections, or there is
/// none, because too little was granted.
struct DescriptorPlan: Equatable {
  var connections: Int
  var databases: Int
  /// Connections of the reader pool of each database.
  var readers: Int
  /// Different setups of each database.
  var setups: Int
  /// Less than the limits asked for.
  var isReduced: Bool

  /// Descriptors that the process needs besides: the loops' own, listeners, logs, and some while files change hands.
  private static func fixed(loops: Int, addresses: Int) -> Int { 48 + loops * (8 + addresses) + 4 * addresses }

  /// Locks, the writer, what reads for the loops and the planner, some temporary files; and the readers.
  private static func perDatabase(readers: Int, loops: Int) -> Int { 9 + 2 * loops + 2 * readers }

  /// How many descriptors would fulfil the limits.
  static func wanted(by limits: Limits, loops: Int, addresses: Int) -> Int {
    fixed(loops: loops, addresses: addresses) + limits.connectionsMax
      + limits.databasesOpenTotalMax * perDatabase(readers: limits.readerConnectionsMax, loops: loops)
  }

  /// The fewest that a server starts with.
  static func least(limits: Limits, loops: Int, addresses: Int) -> Int {
    fixed(loops: loops, addresses: addresses) + min(ServerLimits.plannedConnectionsMin, limits.connectionsMax)
      + perDatabase(readers: fewestReaders(limits), loops: loops)
  }

  private static func fewestReaders(_ limits: Limits) -> Int {
    min(limits.readerConnectionsMax, max(ServerLimits.plannedReadersMin, limits.readerThreads))
  }

  /// Nil if so few were granted that nobody would be served.
  init?(granted: Int, limits: Limits, loops: Int, addresses: Int) {
    guard granted >= Self.least(limits: limits, loops: loops, addresses: addresses) else { return nil }
    connections = limits.connectionsMax
    databases = limits.databasesOpenMax
    readers = limits.readerConnectionsMax
    setups = limits.setupsPerDatabaseMax
    isReduced = granted < Self.wanted(by: limits, loops: loops, addresses: addresses)
    guard isReduced else { return }
    let left = granted - Self.fixed(loops: loops, addresses: addresses)
    let forFiles = limits.databasesOpenTotalMax * Self.perDatabase(readers: limits.readerConnectionsMax, loops: loops)
    // Half for each, and what one side does not need for the other.
    let fewest = Self.fewestReaders(limits)
    let room = left - Self.perDatabase(readers: fewest, loops: loops)
    connections = min(limits.connectionsMax, max(left / 2, left - forFiles), max(1, room))
    let files = left - connections
    // A ninth of all is for those who have few.
    func fit(_ readers: Int) -> Int { max(1, files / Self.perDatabase(readers: readers, loops: loops) * 8 / 9) }
    let choices = [limits.readerConnectionsMax, 16, 8].filter { $0 >= fewest && $0 <= limits.readerConnectionsMax }
    readers = choices.first { fit($0) >= min(limits.databasesOpenMax, 16) } ?? fewest
    databases = min(limits.databasesOpenMax, fit(readers))
    setups = min(limits.setupsPerDatabaseMax, 2)
  }

  /// How many connections there is room for beside all databases that the limits allow: for a server that runs, and
  /// cannot have fewer of those.
  static func connections(granted: Int, limits: Limits, loops: Int, addresses: Int) -> Int {
    let forFiles = limits.databasesOpenTotalMax * perDatabase(readers: limits.readerConnectionsMax, loops: loops)
    return max(1, granted - fixed(loops: loops, addresses: addresses) - forFiles)
  }

  func apply(to limits: inout Limits) {
    limits.connectionsMax = connections
    limits.databasesOpenMax = databases
    limits.readerConnectionsMax = readers
    limits.setupReaderConnectionsMax = min(limits.setupReaderConnectionsMax, readers)
    limits.setupsPerDatabaseMax = setups
  }
}
