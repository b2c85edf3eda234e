/// An enum as columns: one column, or one group of columns, for each case.
///
/// Always true: a model that was read without an error has a case, and each case has one value.
struct EnumModel {
  struct Case {
    var name: String
    var columnName: String
    var type: String
    /// The type, or the representation, without `Optional`, which is what the columns are made of.
    var wrapped: String
    var isOptional: Bool
    /// The label of the value within the case, with a colon.
    var label: String
    /// What the enum's `Codable` conformance calls the case, and the value within it.
    var codingKeys: (name: String, value: String)
  }

  var typeName: String
  var access: Access
  var cases: [Case]
  var isGeneric: Bool
}
