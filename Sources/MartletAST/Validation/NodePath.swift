/// Where in a tree a walk is, in the names of the grammar's fields.
///
/// Always true: text is made only when somebody asks for it, so a walk that finds nothing wrong makes none.
struct NodePath {
  private struct Component {
    var field: StaticString
    /// Negative if the field is no list.
    var index: Int
  }

  private var components: [Component] = []

  mutating func push(_ field: StaticString, index: Int = -1) {
    components.append(Component(field: field, index: index))
  }

  mutating func pop() {
    components.removeLast()
  }

  /// Such as `select.where.call.arguments[1]`.
  var text: String {
    components.map { component in
      component.index < 0 ? "\(component.field)" : "\(component.field)[\(component.index)]"
    }.joined(separator: ".")
  }
}
