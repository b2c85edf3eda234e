/// One step of the way.
///
/// Always true: groups are objects within objects; an optional group is null or an object; an enum is an object whose
/// one member is named after the case, and holds an object with the case's value.
struct JSONMember: Sendable, Equatable {
  var name: String
  /// The object is null if all its columns are NULL.
  var isOptional = false
  /// Its members are cases, of which it has one.
  var isEnum = false
  /// What the columns of the table that holds it call the group.
  var group: String?

  init(name: String) { self.name = name }

  init<Values: Table>(name: String, of type: Values.Type) {
    self.name = name
    isOptional = Values.self == Values.QueryOptional.self
    isEnum = Values.QueryUnwrapped.self is any EnumTable.Type
  }
}
