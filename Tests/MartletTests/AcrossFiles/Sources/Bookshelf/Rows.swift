// Rows of queries over the tables of another file.
public import Martlet

@Selection public struct ShelfRow: Sendable {
  public var title: String
  public var kind: Kind
}

@Selection public struct Level {
  public var id: Int
  public var depth = 0
}
