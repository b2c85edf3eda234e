// Tables of the first module, public, with each kind of column.
public import Foundation
public import Martlet

@Table public struct Book: Identifiable {
  public let id: Int
  public var title = ""
  public var shelfID: Int
  public var place: Place?
  public var kind: Kind
  @Column(as: [String].JSONRepresentation.self) public var tags: [String] = []
  public static let all = Self.unscoped.where { $0.title.neq("") }.order(by: \.title)
}

@Table public struct BookText: FTS5 { public var title = "" }

@Table public struct Visit {
  @Column(lazyInitializable: true) public let at: Date
  public var name = ""
}
