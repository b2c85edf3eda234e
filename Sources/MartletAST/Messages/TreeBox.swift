/// The fields of a message that is kept in a box.
protocol TreeFields: Equatable, Sendable {}

/// A message's fields on the heap, shared by its copies until one of them changes: so a message may hold its own kind,
/// and a copy of a tree costs a count.
///
/// Always true: fields change only in a box that one message holds.
//
// Unchecked, which is sound because whoever writes has called `own` and so holds the only reference; a box that two
// messages hold is only read.
final class TreeBox<Fields: TreeFields>: @unchecked Sendable {
  var fields: Fields

  init(_ fields: Fields) { self.fields = fields }

  /// Call it before a change: the box is copied if another message holds it, too.
  static func own(_ box: inout TreeBox) {
    if !isKnownUniquelyReferenced(&box) { box = TreeBox(box.fields) }
  }
}
