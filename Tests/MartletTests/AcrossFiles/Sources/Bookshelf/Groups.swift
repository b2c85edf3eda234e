// Groups of columns, which the tables of another file hold.
public import Martlet

@Selection public struct Place {
  public var row: Int
  public var number: Int
  public init(row: Int, number: Int) {
    self.row = row
    self.number = number
  }
}

@Selection public enum Kind: Sendable {
  case novel(String)
  case issue(Int)
}

@Table public enum Note: Codable, Sendable {
  case text(String)
  case page(Int)
}
