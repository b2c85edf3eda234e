/// The metadata of a result's columns.
///
/// Always true: equal columns have equal versions, so a client that shows the version it holds is spared the rest.
public struct ResultColumns: Sendable, Equatable {
  /// What is known of one column of a result.
  public struct Column: Sendable, Equatable {
    public var name: String
    /// The type as the schema declares it; empty for an expression.
    public var declaredType: String
    /// Where the value comes from; empty for an expression.
    public var database: String
    public var table: String
    public var origin: String

    public init(name: String, declaredType: String = "", database: String = "", table: String = "", origin: String = "")
    {
      self.name = name
      self.declaredType = declaredType
      self.database = database
      self.table = table
      self.origin = origin
    }
  }

  public var version: UInt64
  public var columns: [Column]

  public init(columns: [Column]) {
    self.columns = columns
    // FNV-1a over the texts with a separator: stable across processes, unlike Swift's own hashing.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for column in columns {
      for text in [column.name, column.declaredType, column.database, column.table, column.origin] {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ 0xFF) &* 0x100_0000_01b3
      }
    }
    version = hash == 0 ? 1 : hash
  }

  /// About how many bytes of memory the columns hold.
  package var byteCount: Int {
    columns.reduce(0) { sum, column in
      [column.name, column.declaredType, column.database, column.table, column.origin].reduce(sum) { sum, text in
        // Up to 15 bytes stand within the string itself.
        sum + MemoryLayout<String>.size + (text.utf8.count > 15 ? text.utf8.count + 48 : 0)
      }
    }
  }

  /// Columns as a server sent them, with the version that it gave them.
  public init(version: UInt64, columns: [Column]) {
    self.version = version
    self.columns = columns
  }
}
