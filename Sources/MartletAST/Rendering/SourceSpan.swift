/// The bytes of the SQL that one node of the tree gave.
public struct SourceSpan: Sendable {
  /// In bytes of UTF-8.
  public let range: Range<Int>
  let place: Place

  /// Such as `select.where.call.arguments[1]`.
  public var path: String { place.path }

  /// Where in a tree a node is: its field in the node around it.
  ///
  /// Always true: a node costs as much as any other, however deep it is; its path is written only if somebody asks.
  final class Place: Sendable {
    let outer: Place?
    let depth: Int
    private let field: StaticString
    /// Negative if the field is no list.
    private let index: Int

    init(_ field: StaticString, index: Int, in outer: Place?) {
      self.field = field
      self.index = index
      self.outer = outer
      depth = (outer?.depth ?? 0) + 1
    }

    /// Whether the node is a piece of SQL text.
    var isRawText: Bool { "\(field)" == "parts" && index >= 0 }

    var path: String {
      var names: [String] = []
      var place: Place? = self
      while let next = place {
        names.append(next.index < 0 ? "\(next.field)" : "\(next.field)[\(next.index)]")
        place = next.outer
      }
      return names.reversed().joined(separator: ".")
    }
  }
}

extension SourceSpan: Equatable {
  public static func == (left: SourceSpan, right: SourceSpan) -> Bool {
    left.range == right.range && left.path == right.path
  }
}
