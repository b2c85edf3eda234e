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

public enum Library {}

// What stands in a public extension is public, and says so nowhere itself.
public extension Library {
  @Table struct Room: Identifiable {
    public let id: Int
    public var name = ""
    public var door: Door?
  }

  @Selection struct Door: Sendable {
    public var width: Int
    public var height: Int
  }

  @Selection enum Light {
    case lamps(Int)
    case none(String)
  }

  @DatabaseFunction static func half(_ number: Int) -> Int { number / 2 }
  @DatabaseFunction static func widest(_ widths: some Sequence<Int>) -> Int? { widths.max() }
  @DatabaseFunction static var limit: Int { 7 }
}

@DatabaseFunction public func initial(_ text: String, of count: Int = 1) -> String { String(text.prefix(count)) }
